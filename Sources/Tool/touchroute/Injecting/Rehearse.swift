import ArgumentParser
import Configuration
import TouchScripts

/// `touchroute rehearse`: what would happen, without a daemon.
struct Rehearse: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Plays touches through a configuration, and prints what each program would get.",
    discussion: """
      Needs no daemon: it runs the daemon's own code, with a clock that starts at 0 ms. The file \
      has the lines of `touchroute inject`, and three more. accept PATH SLOT and decline PATH SLOT \
      say that the program at PATH accepts or declines the touch in SLOT, or the last one there. \
      program PATH, before the first touch, is as --program.

      After the last line it runs until no recognizer waits for a time. Then it cancels fingers \
      that are still down. If no program would get anything, standard error says so.

      Examples:
        touchroute rehearse --config layout.toml pinch.txt
        touchroute rehearse --program home --program home/list --json drag.txt
      """)

  @OptionGroup var configuration: ConfigurationOption

  @Option(
    name: .customLong("program"),
    help: "A responder that has a program. May be given again. By default every one has.")
  var programs: [String] = []

  @Flag(help: "Print a line of JSON for each event.")
  var json = false

  @Argument(help: "The file; - for standard input.", completion: .file())
  var file: String

  func validate() throws {
    for (index, program) in programs.enumerated() where programs[..<index].contains(program) {
      throw ValidationError("--program \(program) is given twice.")
    }
  }

  func run() throws {
    let configuration = try configuration.load()
    let script = try InjectScript(file: file, taking: .programs)
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
    guard !script.programs.isEmpty else {
      do { return try Rehearsal(configuration, programs: programs) } catch let error as ScriptError
      {
        throw ScriptError("--program: \(error.sentence)")
      }
    }
    guard programs.isEmpty else {
      throw Failure("--program and lines \"program PATH\" of the script can't be given together")
    }
    return try script.rehearsal(configuration)
  }
}
