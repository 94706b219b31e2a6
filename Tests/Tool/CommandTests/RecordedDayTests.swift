import Foundation
import TestSupport
import Testing
import TouchModel

@testable import TouchScripts

/// Days of use, small ones, as `scripts/bench record` makes them.
@Suite("Records of days")
struct RecordedDayTests {
  private static let touches = 500

  @Test("a day's record has no difference from its own layout, and each from another one is told")
  func compare() throws {
    let directory = try TemporaryDirectory()
    let seed = Seeds.fresh()
    print("a recorded day: seed \(seed)")
    let made = try RunningProgram.run(
      Repository.program("RecordBench"),
      ["--write", directory.file("."), "\(Self.touches)", "\(seed)"])
    #expect(made.status == 0, "\(made)")
    func compare(_ layout: String) throws -> Command.Result {
      try Command.run(
        ["play", "--dry", "--compare", "--json", "--config", layout, "day.jsonl"],
        in: directory.url)
    }
    let same = try compare("day.toml")
    #expect(same.status == 0 && same.errors == "", "seed \(seed): \(same)")
    let counts = try #require(same.output.split(separator: "\n").first)
    #expect(same.output.split(separator: "\n").count == 1, "seed \(seed): \(same)")
    #expect(counts.contains("\"differing_gestures\":0,\"differing_touches\":0"))
    #expect(counts.contains("\"uncertain_touches\":0"))
    let lines = try Lines(String(contentsOfFile: directory.file("day.jsonl"), encoding: .utf8))
    // Two fingers that come down together may be one more.
    #expect(counts.contains("\"touches\":\(lines.began.count)"), "seed \(seed): \(counts)")
    #expect(lines.began.count >= Self.touches && lines.began.count <= Self.touches + 1)
    for word in ["layout", "gone", "declined", "lifted", "gesture"] {
      #expect(lines.words[word, default: 0] > 0, "seed \(seed) has no line \(word)")
    }

    let other = try compare("other.toml")
    #expect(other.status == 2, "seed \(seed): \(other)")
    #expect(other.output.contains("\"gesture\":\"home/list#scroll\""), "seed \(seed)")
    // The button media/play is 60 points further to the right there.
    let expected = lines.began.filter { touch in
      guard let at = touch.at, (560..<660).contains(at[1]) else { return false }
      return (980..<1040).contains(at[0]) || (1080..<1140).contains(at[0])
    }.map(\.id)
    let told = try other.output.split(separator: "\n").dropLast().compactMap { line -> UInt64? in
      let difference = try JSONDecoder().decode(Difference.self, from: Data(line.utf8))
      return difference.difference == "target" ? difference.touch : nil
    }
    #expect(told.sorted() == expected, "seed \(seed)")
  }

  private struct Difference: Decodable {
    let difference: String
    let touch: UInt64?
  }

  /// What is in a record.
  private struct Lines {
    private(set) var words: [String: Int] = [:]
    private(set) var began: [RecordedTouch] = []

    private struct Kind: Decodable {
      let event: String
    }

    init(_ text: String) throws {
      for line in text.split(separator: "\n").dropFirst() {
        let data = Data(line.utf8)
        let word = try JSONDecoder().decode(Kind.self, from: data).event
        words[word, default: 0] += 1
        guard word == "frame", line.contains("\"began\"") else { continue }
        began += try JSONDecoder().decode(RecordedFrame.self, from: data).touches
          .filter { $0.phase == "began" && $0.flags?.contains("replayed") != true }
      }
    }
  }

  @Test("what has no counterpart in a long record is told before its end, and each once")
  func longRecord() throws {
    let header = RecordHeader(touchroute: "0", started: 1, time_us: 1, screens: [])
    let comparison = RecordComparison(header, tapIntervalMilliseconds: 350)
    var told = 0
    for id in 1...4000 as ClosedRange<UInt64> {
      let time = id * 1_000_000
      for phase in ["began", "ended"] {
        comparison.record(
          .frame(
            RecordedFrame(
              device: 1, screen: 0, sequence: id, time_us: time,
              touches: [RecordedTouch(id: id, phase: phase, at: [1, 1])])))
      }
      var event = RecordedGestureEvent(path: "a#b", state: "recognized", time_us: time)
      event.touch = id
      comparison.record(.gesture(event))
      comparison.played([])
      told += comparison.takeDifferences().count
    }
    #expect(told > 4000)
    comparison.finish()
    #expect(told + comparison.takeDifferences().count == 8000)
    #expect(comparison.counts.differing_touches == 4000)
    #expect(comparison.counts.differing_gestures == 4000)
  }
}
