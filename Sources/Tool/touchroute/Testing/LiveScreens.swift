import TouchClient
import TouchScripts

/// The screens that a script of `touchroute test` makes dark and locks in the running daemon; they
/// are on and unlocked again when it is over.
final class LiveScreens {
  private let daemon: Daemon
  /// Those of which this process is the blanker.
  private var own: Set<String> = []
  private var dark: Set<String> = []
  private var locked: Set<String> = []

  init(_ daemon: Daemon) { self.daemon = daemon }

  /// Plays a line that is about screens.
  ///
  /// - Parameter screen: the one that is chosen.
  func play(_ step: InjectScript.Step, on screen: String) throws {
    switch step {
    case .power(let name, let isOn): try set(name, isOn: isOn)
    case .lock(let lock):
      try ask { connection throws(TouchClientError) in
        try connection.lock(
          screen, milliseconds: lock.milliseconds, exit: lock.exit,
          except: lock.exceptions.map(\.path))
      }
      locked.insert(screen)
    case .unlock:
      try ask { connection throws(TouchClientError) in try connection.unlock(screen) }
      locked.remove(screen)
    default: break
    }
  }

  /// Says it as the screen's blanker, where it has none; else as an administrator, and its blanker
  /// does the rest.
  private func set(_ name: String, isOn: Bool) throws {
    if !own.contains(name) {
      let known = try StatusReport(daemon).screens.first { $0.name == name }
      if let known, known.blanker == nil { own.insert(name) }
    }
    try ask { [own] connection throws(TouchClientError) in
      try connection.setScreen(name, isOn: isOn, asBlanker: own.contains(name))
    }
    if isOn { dark.remove(name) } else { dark.insert(name) }
  }

  /// Undoes what is left of it. Where the daemon is gone, so is that.
  func restore() {
    for name in dark.sorted() {
      try? ask { connection throws(TouchClientError) in
        try connection.setScreen(name, isOn: true)
      }
    }
    for name in locked.sorted() {
      // It may have ended by itself.
      try? ask { connection throws(TouchClientError) in try connection.unlock(name) }
    }
  }

  private func ask(_ request: (TouchConnection) throws(TouchClientError) -> Serial?) throws {
    try daemon.ask(request)
  }
}
