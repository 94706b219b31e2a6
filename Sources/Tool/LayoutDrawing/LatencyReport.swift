/// How long frames took from the kernel's timestamp to their send.
package struct LatencyReport: Encodable {
  /// The frames of less than so many microseconds, and of not less than half of that.
  package struct Step: Encodable {
    /// Nil for all that took longer.
    package var below_us: UInt64?
    /// How many.
    package var frames: UInt64
  }

  /// How many were sent.
  package var frames: UInt64 = 0
  /// Half of them took less than that, in microseconds; nil where it is not known.
  package var p50_us: UInt64?
  /// The same of 99 in 100.
  package var p99_us: UInt64?
  /// The same of 999 in 1,000.
  package var p999_us: UInt64?
  /// From the first step that has a frame to the last.
  package var steps: [Step] = []

  /// No frame.
  package init() {}

  /// The daemon's counts, by powers of two.
  package init(_ counts: [UInt64]) {
    frames = counts.total
    guard let first = counts.firstIndex(where: { $0 > 0 }),
      let last = counts.lastIndex(where: { $0 > 0 })
    else { return }
    for index in first...last {
      let isLast = index == counts.count - 1
      steps.append(Step(below_us: isLast ? nil : 1 << UInt64(index), frames: counts[index]))
    }
    measure()
  }

  /// The frames of this report that an earlier one does not have.
  package func since(_ earlier: LatencyReport) -> LatencyReport {
    var report = LatencyReport()
    report.steps = steps.compactMap { step in
      let before = earlier.steps.first { $0.below_us == step.below_us }?.frames ?? 0
      return step.frames > before
        ? Step(below_us: step.below_us, frames: step.frames - before) : nil
    }
    report.frames = report.steps.map(\.frames).total
    report.measure()
    return report
  }

  private mutating func measure() {
    p50_us = bound(ofPerMille: 500)
    p99_us = bound(ofPerMille: 990)
    p999_us = bound(ofPerMille: 999)
  }

  /// What so many of a thousand frames took less than.
  private func bound(ofPerMille share: UInt64) -> UInt64? {
    var count: UInt64 = 0
    for step in steps {
      count = [count, step.frames].total
      // Never over the whole, however many there are.
      if Double(count) * 1_000 >= Double(frames) * Double(share) { return step.below_us }
    }
    return nil
  }
}

extension Sequence<UInt64> {
  /// The sum of what a daemon has counted. It may be any daemon: where the sum has no room, it is
  /// the largest number.
  package var total: UInt64 {
    reduce(0) { sum, count in
      let (result, overflows) = sum.addingReportingOverflow(count)
      return overflows ? .max : result
    }
  }
}

extension LatencyReport {
  /// A drawing for people; nothing where no frame was sent.
  package var lines: [String] {
    guard frames > 0 else { return [] }
    let most = steps.map(\.frames).max() ?? 1
    let widest = steps.map { Self.label($0).count }.max() ?? 0
    return ["from the kernel's time to the send:"]
      + steps.map { step in
        let label = Self.label(step)
        let length = Int((Double(step.frames) / Double(most) * 40).rounded(.up))
        let bar = String(repeating: "█", count: length)
        return "  " + String(repeating: " ", count: widest - label.count) + label
          + (step.frames > 0 ? "  \(bar) \(step.frames)" : "")
      } + (p50_us == nil ? [] : ["  \(shares(below: "in less than"))"])
  }

  /// How long most frames took, with words for "less than" before each time.
  package func shares(below words: String) -> String {
    [("50 %", p50_us), ("99 %", p99_us), ("99.9 %", p999_us)].compactMap { share in
      share.1.map { "\(share.0) \(words) \(Self.time($0))" }
    }.joined(separator: ", ")
  }

  private static func label(_ step: Step) -> String {
    step.below_us.map { "< \(time($0))" } ?? "longer"
  }

  /// `64 us`, `1.02 ms`, `4.19 s`.
  private static func time(_ microseconds: UInt64) -> String {
    let value = Double(microseconds)
    if microseconds < 1_000 { return "\(microseconds) us" }
    if microseconds < 1_000_000 { return "\(Text.number(value / 1_000)) ms" }
    return "\(Text.number(value / 1_000_000)) s"
  }
}
