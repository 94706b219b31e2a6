import ArgumentParser

/// `touchroute output uinput`: a virtual touchscreen of the kernel's.
struct UinputOutput: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "uinput",
    abstract: "Makes a virtual touchscreen in the kernel from the touches of a responder.",
    discussion: """
      Any program that reads touchscreens can read it. It is as large as the responder, one unit a \
      point, and stays while the daemon or the program restarts. udev links \
      /dev/input/touchroute/NAME to it. touchrouted never reads it. It needs /dev/uinput, which \
      members of the group touchroute-output may open.

      Examples:
        touchroute output uinput home
        touchroute output uinput --wait --name player media/video
        touchroute output uinput --size 1024x600 app:dashboard
      """)

  @OptionGroup var socket: SocketOption

  @Option(help: "The touchscreen's name. By default the path, with - for /.")
  var name: String?

  @Option(help: "How many fingers it has, from 1 to 32. Fingers beyond that are left out.")
  var slots = 10

  @Option(
    help: ArgumentHelp(
      "A fixed size, such as 1024x600.",
      discussion:
        "By default it has the responder's size. If that changes, a new device takes its place, "
        + "once the change has lasted a second and no finger is down."),
    transform: OutputSize.init)
  var size: OutputSize?

  @Option(help: "Units a millimetre, from which readers calculate its size; 0 for none.")
  var resolution = 4

  @Option(
    help: ArgumentHelp(
      "What readers see of a cancelled touch: away, palm or lift.",
      discussion:
        "away: it leaves by an edge, across the way it went, and is lifted 2 % beyond the range; "
        + "several at once leave by one edge. palm: it becomes a palm, which libinput cancels and "
        + "other readers do not know, and is lifted. lift: it is lifted where it is, which is a "
        + "click. See programs.md."))
  var cancel = OutputCancel.away

  @Option(
    help: "How many milliseconds a replayed touch stays down, so that no reader misses it.")
  var pace = 40

  @Option(help: "For an application, the screen whose touches count; by default the first.")
  var screen: String?

  @OptionGroup var holding: HoldingOptions

  @Argument(help: "The responder's path.", completion: Completions.responders)
  var path: String

  /// The device's name is this with a word before it, and the kernel takes 79 bytes.
  private static let longestName = 64

  private var outputName: String {
    name ?? String(path.map { $0 == "/" ? "-" : $0 })
  }

  func validate() throws {
    if path.isEmpty { throw ValidationError("The path is empty.") }
    guard (1...Self.longestName).contains(outputName.utf8.count) else {
      throw ValidationError(
        "The name \(outputName) is not from 1 to \(Self.longestName) bytes long: give a --name.")
    }
    // Those that udev leaves in a link as they are.
    let isPlain = outputName.utf8.allSatisfy { byte in
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:@-".utf8.contains(byte)
    }
    guard isPlain, outputName != ".", outputName != ".." else {
      throw ValidationError(
        "The name \(outputName) must be made of A-Z a-z 0-9 _ . : @ -, and not of one or two dots.")
    }
    guard (1...32).contains(slots) else { throw ValidationError("--slots must be from 1 to 32.") }
    guard (0...10_000).contains(resolution) else {
      throw ValidationError("--resolution must be from 0 to 10000.")
    }
    guard (0...1000).contains(pace) else {
      throw ValidationError("--pace must be from 0 to 1000.")
    }
    if screen != nil, !path.hasPrefix("app:") {
      throw ValidationError("--screen needs an application: a window is on one screen.")
    }
  }

  /// Goes on as a small program of its own: one runs for each window all day.
  func run() throws {
    try OwnProgram.become(
      "touchroute-uinput", of: "touchroute-tools",
      [
        socket.socket ?? "", path, outputName, screen ?? "", "\(slots)", "\(size?.width ?? 0)",
        "\(size?.height ?? 0)", "\(resolution)", "\(cancel.number)", "\(pace)",
        "\(holding.number)",
      ])
  }
}

/// A size in whole units as an argument.
struct OutputSize {
  let width: Int
  let height: Int

  /// - Throws: What is wrong with it, as the parser says it behind the argument.
  init(_ argument: String) throws {
    let parts = argument.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]) else {
      throw ValidationError("it is not WIDTHxHEIGHT.")
    }
    guard (2...65536).contains(width), (2...65536).contains(height) else {
      throw ValidationError("width and height must be from 2 to 65536.")
    }
    self.width = width
    self.height = height
  }
}

/// The ways to tell readers of evdev that a touch is cancelled.
enum OutputCancel: String, CaseIterable, ExpressibleByArgument {
  case away, palm, lift

  /// As in touchscreen.h.
  var number: Int {
    switch self {
    case .away: 0
    case .palm: 1
    case .lift: 2
    }
  }
}
