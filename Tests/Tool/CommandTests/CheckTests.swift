import Foundation
import TestSupport
import Testing

@Suite("touchroute check")
struct CheckTests {
  @Test("A valid configuration is summed up in a line, and --quiet says nothing")
  func valid() throws {
    let directory = try TemporaryDirectory()
    try directory.write("panel.toml", panel)
    try directory.write("more.toml", "[[window]]\nname = \"map\"\n")
    #expect(
      try Command.run(["check", "panel.toml", "more.toml"], in: directory.url)
        == .init(
          status: 0,
          output: "valid: 2 files, 2 screens, 3 windows, 6 views, 0 gestures, 0 device rules, "
            + "0 access rules\n",
          errors: ""))
    #expect(
      try Command.run(["check", "--quiet", "panel.toml"], in: directory.url)
        == .init(status: 0, output: "", errors: ""))
  }

  @Test("--config names the main file, and conf.d beside it is read, as elsewhere")
  func main() throws {
    let directory = try TemporaryDirectory()
    try directory.write("panel.toml", panel)
    try directory.write("conf.d/more.toml", "[[window]]\nname = \"map\"\n")
    #expect(
      try Command.run(["check", "--config", "panel.toml"], in: directory.url)
        == .init(
          status: 0,
          output: "valid: 2 files, 2 screens, 3 windows, 6 views, 0 gestures, 0 device rules, "
            + "0 access rules\n",
          errors: ""))
  }

  @Test("A named file's conf.d is not read, which it says unless its files are named too")
  func unread() throws {
    let directory = try TemporaryDirectory()
    try directory.write("panel.toml", panel)
    try directory.write("conf.d/a.toml", "[[window]]\nname = \"map\"\n")
    func errors(_ arguments: String...) throws -> String {
      try Command.run(["check"] + arguments, in: directory.url).errors
    }
    let start = "touchroute: touchrouted would also read conf.d/a.toml"
    let note = " with panel.toml; check --config panel.toml reads all of them\n"
    #expect(try errors("panel.toml") == start + note)
    #expect(try errors("panel.toml", "--quiet") == "")
    #expect(try errors("panel.toml", "./conf.d/a.toml") == "")
    #expect(try errors("--config", "panel.toml") == "")
    try directory.write("conf.d/b.toml", "[[window]]\nname = \"bar\"\n")
    #expect(try errors("panel.toml") == "\(start) and 1 other file\(note)")
    try directory.write("panel.toml", "[screen.a]\nsize = 3\n")
    let wrong = try errors("panel.toml")
    #expect(wrong.hasPrefix("panel.toml:2:8: ") && wrong.hasSuffix(note), "\(wrong)")
  }

  @Test("--show prints the merged configuration, with where each value came from")
  func show() throws {
    let directory = try TemporaryDirectory()
    try directory.write("panel.toml", "[screen.panel]\nsize = [800, 480]\n")
    try directory.write("conf.d/more.toml", "# A map.\n[[window]]\nname = \"map\"\n")
    #expect(
      try Command.run(["check", "--config", "panel.toml", "--show"], in: directory.url)
        == .init(
          status: 0,
          output: """
            [screen.panel]                          # panel.toml:1
            size = [800, 480]                       # panel.toml:2

            [[window]]                              # conf.d/more.toml:2
            name = "map"                            # conf.d/more.toml:3

            """,
          errors: ""))
    let wrong = try Command.run(["check", "--show", "conf.d/more.toml"], in: directory.url)
    #expect(wrong.status == 1 && wrong.output == "")
    #expect(wrong.errors.hasPrefix("conf.d/more.toml: there is no screen"))
    #expect(try Command.run(["check", "--show", "--quiet"], in: directory.url).status == 64)
  }

  @Test("Every example is accepted without a word on standard error")
  func examples() throws {
    let directory = Repository.root.appending(path: "config/examples")
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    #expect(names.count > 10)
    for name in names {
      let result = try Command.run(["check", name], in: directory)
      #expect(result.output.hasPrefix("valid: 1 file, "), "\(name)")
      #expect(result.status == 0 && result.errors == "", "\(name): \(result.errors)")
    }
  }

  @Test("Warnings go to standard error, and fail with --strict alone")
  func warnings() throws {
    let directory = try TemporaryDirectory()
    try directory.write("panel.toml", "[screen.panel]\nsize = [800, 480]\n")
    let warning =
      "panel.toml: warning: there is no window, so no program gets a touch: add "
      + "[[window]]\n"
    let summary =
      "valid: 1 file, 1 screen, 0 windows, 0 views, 0 gestures, 0 device rules, 0 access rules\n"
    for (arguments, status, output) in [
      ([], Int32(0), summary), (["--strict"], 1, summary), (["--quiet"], 0, ""),
    ] {
      let result = try Command.run(["check", "panel.toml"] + arguments, in: directory.url)
      #expect(result == .init(status: status, output: output, errors: warning), "\(arguments)")
    }
    try directory.write("home.toml", "[[window]]\nname = \"home\"\n")
    let good = try Command.run(["check", "--strict", "panel.toml", "home.toml"], in: directory.url)
    #expect(good.status == 0 && good.errors == "")
  }

  @Test("--json gives counts, problems and warnings in one line")
  func json() throws {
    let directory = try TemporaryDirectory()
    try directory.write("panel.toml", "[screen.panel]\nsize = [800, 480]\n")
    let valid = try Command.run(["check", "--json", "panel.toml"], in: directory.url)
    #expect(
      valid
        == .init(
          status: 0,
          output:
            #"{"counts":{"access_rules":0,"device_rules":0,"files":1,"gestures":0,"screens":1,"#
            + #""views":0,"windows":0},"has_more":false,"problems":[{"file":"panel.toml","#
            + #""message":"there is no window, so no program gets a touch: add [[window]]","#
            + #""severity":"warning"}],"#
            + #""valid":true}"# + "\n",
          errors: ""))
    #expect(
      try Command.run(["check", "--json", "--strict", "panel.toml"], in: directory.url)
        == .init(status: 1, output: valid.output, errors: ""))
    try directory.write("bad.toml", "[[window]]\nname = 3\n")
    #expect(
      try Command.run(["check", "--json", "panel.toml", "bad.toml"], in: directory.url)
        == .init(
          status: 1,
          output: #"{"has_more":false,"problems":[{"column":8,"file":"bad.toml","line":2,"#
            + #""message":"window: name must be a string, found 3","severity":"error"}],"#
            + #""valid":false}"# + "\n",
          errors: ""))
    #expect(try Command.run(["check", "--json", "--show"], in: directory.url).status == 64)
  }

  @Test(
    "Where there is no configuration yet, it names the example that is installed",
    .enabled(if: !FileManager.default.fileExists(atPath: "/etc/touchroute/touchroute.toml")))
  func example() throws {
    let directory = try TemporaryDirectory()
    let program = directory.url.appending(path: "bin/touchroute")
    try FileManager.default.createDirectory(
      at: program.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: Command.tool, to: program)
    let start =
      "/etc/touchroute/touchroute.toml: there is no such file: write one, or name another with "
      + "--config; "
    func firstLine() throws -> String {
      let errors = try RunningProgram.run(program, ["check"]).errors
      return String(errors.split(separator: "\n").first ?? "")
    }
    #expect(try firstLine() == "\(start)touchroute.toml(5) has every key")
    try directory.write("share/touchroute/touchroute.toml", panel)
    let example = directory.url.appending(path: "share/touchroute/touchroute.toml").path
    #expect(try firstLine() == "\(start)\(example) has every key in comments")
  }

  @Test("Every problem of every file goes to standard error, as compilers write them")
  func problems() throws {
    let directory = try TemporaryDirectory()
    try directory.write("panel.toml", panel + "[[window]]\nname = \"home\"\nlevel = \"top\"\n")
    #expect(
      try Command.run(["check", "panel.toml", "gone.toml"], in: directory.url)
        == .init(
          status: 1, output: "",
          errors: """
            panel.toml:28:8: window "home": there is a window of that name already, at panel.toml:7:8
            panel.toml:29:9: window "home": level must be an integer from -1000000 to 1000000, found "top"
            gone.toml: there is no such file

            """))
  }

  @Test("What is UTF-16, or has a NUL byte, is called that")
  func noText() throws {
    let directory = try TemporaryDirectory()
    let good = "[screen.panel]\nsize = [800, 480]\n"
    for (encoding, mark) in [
      (String.Encoding.utf16LittleEndian, [0xff, 0xfe]), (.utf16BigEndian, [0xfe, 0xff]),
      (.utf16LittleEndian, []), (.utf16BigEndian, []),
    ] as [(String.Encoding, [UInt8])] {
      let bytes = Data(mark) + (try #require(good.data(using: encoding)))
      try bytes.write(to: directory.url.appending(path: "wide.toml"))
      let result = try Command.run(["check", "wide.toml"], in: directory.url)
      #expect(
        result
          == .init(
            status: 1, output: "",
            errors: "wide.toml:1:1: this is UTF-16, and must be UTF-8: save it as that, or convert "
              + "it with iconv -f UTF-16 -t UTF-8\n"))
    }
    try directory.write("nul.toml", "[screen.panel]\nsize\0 = [800, 480]\n")
    let result = try Command.run(["check", "nul.toml"], in: directory.url)
    #expect(
      result.errors
        == "nul.toml:2:5: there is a NUL byte here, which no text has: is the file damaged?\n")
  }
}
