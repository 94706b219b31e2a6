import DaemonSupport
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Examples")
struct ExampleTests {
  @Test("Every command has an example, and documents have some", arguments: Examples.commands)
  func present(_ command: String) throws {
    let examples = try Examples.ofHelp(command)
    #expect(!examples.isEmpty)
    #expect(examples.allSatisfy { $0.contains("touchroute \(command)") }, "a line each")
    #expect(Examples.documents.allSatisfy { (try? Examples.ofDocument($0).isEmpty) == false })
  }

  @Test("An example can be pasted into a shell, and works", arguments: Examples.all)
  func works(_ line: String) throws {
    let house = try House(Examples.layout)
    for (name, text) in Examples.files { try house.directory.write(name, text) }
    try #require(!line.hasSuffix("&"), "what runs in the background would be waited for for ever")
    if line.hasPrefix("touchroute idle") { return try waits(line, house) }
    let isListening = ["touchroute listen", "--watch"].contains { line.contains($0) }
    let program = isListening ? nil : try house.client(attachedTo: "home")
    let other = isListening ? nil : try house.client(attachedTo: "bell")
    defer { withExtendedLifetime((program, other)) {} }
    // The seventeenth touch lives.
    for _ in 1...16 { house.finger(.down(150, 240), .up) }
    house.finger(.down(150, 240))
    let command = try house.start(shell: withConfiguration(line))
    if isListening || line.contains("touchroute monitor") {
      if !isListening {
        try house.turn { house.isObserved }
        house.finger(.up, .down(150, 240))
      }
      _ = try command.waitForLines(1)
      _ = try command.interrupt()
      return
    }
    let result = try command.waitForEnd()
    #expect(result.status == 0, "\(result.errors)")
  }

  /// An example that does nothing until nobody touches for long.
  private func waits(_ line: String, _ house: House) throws {
    let command = try house.start(shell: "env TOUCHROUTE_BACKLIGHTS=lights \(line)")
    try house.turn({ command.output }) { house.isIdleWatched }
    #expect(try command.interrupt() == SIGINT)
  }

  /// Reads the test's own configuration where the line would read the machine's.
  private func withConfiguration(_ line: String) -> String {
    let readsMachine =
      (line.hasPrefix("touchroute check") || line.hasPrefix("touchroute hit-test"))
      && [".toml", "--schema", "--live"].allSatisfy { !line.contains($0) }
    return readsMachine ? "\(line) --config touchroute.toml" : line
  }

  @Test("touchroute(1) has every option of every command, and each example in a line")
  func toolPage() throws {
    let page = try Self.page("touchroute", "1", Command.tool.path)
    for command in Examples.commands {
      let help = try Command.run([command, "--help"], environment: ["COLUMNS": "1000"]).output
      let options = Self.options(help).subtracting(["--help", "--version"])
      #expect(!options.isEmpty || command == "reload")
      for option in options { #expect(page.contains(Self.escaped(option)), "\(command) \(option)") }
      for example in try Examples.ofHelp(command) {
        #expect(page.split(separator: "\n").contains { $0 == Self.escaped(example) }, "\(example)")
      }
    }
  }

  @Test("touchrouted(8) has every option of the daemon, with its value and what it is for")
  func daemonPage() throws {
    let daemon = Repository.program("touchrouted")
    let help = try Self.run(daemon, ["--help"])
    let page = try Self.page("touchrouted", "8", daemon.path)
    let lines = page.split(separator: "\n").map(String.init)
    let options = help.split(separator: "\n").filter { $0.hasPrefix("  --") }
    #expect(options.count == 10)
    for line in options {
      let name = line.trimmingCharacters(in: .whitespaces).components(separatedBy: "  ")[0]
      let index = try #require(lines.firstIndex(of: "\\fB\(Self.escaped(name))\\fR"), "\(name)")
      #expect(lines[index - 1] == ".TP")
      #expect(!lines[index + 1].hasPrefix("."), "\(name) is explained")
    }
  }

  @Test("every function of the C client has a page in section 3, and pages are what man takes")
  func libraryPages() throws {
    let directory = try TemporaryDirectory()
    let header = Repository.root.appending(path: "Sources/Client/CTouchroute/include/touchroute.h")
    _ = try Self.run(
      URL(filePath: "/usr/bin/env"),
      [
        "python3", "-B", Repository.root.appending(path: "scripts/lib/libmanpages.py").path,
        header.path, "2026-01-01", "0", directory.url.appending(path: "man3").path,
      ])
    // As the library's file of symbols has them.
    let symbols = try String(
      contentsOf: Repository.root.appending(path: "packaging/debian/libtouchroute0.symbols"),
      encoding: .utf8)
    let functions = symbols.matches(of: #/(touchroute_\w+)@Base/#).map { String($0.1) }
    #expect(functions.count > 20)
    for function in functions {
      let file = directory.url.appending(path: "man3/\(function).3")
      let page = try String(contentsOf: file, encoding: .utf8)
      if page.hasPrefix(".so man3/") { continue }
      #expect(page.contains(".SH NAME\n\(function) \\- ") && page.contains(".SH DESCRIPTION\n"))
      #expect(page.contains(function + "("), "the synopsis declares it")
      let lint = try Self.run(
        URL(filePath: "/usr/bin/env"), ["mandoc", "-T", "lint", "-W", "warning", file.path])
      #expect(lint == "", "\(function)")
    }
  }

  /// The long options that a help lists.
  private static func options(_ help: String) -> Set<String> {
    let lines = help.split(separator: "\n").filter { $0.hasPrefix("  -") }
    let words = lines.flatMap { $0.split { " ,".contains($0) }.prefix(2) }
    return Set(words.filter { $0.hasPrefix("--") }.map(String.init))
  }

  /// As roff has it.
  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("'", with: "\\(aq")
  }

  private static func page(_ name: String, _ section: String, _ source: String) throws -> String {
    let script = Repository.root.appending(path: "scripts/lib/manpage.py").path
    return try run(
      URL(filePath: "/usr/bin/env"),
      ["python3", "-B", script, name, section, "2026-01-01", "0", "a page", source])
  }

  private static func run(_ program: URL, _ arguments: [String]) throws -> String {
    let result = try RunningProgram.run(program, arguments)
    try #require(result.status == 0, "\(result.errors)")
    return result.output
  }
}
