import ArgumentParser
import Configuration
import Layout
import TouchInput
import TouchModel
import TouchScripts

/// `touchroute rehearse`: what would happen, without a daemon.
struct Rehearse: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Plays touches through a configuration, and prints what each program would get.",
    discussion: """
      Needs no daemon: it runs the daemon's own code, with a clock that starts at 0 ms. It prints \
      feedback too, as `touchroute output feedback` would hear it. The file \
      has the lines of `touchroute inject`, and these:
        program PATH         before the first touch: as --program
        accept PATH SLOT     the program at PATH accepts the touch in SLOT, or the last one there
        decline PATH SLOT    it declines it
        dark NAME            the screen's blanker says that it is dark, as `touchroute screen` does
        on NAME              it says that it is on again
        lock for SECONDS [except PATH]... [unlock hold-corners]... [unlock taps]...
                             as `touchroute lock`, of the screen that is chosen
        unlock               ends that lock

      After the last line it runs until no recognizer, screen or lock waits for a time. Then it \
      cancels fingers that are still down. If no program would get anything, standard error says so.

      With --device it plays through the filters that [[device]] has for that touchscreen, on its \
      screen, and prints what they do. So a bad panel can be tried without one.

      Examples:
        touchroute rehearse --config layout.toml pinch.txt
        touchroute rehearse --device 0416:038f bounce.txt
        touchroute rehearse --program home --program home/list --json drag.txt
      """)

  @OptionGroup var configuration: ConfigurationOption

  @Option(
    name: .customLong("program"),
    help: "A responder that has a program. May be given again. By default every one has.")
  var programs: [String] = []

  @Option(help: "A touchscreen's name, or its vendor and product, such as 0416:038f.")
  var device: String?

  @Flag(help: "Print a line of JSON for each event.")
  var json = false

  @Argument(
    help: "The file; - for standard input.",
    completion: .file(),
    transform: NegativeNumbers.restored)
  var file: String

  func validate() throws {
    for (index, program) in programs.enumerated() where programs[..<index].contains(program) {
      throw ValidationError("--program \(program) is given twice.")
    }
  }

  func run() throws {
    let configuration = try configuration.load()
    let script = try InjectScript(file: file, taking: [.programs, .screens])
    let rehearsal = try rehearsal(of: script, configuration)
    // Nothing is printed of a script that can't be played to its end.
    var lines: [RehearsedLine] = []
    for (line, step) in script.steps {
      do { lines += try rehearsal.play(step) } catch let error as ScriptError {
        throw script.failure(error.sentence, at: line, word: error.word)
      }
    }
    lines += rehearsal.finish()
    let output = Output()
    for line in lines { try output.line(json ? jsonLine(line) : line.words) }
    try output.flush()
    if lines.isEmpty { Failure("no program would get anything of these touches").report() }
  }

  private func rehearsal(
    of script: InjectScript, _ configuration: Configuration
  ) throws -> Rehearsal {
    let panel = try device.map { try self.panel($0, of: configuration) }
    guard !script.programs.isEmpty else {
      do { return try Rehearsal(configuration, programs: programs, on: panel) } catch let error
        as ScriptError
      {
        throw ScriptError("--program: \(error.sentence)")
      }
    }
    guard programs.isEmpty else {
      throw Failure("--program and lines \"program PATH\" of the script can't be given together")
    }
    return try script.rehearsal(configuration, on: panel)
  }

  /// What the configuration says of a touchscreen.
  private func panel(
    _ device: String, of configuration: Configuration
  ) throws(Failure) -> Rehearsal.Panel {
    let matcher = DeviceMatcher(
      rules: configuration.devices, screens: configuration.layout.screens)
    let assignment = matcher.assignment(of: DeviceDescription(named: device))
    guard assignment.rule != nil || assignment.knownFrom != nil else {
      throw Failure(
        "--device: no [[device]] matches \"\(device)\" by its name or id, so it has no filters")
    }
    return Rehearsal.Panel(
      screen: assignment.mapping.screen, region: assignment.mapping.region,
      signal: assignment.signal)
  }
}

extension DeviceDescription {
  /// The touchscreen of a name, or of a vendor and product in hexadecimal digits.
  init(named text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { UInt16($0, radix: 16) }
    let isID = parts.count == 2 && numbers.count == 2
    self.init(
      name: isID ? "" : text, vendor: isID ? numbers[0] : 0, product: isID ? numbers[1] : 0,
      node: "")
  }
}
