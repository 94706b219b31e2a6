import DaemonSupport
import Exchange
import Foundation
import Routing
import TestSupport
import Testing

@Suite("Commands that play fingers")
struct StrokeTests {
  private let house: House
  private let listener: RunningCommand

  init() throws {
    house = try House()
    listener = try house.listen("--json", "home", "bell", lines: 2)
  }

  /// A touch as the program was told of it.
  private struct Told: Decodable, Equatable {
    var phase: String
    var screen_location: [Double]
    var tap_count: Int
    var target: String
  }

  private struct Line: Decodable {
    var touches: [Told]?
    var time_us: UInt64?
  }

  /// Plays a command to its end, and waits for the end of that many touches.
  private func played(_ line: String, _ count: Int) throws -> [[Told]] {
    let command = try house.start(shell: "touchroute \(line)").waitForEnd()
    #expect(command.status == 0 && command.errors == "", "\(command)")
    try house.turn({ listener.output }) {
      listener.poll()
      return frames.flatMap(\.self).count { $0.phase == "ended" } == count
    }
    #expect(house.exchange.pipeline.router.liveTouchCount == 0)
    return frames
  }

  private var frames: [[Told]] {
    listener.lines.compactMap {
      try? JSONDecoder().decode(Line.self, from: Data($0.utf8)).touches
    }
  }

  @Test("tap comes down in the middle of a view, wherever that is drawn (L2)")
  func middle() throws {
    _ = try house.start(
      "set", "home/toolbar", "transform=translate:100:50", "home/toolbar/back",
      "transform=rotate:45"
    ).waitForEnd()
    // At (30, 30) of the toolbar, which is moved.
    let frames = try played("tap home/toolbar/back --screen panel --hold 0", 1)
    #expect(frames.first?.first?.target == "home/toolbar/back")
    #expect(frames.first?.first?.screen_location == [130, 80])
    let none = try house.start("tap", "home/toolbr/back").waitForEnd()
    #expect(none.status == 1)
    #expect(
      none.errors == "touchroute: there are several screens, panel, door: --screen must say which "
        + "one \"home/toolbr/back\" is on\n")
  }

  @Test("a path is looked for on the screen that is named, and a wrong one has its nearest (L5)")
  func path() throws {
    let other = try house.start("press", "--screen", "panel", "home/toolbr").waitForEnd()
    #expect(other.status == 1 && other.output == "")
    #expect(other.errors.contains("the nearest is \"home/toolbar\""), "\(other.errors)")
    let controller = try house.start("tap", "--screen", "panel", "home/toolbar@bar").waitForEnd()
    #expect(
      controller.errors == "touchroute: \"home/toolbar@bar\" is not a view, so it has no middle\n")
  }

  @Test("fingers that tap are side by side, and taps count as one sequence (T10)")
  func taps() throws {
    let frames = try played("tap 300 400 --fingers 2 --count 3 --hold 1", 6)
    let began = frames.filter { $0.contains { $0.phase == "began" } }
    #expect(
      began.map { $0.map(\.screen_location) }
        == Array(repeating: [[270, 400], [330, 400]], count: 3))
    #expect(began.map { $0.map(\.tap_count) } == [[1, 1], [2, 2], [3, 3]])
  }

  @Test("press stays where it came down for as long as it is told, after taps if it is told")
  func press() throws {
    let frames = try played("press 300 400 --hold 120 --taps 1", 2)
    #expect(frames.flatMap(\.self).map(\.phase) == ["began", "ended", "began", "ended"])
    #expect(frames.last?.first?.tap_count == 2)
    let times = listener.lines.compactMap {
      try? JSONDecoder().decode(Line.self, from: Data($0.utf8)).time_us
    }
    #expect(times[3] - times[2] >= 120_000)
  }

  @Test("pinch moves two fingers evenly, from its distance to what the scale makes of it")
  func pinch() throws {
    let frames = try played("pinch 400 300 --scale 0.5 --distance 80 --duration 50", 2)
    #expect(frames.first?.map(\.screen_location) == [[360, 300], [440, 300]])
    let moves = frames.filter { $0.allSatisfy { $0.phase == "moved" } }
    #expect(moves.count == 6)
    #expect(moves.last?.map(\.screen_location) == [[380, 300], [420, 300]])
    for (number, move) in moves.enumerated() {
      let spread = move[1].screen_location[0] - move[0].screen_location[0]
      #expect(abs(spread - (80 - 40 * Double(number + 1) / 6)) < 1e-3)
    }
  }

  @Test("rotate turns two fingers clockwise on a circle, however little time it has")
  func rotate() throws {
    let frames = try played("rotate 400 300 --degrees -180 --distance 80 --duration 0", 2)
    let moves = frames.filter { $0.allSatisfy { $0.phase == "moved" } }
    #expect(moves.count == 12)
    for touch in moves.flatMap(\.self) {
      let (x, y) = (touch.screen_location[0] - 400, touch.screen_location[1] - 300)
      #expect(abs((x * x + y * y).squareRoot() - 40) < 1e-3)
    }
    // A quarter to the left: what was on the right is above.
    let quarter = moves[5][1].screen_location
    #expect(abs(quarter[0] - 400) < 1e-3 && abs(quarter[1] - 260) < 1e-3)
    let end = try #require(moves.last)
    #expect(abs(end[0].screen_location[0] - 440) < 1e-3)
  }

  @Test(
    "two fingers of which one would leave the screen are refused before anything is played (T8)",
    arguments: [
      ("pinch 760 240 --scale 1", "finger 2 would be at (810, 240), outside of screen \"panel\""),
      ("pinch 740 240", "finger 2 would be at (801.11, 240), outside of screen \"panel\""),
      ("rotate 400 30", "finger 1 would be at "),
      ("pinch -60 5 --scale 1", "finger 1 would be at "),
      ("rotate --screen door 760 9", "outside of screen \"door\" of 480 by 800 points"),
    ])
  func departure(_ line: String, _ words: String) throws {
    let result = try house.start(shell: "touchroute \(line)").waitForEnd()
    #expect(result.status == 1 && result.output == "")
    #expect(result.errors.contains(words), "\(result.errors)")
    #expect(house.exchange.injection.deviceCount == 0)
  }
}
