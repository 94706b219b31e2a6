import Foundation
import TestSupport
import Testing

/// The configurations of examples/gestures, each with touches, and what `rehearse` prints of them.
@Suite("examples/gestures")
struct GestureExampleTests {
  private static let folder = Repository.root.appending(path: "examples/gestures")
  private static let names = ["pager", "double-tap", "map", "back", "menu", "control"]

  @Test("there is no other example, and each has its touches")
  func complete() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    let expected = Self.names.flatMap { ["\($0).toml", "\($0).touches"] }
    #expect(
      Set(files.filter { $0.hasSuffix(".toml") || $0.hasSuffix(".touches") }) == Set(expected))
  }

  @Test(
    "an example has no warning, and its touches come to what it says (G5 to G9)",
    arguments: names)
  func rehearsed(_ name: String) throws {
    let check = try Command.run(["check", "--strict", "\(name).toml"], in: Self.folder)
    #expect(check.status == 0 && check.errors == "", "\(check)")
    let script = try String(
      contentsOf: Self.folder.appending(path: "\(name).touches"), encoding: .utf8)
    let lines = script.split(separator: "\n")
    let command = try #require(lines.first?.split(separator: " ").map(String.init))
    #expect(command.prefix(2) == ["#", "touchroute"], "its first line says how it is played")
    let played = try Command.run(Array(command.dropFirst(2)), in: Self.folder)
    #expect(played.status == 0 && played.errors == "", "\(played)")
    let expected = lines.filter { $0.hasPrefix("#= ") }.map { String($0.dropFirst(3)) }
    #expect(!expected.isEmpty)
    #expect(played.output.split(separator: "\n").map(String.init) == expected)
  }

  @Test("the shell's command is run for a finger from the edge, over any program (G9, G13)")
  func back() throws {
    let layout = try String(
      contentsOf: Self.folder.appending(path: "back.toml"), encoding: .utf8)
    let house = try House(layout)
    let shell = try house.start(
      shell: "touchroute listen --gestures shell --exec 'echo $TOUCHROUTE_PATH' 2>&1")
    _ = try shell.waitForLines(1)
    let program = try house.listen("program")
    house.finger(.down(4, 240), .move(40, 240), .up)
    #expect(try shell.waitForLines(2)[1] == "screen:panel#back")
    let told = try program.waitForLines(3)[1...]
    #expect(told.last?.hasSuffix("because gesture") == true, "\(told)")
  }
}
