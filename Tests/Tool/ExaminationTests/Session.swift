import DeviceRecordings
import Foundation
import TestSupport
import TouchModel

@testable import Examination

/// Recordings of good panels, as they lie beside the device tests.
enum Recordings {
  static let folder = Repository.root.appending(path: "Tests/Whole/DeviceTests/Recordings")

  /// A recording; nil where it has no contact.
  static func read(_ name: String) throws -> ExaminedRecording? {
    var reader = DeviceFileReader()
    let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    for line in text.split(separator: "\n") { try reader.read(String(line)) }
    return try? ExaminedRecording(reader)
  }

  /// All files.
  static var names: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
        $0.hasSuffix(".events")
      }.sorted()
    }
  }
}

/// A session at a good panel: the contacts of recordings in any order with pauses between them, and
/// what a fault makes of it.
struct Session {
  /// One contact.
  struct Contact {
    var points: [(time: UInt64, point: Point)]
    var end: UInt64

    mutating func shift(by time: UInt64) {
      for index in points.indices { points[index].time += time }
      end += time
    }
  }

  static let region = Rect(x: 0, y: 0, width: 800, height: 480)
  private static let device = DeviceID(1)
  private(set) var contacts: [Contact] = []
  private(set) var end: UInt64 = 5_000_000
  private var random: SeededGenerator

  /// A session of about as many recordings.
  init(seed: UInt64, recordings count: Int = 40) throws {
    random = SeededGenerator(seed: seed)
    let names = [
      "Atmel maXTouch Touchscreen.1-finger-drag-up-down.events",
      "Atmel maXTouch Touchscreen.1-finger-fast-taps.events",
      "Atmel maXTouch Touchscreen.2-fingers-touch-release.events",
      "EP0430M09.1-finger-drag-up-down.events", "EP0430M09.2-fingers-touch-release.events",
    ]
    let recordings = try names.compactMap { try Recordings.read($0) }
    for _ in 0..<count { play(random.pick(recordings)) }
    for _ in 0..<20 { sweep() }
    for _ in 0..<6 { rest() }
  }

  /// A recording, a little elsewhere.
  private mutating func play(_ recording: ExaminedRecording) {
    let offset = Point(
      x: .random(in: -30...30, using: &random), y: .random(in: -30...30, using: &random))
    var live: [Int32: Contact] = [:]
    let start = end
    for event in recording.events(in: Self.region) {
      switch event {
      case .down(_, let slot, _, let point, let time):
        live[slot] = Contact(
          points: [(start + time.microseconds, point.moved(by: offset))], end: 0)
      case .motion(_, let slot, let point, let time):
        live[slot]?.points.append((start + time.microseconds, point.moved(by: offset)))
      case .up(_, let slot, let time):
        guard var contact = live.removeValue(forKey: slot) else { continue }
        contact.end = start + time.microseconds
        add(contact)
      default: break
      }
    }
    end += UInt64(200_000 + random.below(1_500_000))
  }

  private mutating func add(_ contact: Contact) {
    contacts.append(contact)
    end = max(end, contact.end)
  }

  /// A finger that goes across the screen from the left to the right, or back, in a second.
  private mutating func sweep() {
    let y = Double.random(in: 40...440, using: &random)
    let isBack = random.oneIn(2)
    add(
      path(every: 10_000, count: 100) { share in
        Point(x: 20 + 760 * (isBack ? 1 - share : share), y: y + 20 * share)
      })
    end += UInt64(300_000 + random.below(500_000))
  }

  /// A finger that rests, as steady as a good panel says it.
  private mutating func rest() {
    let place = Point(
      x: .random(in: 100...700, using: &random), y: .random(in: 60...420, using: &random))
    var drift = Point.zero
    var copy = random
    add(
      path(every: 10_000, count: 120) { _ in
        drift.x += .random(in: -0.1...0.1, using: &copy)
        drift.y += .random(in: -0.1...0.1, using: &copy)
        return place.moved(by: drift)
      })
    random = copy
    end += 400_000
  }

  private func path(
    every microseconds: UInt64, count: Int, _ point: (Double) -> Point
  ) -> Contact {
    let points = (0..<count).map { index in
      (time: end + UInt64(index) * microseconds, point: point(Double(index) / Double(count - 1)))
    }
    return Contact(points: points, end: end + UInt64(count) * microseconds)
  }

  /// What the device reports.
  var events: [DeviceEvent] {
    var steps: [(time: UInt64, order: Int, event: DeviceEvent)] = []
    func add(_ time: UInt64, _ event: DeviceEvent) { steps.append((time, steps.count, event)) }
    for (slot, contact) in contacts.enumerated() {
      for (number, sample) in contact.points.enumerated() {
        let time = Timestamp(microseconds: sample.time)
        add(
          sample.time,
          number == 0
            ? .down(
              Self.device, slot: Int32(slot), screen: ScreenIndex(0), location: sample.point,
              time: time)
            : .motion(Self.device, slot: Int32(slot), location: sample.point, time: time))
      }
      add(
        contact.end,
        .up(Self.device, slot: Int32(slot), time: Timestamp(microseconds: contact.end)))
    }
    var events: [DeviceEvent] = []
    var open: UInt64?
    for step in steps.sorted(by: { ($0.time, $0.order) < ($1.time, $1.order) }) {
      if let report = open, report != step.time {
        events.append(.frame(Self.device, time: Timestamp(microseconds: report)))
      }
      events.append(step.event)
      open = step.time
    }
    if let open { events.append(.frame(Self.device, time: Timestamp(microseconds: open))) }
    return events
  }

  /// An examination of it.
  var examination: Examination {
    Examination(events, of: RecordedFacts(xUnits: 4096, yUnits: 4096), in: Self.region)
  }

  // MARK: Faults

  /// Makes the panel a bad one; false for what this can't do.
  mutating func spoil(_ fault: Fault) -> Bool {
    switch fault {
    case .bounces: bounce()
    case .ghosts: for _ in 0..<(contacts.count / 3) { addGhost(length: 4_000) }
    case .samePlace: haunt()
    case .aligned: align()
    case .jitter: tremble()
    case .outliers: scatter()
    case .stuck: stick()
    case .edge: for _ in 0..<contacts.count { addGhost(length: 60_000, at: edgePoint()) }
    case .deadColumns: kill()
    case .rate: slow()
    case .farApart, .untouched, .deadRows, .axes, .dropped, .clock: return false
    }
    return true
  }

  private mutating func randomPoint() -> Point {
    Point(x: .random(in: 20..<780, using: &random), y: .random(in: 20..<460, using: &random))
  }

  private mutating func edgePoint() -> Point {
    Point(x: .random(in: 0..<3, using: &random), y: .random(in: 20..<460, using: &random))
  }

  private mutating func addGhost(length: UInt64, at place: Point? = nil) {
    let start = 5_000_000 + UInt64(random.below(Int(end - 5_000_000)))
    let point = place ?? randomPoint()
    contacts.append(Contact(points: [(start, point)], end: start + length))
  }

  /// Every third contact is lifted for 3 to 20 ms.
  private mutating func bounce() {
    for index in contacts.indices where index % 3 == 0 {
      let contact = contacts[index]
      guard let first = contact.points.first, contact.end > first.time + 60_000 else { continue }
      let cut = first.time + 20_000 + UInt64(random.below(Int(contact.end - first.time) - 50_000))
      let land = cut + UInt64(3_000 + random.below(17_000))
      let before = contact.points.filter { $0.time < cut }
      var after = contact.points.filter { $0.time > land }
      after.insert((land, before.last?.point ?? first.point), at: 0)
      contacts[index] = Contact(points: before, end: cut)
      contacts.append(Contact(points: after, end: max(contact.end, land + 1_000)))
    }
  }

  /// A drop of water: contacts at one place, one after the other.
  private mutating func haunt() {
    let place = randomPoint()
    for number in 0..<40 {
      let start = end + UInt64(number) * 500_000
      let point = place.moved(by: Point(x: .random(in: -0.5...0.5, using: &random), y: 0))
      contacts.append(Contact(points: [(start, point)], end: start + 120_000))
    }
  }

  /// Beside every third contact another one lands in its column.
  private mutating func align() {
    for index in contacts.indices where index % 3 == 0 {
      guard let first = contacts[index].points.first else { continue }
      let point = Point(x: first.point.x + 1, y: .random(in: 0..<480, using: &random))
      contacts.append(Contact(points: [(first.time + 8_000, point)], end: first.time + 50_000))
    }
  }

  private mutating func tremble() {
    for index in contacts.indices {
      for number in contacts[index].points.indices {
        // The sum of a few is nearly normal.
        var offset = Point.zero
        for _ in 0..<4 {
          offset.x += .random(in: -1.5...1.5, using: &random)
          offset.y += .random(in: -1.5...1.5, using: &random)
        }
        contacts[index].points[number].point = contacts[index].points[number].point
          .moved(by: offset)
      }
    }
  }

  /// Every hundredth point is anywhere.
  private mutating func scatter() {
    for index in contacts.indices {
      for number in contacts[index].points.indices.dropFirst().dropLast()
      where random.oneIn(100) {
        let point = contacts[index].points[number].point
        contacts[index].points[number].point = Point(
          x: point.x < 400 ? 790 : 10, y: 480 - point.y)
      }
    }
  }

  /// One contact never lifts until the device is told to.
  private mutating func stick() {
    let place = randomPoint()
    contacts.append(
      Contact(points: [(end, place), (end + 90_000_000, place)], end: end + 90_100_000))
    end += 91_000_000
  }

  /// A column of 24 points reports nothing: fingers are lost in it.
  private mutating func kill() {
    var left: [Contact] = []
    for contact in contacts {
      var part = Contact(points: [], end: contact.end)
      for sample in contact.points {
        if (388..<412).contains(sample.point.x) {
          if !part.points.isEmpty {
            part.end = sample.time
            left.append(part)
          }
          part = Contact(points: [], end: contact.end)
        } else {
          part.points.append(sample)
        }
      }
      if !part.points.isEmpty { left.append(part) }
    }
    contacts = left
  }

  /// In the second half every second report is missing.
  private mutating func slow() {
    let half = (end + 5_000_000) / 2
    for index in contacts.indices where contacts[index].points[0].time > half {
      let points = contacts[index].points
      contacts[index].points = points.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
    }
  }
}

extension Point {
  fileprivate func moved(by other: Point) -> Point { Point(x: x + other.x, y: y + other.y) }
}
