import Foundation
import TestSupport
import Testing

@Suite("docs/testing.md")
struct TestingPageTests {
  private let directory: TemporaryDirectory
  private let blocks: [(language: String, lines: [String])]

  init() throws {
    directory = try TemporaryDirectory()
    let page = try String(
      contentsOf: Repository.root.appending(path: "docs/testing.md"), encoding: .utf8)
    var lines = page.components(separatedBy: "\n")[...]
    var blocks: [(language: String, lines: [String])] = []
    while let start = lines.firstIndex(where: { $0.hasPrefix("```") }) {
      let body = lines[(start + 1)...].prefix { $0 != "```" }
      blocks.append((String(lines[start].dropFirst(3)), Array(body)))
      lines = lines[body.endIndex...].dropFirst()
    }
    self.blocks = blocks
    for (language, name) in [("toml", "touchroute.toml"), ("touches", "player.touches")] {
      let block = try #require(blocks.first { $0.language == language })
      try directory.write(name, block.lines.joined(separator: "\n") + "\n")
    }
  }

  /// Runs lines of a shell, in which `touchroute` is the tool.
  private func shell(_ text: String) throws -> RunningProgram.Result {
    let tool = Command.tool.deletingLastPathComponent().path
    return try RunningProgram.run(
      URL(filePath: "/bin/sh"), ["-c", text], in: directory.url,
      environment: ["PATH": "\(tool):/usr/bin:/bin"])
  }

  @Test("every command that is shown prints what is shown")
  func commands() throws {
    var count = 0
    for block in blocks where block.language == "console" {
      // In one shell, so that $? is the status of the command before.
      let commands = block.lines.filter { $0.hasPrefix("$ ") }.map { $0.dropFirst(2) }
      let shown = block.lines.filter { !$0.hasPrefix("$ ") }
      let result = try shell(commands.joined(separator: "\n") + " 2>&1")
      let printed = (result.errors + result.output).split(separator: "\n").map(String.init)
      #expect(printed == shown, "\(commands)")
      count += commands.count
    }
    #expect(count == 7)
  }

  @Test("the lines for continuous integration work, and end it where something is not as expected")
  func integration() throws {
    let script = try #require(blocks.first { $0.language == "sh" }).lines.joined(separator: "\n")
    let good = try shell(script)
    #expect(good.status == 0 && good.output.hasSuffix("ok 1 - player.touches\n"), "\(good)")
    let xml = try String(contentsOfFile: directory.file("result.xml"), encoding: .utf8)
    #expect(xml.contains("tests=\"1\" failures=\"0\" errors=\"0\""))
    try directory.write("z.touches", "tap 9 9\nexpect nobody\n")
    let bad = try shell(script)
    #expect(bad.status == 2 && bad.output.contains("\nnot ok 2 - z.touches\n"), "\(bad)")
  }
}
