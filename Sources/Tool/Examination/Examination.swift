import DeviceRecordings
package import TouchModel

/// What is wrong with a touchscreen, by what it reported, and the filters that would mend it.
package struct Examination {
  /// Of each thing that is looked for, in the order of ``Fault``.
  package let verdicts: [Verdict]
  /// The filters that it proposes; all off on a good panel.
  package let settings: SignalSettings
  /// What these do not mend, though they should.
  package let remaining: [Fault]
  /// What it was made of, in words.
  package let summary: String
  /// The ways of the contacts, as they were reported.
  package let ways: [[Point]]
  /// The same as the filters that it proposes leave them; nil where it proposes none.
  package let filteredWays: [[Point]]?

  /// An examination of what a device reported.
  ///
  /// - Parameters:
  ///   - events: Without filters, in points of the screen.
  ///   - region: The part of the screen that the device covers.
  ///   - untouchedUntil: Until when nobody has touched it.
  package init(
    _ events: [DeviceEvent], of facts: RecordedFacts, in region: Rect,
    untouchedUntil quiet: Timestamp? = nil
  ) {
    let trace = ContactTrace(events)
    let signal = SignalExamination(events, trace, in: region)
    verdicts =
      signal.verdicts.map { facts.hasRange ? $0 : $0.withoutDistances }
      + (quiet.map { [Self.untouched(trace, until: $0)] } ?? [])
      + DeviceExamination(facts, trace, in: region).verdicts
    var settings = SignalSettings()
    for verdict in verdicts where verdict.level == .bad { signal.mend(verdict.fault, &settings) }
    self.settings = settings
    ways = trace.ways
    if settings.isOff {
      (remaining, filteredWays) = ([], nil)
    } else {
      let filtered = FilteredStream(of: events, through: settings, in: region).events
      let trace = ContactTrace(filtered)
      remaining = SignalExamination(filtered, trace, in: region).verdicts
        .filter { $0.level == .bad }.map(\.fault)
      filteredWays = trace.ways
    }
    let seconds = Double(trace.end.microseconds(since: trace.start)) / 1_000_000
    let apart = facts.slotCount.map { " of the \($0) that it can tell apart" } ?? ""
    summary =
      "\(trace.contacts.count) contacts in \(plain((seconds * 10).rounded() / 10)) s, at most "
      + "\(trace.mostFingers) at once\(apart)"
  }

  /// What was reported while nobody touched it.
  private static func untouched(_ trace: ContactTrace, until quiet: Timestamp) -> Verdict {
    let ghosts = trace.contacts.filter { $0.landed < quiet }
    guard let first = ghosts.first?.start else {
      return .good(.untouched, "it reported nothing while nobody touched it")
    }
    return .bad(
      .untouched,
      "it reported \(ghosts.count) contacts while nobody touched it, the first at "
        + "\(plain(first.x)), \(plain(first.y)): dead_zones keeps touches from a place, "
        + "min_contact_ms from short ones")
  }

  /// What is wrong.
  package var faults: [Fault] { verdicts.filter { $0.level == .bad }.map(\.fault) }
}

extension Examination {
  /// An examination of a recording, as if it covered a part of a screen.
  package init(_ recording: ExaminedRecording, in region: Rect) {
    self.init(recording.events(in: region), of: recording.facts, in: region)
  }
}

extension ExaminedRecording {
  fileprivate var facts: RecordedFacts {
    RecordedFacts(
      width: isRangeGuessed ? nil : x.millimetres, height: isRangeGuessed ? nil : y.millimetres,
      xUnits: x.count, yUnits: y.count, slotCount: slotCount,
      hasRange: !isRangeGuessed, dropCount: dropCount, backwardCount: backwardCount)
  }
}
