import ArgumentParser
import LayoutDrawing
import TouchClient
import TouchModel

/// `touchroute lock`: no program gets touches for a while.
struct Lock: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Locks a screen for a while: a child lock, or to clean it.",
    discussion: """
      Needs the control socket. No program gets a touch that begins while the screen is locked, \
      but for touches on the views of --except. The lock ends with its time, by `touchroute \
      unlock`, or by what fingers do (--unlock): hold-corners is two fingers that rest in two \
      corners of the screen for 3 s, taps is five taps in a row. A lock replaces the one before.

      Examples:
        touchroute lock --for 30
        touchroute lock --for 30 --except home/emergency --unlock hold-corners
      """)

  /// What fingers do to end a lock.
  enum Exit: String, ExpressibleByArgument, CaseIterable {
    case holdCorners = "hold-corners"
    case taps

    var exit: LockExit { self == .holdCorners ? .holdCorners : .taps }
  }

  @OptionGroup var socket: SocketOption

  @Option(name: .customLong("for"), help: "How long, in seconds.", transform: Lock.milliseconds)
  var milliseconds: UInt32

  @Option(help: "The screen's name. Without it, every screen.")
  var screen: String?

  @Option(
    help: "The path of a view that gets touches all the same. May be given several times.",
    completion: Completions.responders)
  var except: [String] = []

  @Option(help: "What fingers do to end it: hold-corners or taps. May be given several times.")
  var unlock: [Exit] = []

  private static func milliseconds(_ argument: String) throws -> UInt32 {
    // `30s` is what an example elsewhere says.
    let number = argument.hasSuffix("s") ? String(argument.dropLast()) : argument
    guard let seconds = Double(number), seconds >= 1, seconds <= 86_400 else {
      throw ValidationError("it is not a number of seconds from 1 to 86400.")
    }
    return UInt32(seconds * 1_000)
  }

  func run() throws {
    let output = Output()
    let daemon = try Daemon(.control, path: socket.socket, output: output)
    for name in try daemon.screenNames(screen) {
      try daemon.ask { connection throws(TouchClientError) in
        try connection.lock(
          name, milliseconds: milliseconds,
          exit: unlock.reduce([]) { $0.union($1.exit) }, except: except)
      }
      try output.line("\(name): locked for \(Text.duration(seconds: UInt64(milliseconds / 1_000)))")
    }
    try output.flush()
  }
}

/// `touchroute unlock`: a lock is over.
struct Unlock: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Ends the lock of a screen, or of every screen.",
    discussion: """
      Needs the control socket.

      Examples:
        touchroute unlock
        touchroute unlock panel
      """)

  @OptionGroup var socket: SocketOption

  @Argument(help: "The screen's name. Without it, every screen that is locked.")
  var screen: String?

  func run() throws {
    let output = Output()
    let daemon = try Daemon(.control, path: socket.socket, output: output)
    let locked = try StatusReport(daemon).locks.map(\.name)
    let names = screen.map { [$0] } ?? locked
    for name in names {
      try daemon.ask { connection throws(TouchClientError) in try connection.unlock(name) }
      try output.line("\(name): unlocked")
    }
    if names.isEmpty { try output.line("no screen is locked") }
    try output.flush()
  }
}

extension Daemon {
  /// The screen of that name alone, or every screen.
  fileprivate func screenNames(_ name: String?) throws -> [String] {
    if let name { return [name] }
    return try StatusReport(self).screens.map(\.name)
  }
}
