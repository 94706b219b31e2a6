import TouchClient
import TouchModel

/// A program that behaves, beside others that do not: it reads all that it is told, holds the
/// window `witness` where there is one, and wants each touch told whole. Rules T5 and F1.
final class Witness {
  private let connection: TouchConnection
  private var live: Set<TouchID> = []
  private var pong: Serial?
  private var fault: String?

  init(_ path: String) throws {
    connection = try TouchConnection(path: path, name: "witness")
    _ = try connection.attach(to: "witness")
  }

  /// Reads what has come.
  func read() throws {
    do throws(TouchClientError) {
      try connection.dispatch { event in
        switch event {
        case .touches(let frame): for touch in frame.touches { hear(touch) }
        case .pong(let serial): pong = serial
        default: break
        }
      }
    } catch { throw Finding("the program that behaves has lost its connection: \(error)") }
    if let fault { throw Finding("the program that behaves was told of \(fault)") }
  }

  /// Every touch has to be over, and a ping answered.
  ///
  /// - Parameter settle: Lets the daemon work, and this read.
  func check(_ settle: () throws -> Void) throws {
    guard live.isEmpty else { throw Finding("touches never ended for the program that behaves") }
    let serial = try connection.ping()
    for _ in 0..<8 {
      guard pong != serial else { break }
      try settle()
    }
    guard pong == serial else { throw Finding("the program that behaves has no answer to a ping") }
  }

  private func hear(_ touch: RoutedTouch) {
    switch touch.phase {
    case .began:
      if !live.insert(touch.id).inserted { note("a second beginning", touch) }
    case .moved, .stationary:
      if !live.contains(touch.id) { note("a move of a touch that is not live", touch) }
    case .ended, .cancelled:
      if live.remove(touch.id) == nil { note("an end of a touch that is not live", touch) }
    }
  }

  private func note(_ what: String, _ touch: RoutedTouch) {
    fault = fault ?? "\(what), touch \(touch.id.rawValue)"
  }
}
