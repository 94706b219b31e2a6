import Configuration
import Foundation
import Routing
import TestSupport
import Testing
import TouchModel

@Suite("The examples of docs/configuration.md")
struct DocumentedExampleTests {
  /// An example and the lines below it: `X, Y: PATH`, or for fingers that are held together
  /// `X, Y + X, Y: PATH, PATH`.
  struct Example: Sendable, CustomTestStringConvertible {
    var first: String
    var text: String
    var answers: [String]

    var testDescription: String { answers.joined(separator: "; ") }
  }

  static func examples() throws -> [Example] {
    let text = try String(
      contentsOf: Repository.root.appending(path: "docs/configuration.md"), encoding: .utf8)
    let blocks = text.components(separatedBy: "```toml\n").dropFirst().map {
      $0.components(separatedBy: "```")
    }
    let first = try #require(blocks.first?.first)
    return blocks.enumerated().compactMap { index, parts in
      guard parts.count > 2, parts[1] == "\n\n", parts[2].hasPrefix("text\n") else { return nil }
      return Example(
        first: first, text: index == 0 ? "" : parts[0],
        answers: parts[2].split(separator: "\n").dropFirst().map(String.init))
    }
  }

  @Test("a touch hits the view that the line says (section 2, T13)", arguments: try examples())
  func answers(_ example: Example) throws {
    let configuration = try Configuration.parse([
      ("first", example.first), ("example", example.text),
    ])
    let layout = ExampleLayout(configuration)
    var fingers = Fingers(configuration)
    try fingers.attachToWindows()
    for answer in example.answers {
      let halves = answer.components(separatedBy: ": ")
      let targets = try #require(halves.last).components(separatedBy: ", ")
      let points = try halves[0].components(separatedBy: " + ").map { text in
        let numbers = text.components(separatedBy: ", ").compactMap(Double.init)
        try #require(numbers.count == 2, "\(answer)")
        return Point(x: numbers[0], y: numbers[1])
      }
      #expect(fingers.targets(points) == targets, "\(answer)")
      if points.count == 1 {
        #expect(try layout.target(points[0].x, points[0].y) == targets[0], "\(answer)")
      }
    }
  }

  @Test("each hit-testing property, and each word that it takes, has an example with answers")
  func complete() throws {
    let lines = Set(
      try Self.examples().flatMap { example in
        (example.text.isEmpty ? example.first : example.text).split(separator: "\n").map(
          String.init)
      })
    let settings = [
      "level", "frame", "bounds_origin", "transform = { rotate", "transform = { matrix", "hidden",
      "alpha", "interaction", "outset = [", "outset = 1", "shape = \"ellipse\"", "shape = { radius",
      "shape = { polygon", "inside = \"always\"", "inside = \"never\"", "inside = \"children\"",
      "inside = { children", "hit = \"self\"", "hit = \"none\"", "hit = \"pass_through\"",
      "hit = { redirect", "hit = { first", "multiple_touch = false", "exclusive_touch = true",
    ]
    for setting in settings {
      #expect(lines.contains { $0.hasPrefix(setting) }, "\(setting)")
    }
  }

  @Test("the example of [touch] counts slower and wider taps than the defaults do (T10)")
  func taps() throws {
    let text = try String(
      contentsOf: Repository.root.appending(path: "docs/configuration.md"), encoding: .utf8)
    let blocks = text.components(separatedBy: "```toml\n").map {
      $0.components(separatedBy: "```")[0]
    }
    let touch = try #require(blocks.first { $0.hasPrefix("[touch]\n") })
    for (texts, second) in [([blocks[1]], 1), ([blocks[1], touch], 2)] {
      var fingers = Fingers(try Configuration.parse(texts.map { ("t.toml", $0) }))
      try fingers.attachToWindows()
      var counts: [UInt16] = []
      for x in [200.0, 255] {
        counts += fingers.down(0, x, 200).map(\.tapCount)
        fingers.up(0)
        fingers.wait(milliseconds: 400)
      }
      #expect(counts == [1, UInt16(second)])
    }
  }
}
