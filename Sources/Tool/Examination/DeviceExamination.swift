import TouchModel

/// Looks for the faults that no filter mends.
struct DeviceExamination {
  private let recording: RecordedFacts
  private let trace: ContactTrace
  private let region: Rect

  init(_ recording: RecordedFacts, _ trace: ContactTrace, in region: Rect) {
    self.recording = recording
    self.trace = trace
    self.region = region
  }

  /// What was found of each.
  var verdicts: [Verdict] {
    [
      rate, dead(.deadRows, "rows", \.y, from: region.y, length: region.height),
      dead(.deadColumns, "columns", \.x, from: region.x, length: region.width), axes, dropped,
      clock,
    ]
  }

  // MARK: Rate

  /// Below this a drag is seen to jerk.
  private static let leastRate = 40.0

  private var rate: Verdict {
    let intervals = trace.intervals
    guard intervals.count >= 20, let middle = intervals.quantile(0.5),
      let low = intervals.quantile(0.05), let high = intervals.quantile(0.95)
    else { return .unknown(.rate, "too few reports to tell how many there are a second") }
    let milliseconds = { (time: UInt64) in plain((Double(time) / 1000 * 10).rounded() / 10) }
    let rate = 1_000_000 / Double(middle)
    let words =
      "\(Int(rate.rounded())) reports a second; between two, \(milliseconds(low)) to "
      + "\(milliseconds(high)) ms"
    if let former = halved(intervals) {
      let (before, after) = (Int(former.before.rounded()), Int(former.after.rounded()))
      return .bad(.rate, "\(words). They fall from \(before) to \(after) a second")
    }
    return rate < Self.leastRate ? .bad(.rate, words) : .good(.rate, words)
  }

  /// The rates of the first and the last part, where the one is about twice the other. The quarter
  /// of the shortest intervals counts: a finger that rests makes no reports.
  private func halved(_ intervals: [UInt64]) -> (before: Double, after: Double)? {
    guard intervals.count >= 120 else { return nil }
    let part = intervals.count / 3
    guard let first = Array(intervals.prefix(part)).quantile(0.25),
      let last = Array(intervals.suffix(part)).quantile(0.25), first > 0,
      Double(last) >= Double(first) * 1.7
    else { return nil }
    return (1_000_000 / Double(first), 1_000_000 / Double(last))
  }

  // MARK: Dead rows and columns

  /// How many bands an axis has at most.
  private static let bandLimit = 100
  /// So many points would be expected in a band before it counts as dead.
  private static let expectedPoints = 12.0
  /// Of a panel with fewer units than bands, some bands have none.
  private static let unitsPerBand = 3.0

  /// Bands that fingers cross again and again without a point in them.
  private func dead(
    _ fault: Fault, _ noun: String, _ axis: KeyPath<Point, Double>, from origin: Double,
    length: Double
  ) -> Verdict {
    let units = fault == .deadRows ? recording.yUnits : recording.xUnits
    let count = max(1, min(Self.bandLimit, Int(units / Self.unitsPerBand)))
    let width = length / Double(count)
    var expected = [Double](repeating: 0, count: count)
    var found = [Int](repeating: 0, count: count)
    /// -1 and the count lie outside of the screen.
    func band(_ value: Double) -> Int {
      let place = (value - origin) / width
      return place >= 0 ? Int(min(place, Double(count))) : -1
    }
    for way in ways(along: axis) {
      let (low, high) = (band(min(way.from, way.to)), band(max(way.from, way.to)))
      // As dense as its points were before: in a dead band it has none.
      let distance = max(way.step, (way.to - way.from).magnitude / 4)
      for index in expected.indices.clamped(to: (low + 1)..<max(low + 1, high)) {
        expected[index] += min(1, width / distance)
      }
    }
    for contact in trace.contacts {
      for (_, point) in contact.points {
        let index = band(point[keyPath: axis])
        if found.indices.contains(index) { found[index] += 1 }
      }
    }
    let dead = found.indices.filter { found[$0] == 0 && expected[$0] >= Self.expectedPoints }
    guard let first = dead.first, let last = dead.last else {
      return expected.contains { $0 >= Self.expectedPoints }
        ? .good(fault, "no \(noun) without reports where fingers went")
        : .unknown(fault, "too few strokes go across \(noun) to tell")
    }
    let from = plain((origin + Double(first) * width).rounded())
    let to = plain((origin + Double(last + 1) * width).rounded())
    return .bad(
      fault, "the \(noun) from \(from) to \(to) report nothing, though fingers went across them")
  }

  /// A part of a finger's way along an axis.
  private struct Way {
    var from: Double
    var to: Double
    /// How long the part before it was.
    var step: Double
  }

  /// From one point of a finger to its next, or to where it soon lands again after a lift.
  private func ways(along axis: KeyPath<Point, Double>) -> [Way] {
    var ways: [Way] = []
    for (index, contact) in trace.contacts.enumerated() {
      var step: Double?
      for number in contact.points.indices.dropFirst() {
        let from = contact.points[number - 1].point[keyPath: axis]
        let to = contact.points[number].point[keyPath: axis]
        ways.append(Way(from: from, to: to, step: step ?? (to - from).magnitude))
        step = (to - from).magnitude
      }
      guard let end = contact.ended, let last = contact.points.last?.point else { continue }
      let soon = trace.contacts[(index + 1)...].prefix {
        $0.landed.microseconds(since: end) <= 250_000
      }
      let next = soon.first { $0.landed >= end && $0.start.distance(to: last) < 100 }
      guard let next, let step else { continue }
      ways.append(Way(from: last[keyPath: axis], to: next.start[keyPath: axis], step: step))
    }
    return ways
  }

  // MARK: Other

  private var axes: Verdict {
    guard let width = recording.width, let height = recording.height else {
      return .unknown(.axes, "the touchscreen does not say how large it is")
    }
    let (wide, high) = (plain(width.rounded()), plain(height.rounded()))
    let words = "the touchscreen is \(wide) by \(high) mm, and "
    let screen = "\(plain(region.width)) by \(plain(region.height)) points"
    // A square panel says nothing.
    let isSwapped = (width / height - 1) * (region.width / region.height - 1) < 0
    let isClear = max(width / height, height / width) > 1.15
    let screenIsClear =
      max(region.width / region.height, region.height / region.width) > 1.15
    guard isClear, screenIsClear else { return .unknown(.axes, words + "too square to tell") }
    return isSwapped
      ? .bad(.axes, words + "covers \(screen): its axes may be swapped, or the screen is rotated")
      : .good(.axes, words + "covers \(screen)")
  }

  private var dropped: Verdict {
    let count = recording.dropCount
    return count > 0
      ? .bad(.dropped, "events were lost \(count) times, because nobody read them in time")
      : .good(.dropped, "no event was lost")
  }

  private var clock: Verdict {
    let count = recording.backwardCount
    return count > 0
      ? .bad(.clock, "its clock went back \(count) times")
      : .good(.clock, "its clock never went back")
  }
}

/// What is known of a touchscreen beside its contacts.
package struct RecordedFacts: Sendable {
  /// Its size in millimetres, where it says so.
  var width: Double?
  var height: Double?
  /// How many units its axes have.
  var xUnits: Double
  var yUnits: Double
  /// How many fingers it says that it can tell apart.
  var slotCount: Int?
  /// Whether the range of its axes is known: without it distances mean nothing.
  var hasRange = true
  var dropCount = 0
  var backwardCount = 0

  /// What is known; units that are not known are as many as a fine panel has.
  package init(
    width: Double? = nil, height: Double? = nil, xUnits: Double = 4096, yUnits: Double = 4096,
    slotCount: Int? = nil, hasRange: Bool = true, dropCount: Int = 0, backwardCount: Int = 0
  ) {
    self.width = width
    self.height = height
    self.xUnits = xUnits
    self.yUnits = yUnits
    self.slotCount = slotCount
    self.hasRange = hasRange
    self.dropCount = dropCount
    self.backwardCount = backwardCount
  }
}
