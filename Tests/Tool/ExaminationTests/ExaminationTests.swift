import TestSupport
import Testing
import TouchModel

@testable import Examination

@Suite("Examinations of touchscreens")
struct ExaminationTests {
  /// Ten faults.
  private static let seeded: [Fault] = [
    .bounces, .ghosts, .samePlace, .aligned, .jitter, .outliers, .stuck, .edge, .deadColumns, .rate,
  ]

  @Test("of ten seeded faults nine are named, and none is left with the settings proposed (N1)")
  func faults() throws {
    for _ in 0..<2 {
      let seed = Seeds.fresh()
      var missed: [Fault] = []
      for fault in Self.seeded {
        var session = try Session(seed: seed)
        let isSpoilt = session.spoil(fault)
        #expect(isSpoilt)
        let examination = session.examination
        if !examination.faults.contains(fault) { missed.append(fault) }
        #expect(examination.remaining == [], "\(fault), seed \(seed)")
        let isMended = ![.deadColumns, .rate].contains(fault)
        if examination.faults.contains(fault) {
          #expect(isMended != examination.settings.isOff, "\(fault), seed \(seed)")
        }
      }
      print("faults: missed \(missed), seed \(seed)")
      #expect(missed.count <= 1, "missed \(missed), seed \(seed)")
    }
  }

  @Test("in a session at a good panel nothing is found, and nothing proposed (N1)")
  func good() throws {
    for _ in 0..<6 {
      let seed = Seeds.fresh()
      let examination = try Session(seed: seed).examination
      #expect(examination.faults == [], "seed \(seed)")
      #expect(examination.settings.isOff && examination.remaining == [], "seed \(seed)")
    }
  }

  @Test("no recording of a good panel has a fault (N1)")
  func recordings() throws {
    var count = 0
    for name in try Recordings.names {
      guard let recording = try Recordings.read(name) else { continue }
      count += 1
      for size in [Size(width: 800, height: 480), Size(width: 1920, height: 1080)] {
        let region = Rect(x: 0, y: 0, width: size.width, height: size.height)
        let examination = Examination(recording, in: region)
        let found = examination.verdicts.filter { $0.level == .bad }.map(\.sentence)
        #expect(found == [], "\(name) on \(size)")
        #expect(examination.settings.isOff)
      }
    }
    #expect(count >= 8)
  }

  @Test("axes that are swapped are named where the touchscreen says how large it is")
  func axes() throws {
    var facts = RecordedFacts(xUnits: 4096, yUnits: 4096)
    func verdict(_ width: Double?, _ height: Double?) throws -> Verdict {
      (facts.width, facts.height) = (width, height)
      let events = try Session(seed: 1, recordings: 1).events
      let examination = Examination(events, of: facts, in: Session.region)
      return try #require(examination.verdicts.first { $0.fault == .axes })
    }
    #expect(try verdict(155, 93).level == .good)
    let swapped = try verdict(93, 155)
    #expect(swapped.level == .bad)
    #expect(
      swapped.sentence == "the touchscreen is 93 by 155 mm, and covers 800 by 480 points: its axes "
        + "may be swapped, or the screen is rotated")
    #expect(try verdict(100, 99).level == .unknown)
    #expect(try verdict(nil, nil).level == .unknown)
  }
}
