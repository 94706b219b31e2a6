import Logging
import Routing
import Server
package import TouchModel
import Wire

/// Touchscreens that the daemon has let go of, so that other programs can read them: each for as
/// long as one of the clients is there that have asked for it. Rule F7.
package final class Ungrabbing {
  /// Lets go of a touchscreen: its node, and whether it was grabbed; nil where there is none of
  /// that number.
  package var ungrab: (DeviceID) -> (node: String, wasGrabbed: Bool)? = { _ in nil }
  /// Grabs what is at a node again, where that is configured.
  package var grabAgain: (String) -> Void = { _ in }

  private let pipeline: RunningPipeline
  private let server: Server
  private let logger: Logger
  private var nodes: [ClientID: Set<String>] = [:]

  init(_ pipeline: RunningPipeline, _ server: Server, _ logger: Logger) {
    self.pipeline = pipeline
    self.server = server
    self.logger = logger
  }

  /// Carries out `ungrab`.
  func ungrab(_ device: DeviceID, _ token: RequestToken) {
    guard let (node, wasGrabbed) = ungrab(device) else {
      return server.answer(
        token, .invalid,
        "ungrab: there is no touchscreen \(device.rawValue), it may be gone; `touchroute status` "
          + "shows the numbers of touchscreens")
    }
    nodes[token.client, default: []].insert(node)
    if wasGrabbed {
      logger.notice("\(node) is not grabbed while \(server.name(of: token.client)) is connected")
    }
    server.answer(token, doneWith: wasGrabbed ? 1 : 0, generation: pipeline.generation)
  }

  /// A client is gone: what it alone has asked for is grabbed again.
  func wentAway(_ client: ClientID) {
    for node in nodes.removeValue(forKey: client) ?? []
    where !nodes.values.contains(where: { $0.contains(node) }) {
      grabAgain(node)
    }
  }
}
