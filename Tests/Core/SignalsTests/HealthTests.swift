import TestSupport
import Testing
import TouchModel

@testable import Signals

/// A touchscreen whose health is watched, with a clock of its own.
private struct Patient {
  static let device = DeviceID(1)
  private(set) var watch = HealthWatch()
  private(set) var changes: [HealthChange] = []
  /// Now, in microseconds.
  private(set) var now: UInt64 = 1_000_000
  private var reports: [Timestamp] = []

  init(_ change: (inout HealthSettings) -> Void = { _ in }) {
    var settings = HealthSettings()
    change(&settings)
    watch.came(Self.device, "0416:038f Goodix", settings)
  }

  private var time: Timestamp { Timestamp(microseconds: now) }

  /// What has changed, with the second.
  var words: [String] {
    changes.map { "\($0.time.microseconds / 1_000_000) \($0.isOver ? "-" : "+")\($0.finding)" }
  }

  mutating func look() {
    let latest = reports.last ?? Timestamp(microseconds: 0)
    changes += watch.look(at: time) { _ in latest }
  }

  /// Lets time go on, with looks where something is due.
  mutating func wait(until end: UInt64) {
    while let due = watch.nextDeadline, due.microseconds <= end {
      now = max(now, due.microseconds)
      look()
    }
    now = end
  }

  mutating func land(_ slot: Int32 = 0) {
    reports.append(time)
    watch.landed(Self.device, slot, at: time)
    look()
  }

  mutating func lift(_ slot: Int32 = 0) {
    reports.append(time)
    watch.lifted(Self.device, slot, at: time, reports: reports.suffix(64))
    look()
  }

  mutating func report() { reports.append(time) }

  /// A finger that moves for a time, reported so often.
  mutating func stroke(seconds: Double, every microseconds: UInt64) {
    land()
    let end = now + UInt64(seconds * 1_000_000)
    while now < end {
      wait(until: now + microseconds)
      report()
    }
    lift()
    wait(until: now + 500_000)
  }

  mutating func unplug(andBackAfter seconds: UInt64) {
    watch.went(Self.device, isLoss: true, at: time)
    look()
    wait(until: now + seconds * 1_000_000)
    watch.came(Self.device, "0416:038f Goodix", HealthSettings())
    look()
  }

  /// A tap on a button.
  mutating func tap(_ target: Int32, off offset: Point) {
    watch.landed(Self.device, 0, TapOffset(target: target, offset: offset), at: time)
    wait(until: now + 100_000)
    lift()
  }

  mutating func drop() {
    watch.dropped(Self.device, at: time)
    look()
  }

  mutating func find(ghosts: UInt64) {
    watch.found(ghosts: ghosts, of: Self.device, at: time)
    look()
  }
}

@Suite("The health of a touchscreen (N10)")
struct HealthTests {
  @Test("a touchscreen that reports nothing while a finger is down is named once, in time (N10)")
  func silent() {
    var patient = Patient { $0.heldMilliseconds = 90_000 }
    patient.land()
    patient.wait(until: 20_000_000)
    patient.report()
    patient.wait(until: 79_999_999)
    #expect(patient.words == [])
    patient.wait(until: 200_000_000)
    #expect(patient.words == ["80 +silent"])
    #expect(
      patient.changes.first?.sentence.hasPrefix("has reported nothing for 60 s") == true)
    #expect(patient.watch.faults(of: Patient.device).map(\.since.microseconds) == [20_000_000])
    patient.lift()
    #expect(patient.words == ["80 +silent", "200 -silent"])
    #expect(patient.watch.nextDeadline == nil && patient.watch.faults(of: Patient.device).isEmpty)
  }

  @Test("a contact that stays down though the touchscreen reports is named (N10)")
  func held() {
    var patient = Patient()
    patient.land(3)
    for second in 2...400 {
      patient.wait(until: UInt64(second) * 1_000_000)
      patient.report()
    }
    #expect(patient.words == ["301 +held"])
    patient.lift(3)
    #expect(patient.words == ["301 +held", "400 -held"])
  }

  @Test("a rate that halves is named once eight touches have it, and no other change of it (N10)")
  func slowed() {
    var patient = Patient()
    for _ in 0..<20 { patient.stroke(seconds: 0.5, every: 10_000) }
    for _ in 0..<20 { patient.stroke(seconds: 0.5, every: 14_000) }
    #expect(patient.words == [])
    for _ in 0..<7 { patient.stroke(seconds: 0.8, every: 20_000) }
    #expect(patient.words == [])
    patient.stroke(seconds: 0.8, every: 20_000)
    #expect(patient.words.map { $0.split(separator: " ")[1] } == ["+slowed"])
    #expect(
      patient.changes[0].sentence == "reports 50 times a second, down from 100")
    patient.stroke(seconds: 0.5, every: 10_000)
    #expect(patient.words.map { $0.split(separator: " ")[1] } == ["+slowed", "-slowed"])
  }

  @Test("ghosts, lost events and comings and goings count within their time (N10)")
  func counts() {
    var patient = Patient {
      $0.ghostsPerMinute = 3
      $0.dropsPerMinute = 2
    }
    patient.find(ghosts: 2)
    patient.wait(until: 62_000_000)
    patient.find(ghosts: 3)
    patient.find(ghosts: 4)
    #expect(patient.words == [])
    patient.find(ghosts: 5)
    patient.drop()
    patient.drop()
    #expect(patient.words == ["62 +haunted", "62 +overrun"])
    patient.wait(until: 130_000_000)
    #expect(patient.words.dropFirst(2) == ["122 -haunted", "122 -overrun"])
    #expect(patient.watch.nextDeadline == nil)
    for _ in 0..<4 { patient.unplug(andBackAfter: 60) }
    #expect(patient.words.count == 4)
    patient.unplug(andBackAfter: 60)
    #expect(patient.words.last == "430 +unsteady")
    patient.wait(until: 4_000_000_000)
    #expect(patient.words.last == "3730 -unsteady")
  }

  @Test("a fault goes with its touchscreen, and unsteadiness is said once of the same one (N10)")
  func gone() {
    var patient = Patient()
    patient.land()
    patient.wait(until: 100_000_000)
    patient.unplug(andBackAfter: 60)
    #expect(patient.words == ["61 +silent", "100 -silent"])
    #expect(patient.changes.last?.sentence == "is gone, and its fault with it")
    for _ in 0..<6 { patient.unplug(andBackAfter: 60) }
    let news = patient.changes.filter(\.isNews).dropFirst(2)
    #expect(
      news.map(\.finding) == [.unsteady] && patient.watch.faults(of: Patient.device).count == 1)
    #expect(patient.changes.dropFirst(2).map(\.isOver) == [false, true, false, true, false])
    patient.wait(until: 5_000_000_000)
    #expect(patient.changes.last?.isOver == true && patient.changes.last?.isNews == true)
  }

  @Test("taps that lie off the middle of what they hit are named, and once they no longer do (N10)")
  func drifted() {
    var patient = Patient { $0.driftPoints = 12 }
    for number in 0..<120 { patient.tap(Int32(number % 5), off: Point(x: -3, y: 11.5)) }
    #expect(patient.words == [])
    for number in 0..<120 { patient.tap(Int32(number % 5), off: Point(x: -3, y: 12.2)) }
    #expect(patient.words.map { $0.split(separator: " ")[1] } == ["+drifted"])
    #expect(
      patient.changes[0].sentence
        == "has taps that lie 3 points to the left and 12 points below the middle of what they "
        + "hit: calibrate it")
    for number in 0..<120 { patient.tap(Int32(number % 5), off: .zero) }
    #expect(patient.words.map { $0.split(separator: " ")[1] } == ["+drifted", "-drifted"])
  }

  @Test("taps as far off as numbers go are named too (N10)")
  func driftedFar() {
    for far in [1e20, Double.greatestFiniteMagnitude / 1e3, .infinity] {
      var patient = Patient { $0.driftPoints = 12 }
      for number in 0..<120 { patient.tap(Int32(number % 5), off: Point(x: far, y: 1)) }
      #expect(patient.changes.count == 1 || !far.isFinite, "\(far)")
    }
  }

  @Test("a threshold of 0 never warns (N10)")
  func off() {
    var patient = Patient {
      $0 = HealthSettings()
      $0.silentMilliseconds = 0
      $0.heldMilliseconds = 0
      $0.ratePercent = 0
      $0.ghostsPerMinute = 0
      $0.dropsPerMinute = 0
      $0.lossesPerHour = 0
      $0.driftPoints = 0
    }
    for number in 0..<150 { patient.tap(Int32(number % 5), off: Point(x: 30, y: 30)) }
    for _ in 0..<10 { patient.stroke(seconds: 0.5, every: 10_000) }
    for _ in 0..<10 { patient.stroke(seconds: 1, every: 30_000) }
    patient.find(ghosts: 900)
    for _ in 0..<50 { patient.drop() }
    patient.land()
    #expect(patient.watch.nextDeadline == nil)
    patient.wait(until: 4_000_000_000)
    patient.look()
    #expect(patient.words == [])
  }

  @Test("no recording raises an alarm, played once or a hundred times (N10)")
  func recordings() throws {
    for name in Recording.names {
      let recording = try Recording(name)
      var patient = Patient()
      for _ in 0..<100 {
        let start = patient.now
        var live: Set<Int32> = []
        for report in recording.reports {
          guard let time = report.first?.time else { continue }
          patient.wait(until: start + time.microseconds)
          patient.report()
          for sample in report {
            if !sample.isDown {
              live.remove(sample.slot)
              patient.lift(sample.slot)
            } else if live.insert(sample.slot).inserted {
              patient.land(sample.slot)
            }
          }
        }
        patient.wait(until: patient.now + 700_000)
      }
      #expect(patient.words == [], "\(name)")
    }
  }

  @Test("no alarm in 30 days of taps, strokes, rests and two unplugged cables a day (N10)")
  func days() {
    let seed = Seeds.fresh()
    var random = SeededGenerator(seed: seed)
    var patient = Patient()
    for _ in 0..<30 {
      for _ in 0..<40 {
        switch random.below(10) {
        case 0..<6: patient.stroke(seconds: .random(in: 0.03...0.2, using: &random), every: 10_000)
        case 6..<9:
          // A host that is busy, or a slow finger: some reports come late, or not at all.
          patient.stroke(
            seconds: .random(in: 0.2...2, using: &random),
            every: random.oneIn(4) ? 12_500 : 10_000)
        default:
          // A finger that rests: up to half a minute without a report.
          patient.land()
          patient.wait(until: patient.now + UInt64(random.below(30_000_000)))
          patient.lift()
        }
        patient.wait(until: patient.now + UInt64(random.below(4_300_000_000)))
      }
      for _ in 0..<2 { patient.unplug(andBackAfter: UInt64(1 + random.below(600))) }
    }
    #expect(patient.now > 25 * 86_400 * 1_000_000)
    #expect(patient.words == [], "seed \(seed)")
  }
}
