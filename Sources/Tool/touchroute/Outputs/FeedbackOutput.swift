import ArgumentParser
import TouchModel

/// `touchroute output feedback`: a click, or a buzz, where something was hit.
struct FeedbackOutput: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "feedback",
    abstract: "Makes a sound, or a device buzz, where something was hit.",
    discussion: """
      The layout names what a finger on a view or gesture gives: feedback = "click" (rule D10). \
      This listens to these names, and gives to each what is asked for here. * is every name that \
      no other option has. Without an option every name is a short click.

      A finger that hits nothing a program holds gives nothing, nor one on a dark or locked \
      screen. It needs root, or an access rule for feedback:NAME. Sounds need the package \
      libasound2.

      Examples:
        touchroute output feedback
        touchroute output feedback --sound click --sound tock=tock.wav
        touchroute output feedback --rumble '*=/dev/input/event5,30,60'
        touchroute output feedback --sound '*' --run alarm='logger alarm'
      """)

  @OptionGroup var socket: SocketOption

  @Option(help: "The screen. By default all.", completion: Completions.screens)
  var screen: String?

  @Option(
    help: ArgumentHelp(
      "A sound, as NAME or NAME=FILE.",
      discussion: "FILE is a WAV file of at most 4 MiB. Without one it is a click."))
  var sound: [String] = []

  @Option(help: "A rumble of a device, as NAME=DEVICE,MILLISECONDS,PERCENT; by default 30 and 60.")
  var rumble: [String] = []

  @Option(help: "The same as a wave, for devices that play those (FF_PERIODIC).")
  var periodic: [String] = []

  @Option(
    help: "A tone of a beeper, as NAME=DEVICE,MILLISECONDS,HERTZ; by default 20 and 2000.")
  var beep: [String] = []

  @Option(
    name: .customLong("run"),
    help: ArgumentHelp(
      "A command for the shell, as NAME=COMMAND.",
      discussion: "TOUCHROUTE_FEEDBACK is the name, and TOUCHROUTE_TARGET what was hit."))
  var commands: [String] = []

  @Option(help: "The sound device, by its ALSA name.")
  var device = "default"

  @Option(help: "At most so many a second of each option, from 1 to 100; others are left out.")
  var most = 20

  func validate() throws {
    guard (1...100).contains(most) else { throw ValidationError("--most must be from 1 to 100.") }
    guard (1...200).contains(device.utf8.count) else {
      throw ValidationError("--device must be 1 to 200 bytes long.")
    }
    _ = try rules()
  }

  /// Goes on as a small program of its own, which loads the sound library where it is needed.
  func run() throws {
    try OwnProgram.become(
      "touchroute-feedback", of: "touchroute-tools",
      [socket.socket ?? "", screen ?? "", device, "\(most)"] + rules().flatMap(\.words))
  }

  private func rules() throws -> [FeedbackRule] {
    var rules = try sound.map { try FeedbackRule(sound: $0) }
    rules += try rumble.map { try FeedbackRule("rumble", $0, FeedbackRule.forces) }
    rules += try periodic.map { try FeedbackRule("periodic", $0, FeedbackRule.forces) }
    rules += try beep.map { try FeedbackRule("beep", $0, FeedbackRule.tones) }
    rules += try commands.map { try FeedbackRule(command: $0) }
    guard rules.count <= Self.mostRules else {
      throw ValidationError("There are \(rules.count) options, and \(Self.mostRules) is the most.")
    }
    return rules.isEmpty ? [try FeedbackRule(sound: "*")] : rules
  }

  private static let mostRules = 100
}

/// What a name of feedback does.
private struct FeedbackRule {
  /// What the numbers behind a device may be, and what they are by default.
  struct Numbers {
    let milliseconds: Int
    let strength: Int
    let range: ClosedRange<Int>
    let unit: String
  }

  static let forces = Numbers(milliseconds: 30, strength: 60, range: 1...100, unit: "PERCENT")
  static let tones = Numbers(milliseconds: 20, strength: 2_000, range: 20...20_000, unit: "HERTZ")

  /// Those of the program: kind, name, what, milliseconds and strength.
  let words: [String]

  init(sound argument: String) throws {
    let (name, file) = try Self.split("sound", argument)
    if file == "" { throw ValidationError("--sound \(argument.printable()): the file is missing.") }
    words = ["sound", name, file ?? "", "0", "0"]
  }

  init(command argument: String) throws {
    let (name, command) = try Self.split("run", argument)
    guard let command, !command.isEmpty else {
      throw ValidationError("--run \(argument.printable()) must be NAME=COMMAND.")
    }
    words = ["run", name, command, "0", "0"]
  }

  init(_ kind: String, _ argument: String, _ numbers: Numbers) throws {
    let (name, rest) = try Self.split(kind, argument)
    let parts = (rest ?? "").split(separator: ",", omittingEmptySubsequences: false)
    guard let node = parts.first, node.hasPrefix("/"), parts.count <= 3 else {
      throw ValidationError(
        "--\(kind) \(argument.printable()) must be NAME=DEVICE,MILLISECONDS,\(numbers.unit); "
          + "DEVICE is a whole path such as /dev/input/event5.")
    }
    func number(
      _ index: Int, _ standard: Int, _ range: ClosedRange<Int>, _ what: String
    ) throws -> Int {
      guard index < parts.count else { return standard }
      guard let number = Int(parts[index]), range.contains(number) else {
        throw ValidationError(
          "--\(kind) \(argument.printable()): \(what) must be a whole number from "
            + "\(range.lowerBound) to \(range.upperBound).")
      }
      return number
    }
    let milliseconds = try number(1, numbers.milliseconds, 1...1_000, "MILLISECONDS")
    let strength = try number(2, numbers.strength, numbers.range, numbers.unit)
    words = [kind, name, String(node), "\(milliseconds)", "\(strength)"]
  }

  /// The name, and what stands behind the sign; nil where there is none.
  private static func split(_ kind: String, _ argument: String) throws -> (String, String?) {
    let parts = argument.split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    if name != "*" {
      do throws(ViewChange.Property.Mistake) {
        guard !name.isEmpty, name != "none" else {
          throw ViewChange.Property.Mistake(text: "it needs the name of a feedback, or *")
        }
        _ = try ViewChange.Property(.feedback, [], words: name)
      } catch {
        throw ValidationError("--\(kind) \(argument.printable()): \(error.text).")
      }
    }
    return (name, parts.count == 2 ? String(parts[1]) : nil)
  }
}
