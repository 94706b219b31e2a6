import ArgumentParser
import Configuration
import TouchScripts

/// `touchroute test`: touches from files, and what must come of them.
struct Test: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Plays touches from files, and checks what comes of them.",
    discussion: """
      Without --config it needs the control socket, and the touches go to the programs that run. \
      With --config it needs no daemon: it runs the daemon's own code with a clock of its own, as \
      rehearse does. A file has the lines of `touchroute inject`, `dark`, `on`, `lock` and \
      `unlock` of `touchroute rehearse`, its other lines with --config, and these:
        program PATH                  a program must hold PATH; --config: one does
        expect PATH gets PHASES       such as: began, ended
                                      or: began, cancelled gesture
        expect PATH gets nothing
        expect gesture VIEW KIND      such as: home/list pan
        expect gesture VIEW#NAME
        expect no gesture
        expect nobody                 no program gets a touch, and no gesture comes

      Behind KIND or NAME may follow the states that must come, such as: began, ended. An expect \
      line is about the touches since the expect lines before it. With "within N ms" at its end, \
      all of it must come at most N ms after the latest frame.

      Standard output is TAP, one test for each file. The exit status is 0 if all is as expected, \
      2 if something is not, and 1 if a file can't be read or played. All files are read before \
      anything happens.

      Examples:
        touchroute test --config touchroute.toml media.touches
        touchroute test --junit result.xml media.touches
      """)

  @OptionGroup var socket: SocketOption
  @OptionGroup var configuration: ConfigurationOption

  @Option(help: "Also write the results to this file, as JUnit's XML.", completion: .file())
  var junit: String?

  @Argument(
    help: "The files; - for standard input.",
    completion: .file(),
    transform: NegativeNumbers.restored)
  var files: [String]

  func validate() throws {
    if socket.socket != nil, configuration.path != nil {
      throw ValidationError("--config and --socket can't be given together.")
    }
    if junit == "" { throw ValidationError("--junit must name a file.") }
  }

  func run() throws {
    let tests = try loadTests()
    var report = TestReport()
    // Whether somebody reads it or not, the status says what came of it.
    let output = Output(needsReader: false)
    try output.line("TAP version 14")
    try output.line("1..\(tests.count)")
    for (file, test) in tests {
      let lines = report.add(file, test)
      for line in lines { try output.line(line) }
      try output.flush()
    }
    if let junit { try ReplacedFile.write(report.junit, to: junit) }
    if let status = report.status { throw status }
  }

  /// Reads all files. Says of each that is wrong what is, and then ends.
  private func loadTests() throws -> [(file: String, test: () throws -> [String])] {
    let loaded = try configuration.path.map { _ in try configuration.load() }
    var tests: [(file: String, test: () throws -> [String])] = []
    for file in files {
      do throws(ScriptError) {
        let script = try InjectScript(file: file, taking: [.programs, .screens, .expectations])
        guard script.hasExpectations else {
          throw ScriptError("\(file) has no line \"expect\", so it tests nothing")
        }
        if let loaded {
          let test = try RehearsedTest(script, loaded)
          tests.append((file, { try test.failures() }))
        } else {
          tests.append((file, { [socket] in try LiveTest(script, socket).failures() }))
        }
      } catch { Failure(error.sentence).report() }
    }
    guard tests.count == files.count else { throw ExitCode.failure }
    return tests
  }
}
