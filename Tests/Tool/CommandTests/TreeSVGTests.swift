import DaemonSupport
import Foundation
import TestSupport
import Testing

@Suite("touchroute tree --svg")
struct TreeSVGTests {
  @Test("The layout of a configuration is drawn: one screen, with a point marked (H2)")
  func drawing() throws {
    let directory = try TemporaryDirectory()
    try directory.write("panel.toml", panel)
    let result = try Command.run(
      ["tree", "--config", "panel.toml", "--svg", "--screen", "door", "--point", "1", "1"],
      in: directory.url)
    #expect(result.status == 0)
    #expect(result.errors.isEmpty)
    #expect(result.output.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg "))
    #expect(result.output.contains("class=\"target\" data-path=\"bell\""))
    #expect(!result.output.contains("data-screen=\"panel\""))
  }

  @Test("README's picture is what it draws of the head unit")
  func picture() throws {
    let fingers = ["1040 300", "640 650", "776 400"]
    let picture = Repository.root.appending(path: "docs/head-unit.svg")
    let result = try Command.run(
      ["tree", "--config", "config/examples/head-unit.toml", "--svg"]
        + fingers.flatMap { ["--point"] + $0.split(separator: " ").map(String.init) },
      in: Repository.root)
    let isCurrent = try result.output == String(contentsOf: picture, encoding: .utf8)
    #expect(
      isCurrent,
      """
      touchroute tree --config config/examples/head-unit.toml --svg \
      \(fingers.map { "--point \($0)" }.joined(separator: " ")) > docs/head-unit.svg
      """)
  }

  @Test(
    "What can't be given together, and what is missing, is said in a sentence",
    arguments: [
      (["--point", "1", "1"], "--point needs --svg"),
      (["--screen", "door"], "--screen needs --svg"),
      (["--svg", "--point", "1"], "--point needs two finite numbers, X Y"),
      (["--svg", "--point", "1", "1", "2"], "--point needs two finite numbers, X Y"),
      (["--svg", "--point", "1", "nan"], "--point needs two finite numbers, X Y"),
    ])
  func usage(arguments: [String], sentence: String) throws {
    let result = try Command.run(["tree", "-c", "panel.toml"] + arguments)
    #expect(result.status == 64)
    #expect(result.output.isEmpty)
    #expect(result.errors.hasPrefix("touchroute: \(sentence)\n"))
  }

  @Test("With an unknown screen and with too many views it refuses (F5)")
  func refusals() throws {
    let directory = try TemporaryDirectory()
    try directory.write("panel.toml", panel)
    #expect(
      try Command.run(["tree", "-c", "panel.toml", "--svg", "--screen", "x"], in: directory.url)
        == .init(
          status: 1, output: "",
          errors:
            "touchroute: there is no screen \"x\"; the configuration has \"panel\", \"door\"\n"
        ))
    let views = (0..<2000).map { "[[view]]\npath = \"home/v\($0)\"\nframe = [0, 0, 9, 9]\n" }
    try directory.write("big.toml", panel + views.joined())
    #expect(
      try Command.run(["tree", "-c", "big.toml", "--svg"], in: directory.url)
        == .init(
          status: 1, output: "",
          errors: "touchroute: --svg draws at most 2000 views, and there are 2005: name one "
            + "--screen\n"))
  }
}
