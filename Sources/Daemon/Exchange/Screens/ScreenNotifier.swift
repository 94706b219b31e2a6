import Layout
import Logging
import Routing
import Server
import TouchModel

/// Tells clients of the states and locks of screens: those that watch all of them, and each
/// screen's blanker. Rules D2, D4 and D9.
final class ScreenNotifier {
  private let server: Server
  /// The blankers, by the names of their screens.
  private(set) var blankers: [String: ClientID] = [:]
  /// The clients that hear of all screens.
  private(set) var watchers: Set<ClientID> = []
  /// The client whose request is being carried out: it hears of that by the answer.
  private var asking: ClientID?

  init(_ server: Server) { self.server = server }

  /// Makes a client the blanker of a screen; nil where it has none from now on.
  func setBlanker(_ client: ClientID?, of name: String) { blankers[name] = client }

  /// Has a client hear of all screens from now on, or no longer.
  func watch(_ client: ClientID, _ isWanted: Bool) {
    if isWanted { watchers.insert(client) } else { watchers.remove(client) }
  }

  /// Carries out what a client asks for, without telling it of what comes of that.
  func withoutTelling<Result>(_ client: ClientID, _ carryOut: () -> Result) -> Result {
    asking = client
    defer { asking = nil }
    return carryOut()
  }

  /// Tells of a screen's other state. Rules D2 and D4.
  func tell(_ change: ScreenPower.Change, of pipeline: RunningPipeline) {
    let name = pipeline.layout.name(of: change.screen)
    let notice = ScreenStateNotice(
      screen: change.screen, name: name, state: change.state, cause: change.cause)
    let blanker = blankers[name]
    if change.cause == .timedOut, let blanker {
      server.log(
        .warning, about: blanker,
        "screen \"\(name)\" is on: its blanker, \(server.name(of: blanker)), has not said so "
          + "in time (wake_timeout_ms)")
    }
    if let blanker, blanker != asking, !watchers.contains(blanker) {
      server.send(notice, to: blanker)
    }
    for client in watchers where client != asking { server.send(notice, to: client) }
  }

  /// Tells of a lock that has begun or ended. Rule D9.
  func tell(_ change: TouchLocks.Change, of pipeline: RunningPipeline) {
    let notice = LockNotice(
      screen: change.screen, name: pipeline.layout.name(of: change.screen),
      remainingMilliseconds: change.end?.milliseconds(after: pipeline.now) ?? 0,
      cause: change.cause)
    for client in watchers { server.send(notice, to: client) }
  }
}

extension Timestamp {
  /// How long a lock lasts yet that ends then, in milliseconds: at least one.
  func milliseconds(after now: Timestamp) -> UInt32 {
    let left = max(microseconds, now.microseconds) - now.microseconds
    return max(1, UInt32(clamping: (left + 999) / 1_000))
  }
}

extension Layout {
  /// The screen of a name; nil where there is none.
  func screen(_ name: String) -> ScreenIndex? {
    screens.firstIndex { $0.name == name }.map { ScreenIndex(Int32($0)) }
  }

  /// A screen's name.
  func name(of screen: ScreenIndex) -> String { screens[Int(screen.rawValue)].name }

  /// That there is no screen of a name, and which there are.
  func lackOfScreen(_ name: String) -> String {
    let names = screens.map { "\"\($0.name)\"" }.joined(separator: ", ")
    return "there is no screen \"\(name)\", only \(names)"
  }
}
