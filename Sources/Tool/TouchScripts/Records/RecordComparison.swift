import TouchModel

/// Compares what a record says with what comes of it when it is played: each touch once it is over
/// on both sides, and each gesture. What the record does not tell is left out, and counted.
package final class RecordComparison {
  /// How much was compared.
  package struct Counts: Encodable {
    /// The touches that were compared.
    package var touches = 0
    /// What gestures came to in the record.
    package var gestures = 0
    /// The touches that go otherwise.
    package var differing_touches = 0
    /// The gestures that go otherwise.
    package var differing_gestures = 0
    /// The touches on secure views, of which a record has no place (F7).
    package var secure_touches = 0
    /// The touches that a record does not have whole, or of which it is not known which layout was
    /// in force.
    package var uncertain_touches = 0
    /// The messages that the recorder has lost.
    package var lost = 0
  }

  /// How much was compared, by now.
  package private(set) var counts = Counts()
  private var screens: [String]
  private var stories: [UInt64: Stories] = [:]
  /// The touch that began last.
  private var newest: UInt64 = 0
  /// The touches that are not compared.
  private var leftOut = LatestTouches()
  /// Those of them whose fingers are down.
  private var leftOutLive: Set<UInt64> = []
  /// The touches that began while there was such a finger, or a recognizer had one: these may have
  /// decided what came of them.
  private var besideLeftOut = LatestTouches()
  /// When a touch was over of which it is not known where it was, or how many taps it counted.
  private var uncountedTap: UInt64?
  private let tapInterval: UInt64
  /// The recognizers that have touches, as the record says.
  private var busy: Set<String> = []
  /// When recognizers had a touch of which the record does not say all.
  private var tainted: [String: Spans] = [:]
  /// Gestures that came on one side and not yet on the other: when.
  private var gestures: [GestureKey: (recorded: [UInt64], played: [UInt64])] = [:]
  /// When layouts were in force that the record does not have.
  private var unread = Spans()
  /// The record's time.
  private var now: UInt64 = 0
  /// At more touches and gestures it is looked for those that are long over.
  private var waitingLimit = RecordComparison.leastWaitingLimit
  private static let leastWaitingLimit = 1000
  /// For so long a touch or a gesture waits for its counterpart, in microseconds: no decision and
  /// no recognizer takes longer.
  private static let patience: UInt64 = 300_000_000
  private var names: [UInt32: String] = [:]
  private var differences: [RecordDifference] = []

  /// A touch as the record says it was, and as it comes to be.
  private final class Stories {
    var recorded: TouchStory?
    var played: TouchStory?

    /// Whether its finger is gone, and it has no counterpart; with `.max` always.
    func isOver(before time: UInt64) -> Bool {
      if time == .max { return true }
      guard recorded == nil || played == nil, let known = recorded ?? played else { return false }
      return known.end != nil && known.time < time
    }
  }

  private struct GestureKey: Hashable {
    var path: String
    var state: String
    var touch: UInt64?
  }

  /// Numbers of touches: at least the 1,000 latest. Nothing is said any more of others, which are
  /// forgotten.
  private struct LatestTouches {
    private var older: Set<UInt64> = []
    private var newer: Set<UInt64> = []

    func contains(_ touch: UInt64) -> Bool { newer.contains(touch) || older.contains(touch) }

    mutating func insert(_ touch: UInt64) {
      if newer.count == 1000 { (older, newer) = (newer, []) }
      newer.insert(touch)
    }

    mutating func remove(_ touch: UInt64) {
      older.remove(touch)
      newer.remove(touch)
    }
  }

  /// Times from one to another, in order; the last one may last. Those long ago are forgotten.
  private struct Spans {
    private var all: [(start: UInt64, end: UInt64?)] = []

    var isOpen: Bool { all.last.map { $0.end == nil } ?? false }

    mutating func open(at time: UInt64) {
      guard !isOpen else { return }
      if all.count == 100 { all.removeFirst() }
      all.append((time, nil))
    }

    mutating func close(at time: UInt64) { if isOpen { all[all.count - 1].end = time } }

    func contains(_ time: UInt64) -> Bool {
      guard let latest = all.last(where: { $0.start <= time }) else { return false }
      return latest.end.map { time <= $0 } ?? true
    }
  }

  /// A comparison with a record of these screens; `tapIntervalMilliseconds` is the longest time
  /// from a tap to the next one that counts with it.
  package init(_ header: RecordHeader, tapIntervalMilliseconds: UInt64) {
    screens = header.screens.map(\.name)
    tapInterval = tapIntervalMilliseconds * 1000
  }

  /// What differs, as far as it is known by now; it is handed out once.
  package func takeDifferences() -> [RecordDifference] {
    defer { differences.removeAll() }
    return differences
  }

  // MARK: - The record

  /// Takes in a line of the record.
  package func record(_ line: RecordLine) {
    switch line {
    case .header: break
    case .frame(let frame):
      now = frame.time_us
      for touch in frame.touches { record(touch, of: frame) }
    case .gesture(let event): take(event, isRecorded: true)
    case .attached(let item): names[item.attachment] = item.name
    case .layout(let layout): take(layout)
    case .event(let event) where event.event == "lost":
      let (sum, isTooMuch) = counts.lost.addingReportingOverflow(Int(clamping: event.count ?? 0))
      counts.lost = isTooMuch ? .max : sum
      leaveOutLive(at: event.time_us)
      // Their ends may be lost too: those go on that the record speaks of again.
      leftOutLive.removeAll()
      // There may be another daemon now, which numbers touches from 1.
      newest = 0
    case .event: break
    }
  }

  private func take(_ layout: RecordedLayout) {
    screens = layout.screens?.map(\.name) ?? screens
    if layout.unread == true {
      unread.open(at: layout.time_us)
      leaveOutLive(at: layout.time_us)
    } else {
      unread.close(at: layout.time_us)
    }
    if let gestures = layout.gestures {
      // Those that are gone have let go of their touches.
      let paths = Set(gestures.map(\.path))
      for path in busy.union(tainted.keys) where !paths.contains(path) {
        letGo(path, at: layout.time_us)
      }
    }
  }

  private func record(_ touch: RecordedTouch, of frame: RecordedFrame) {
    let isFinal = touch.phase == "ended" || touch.phase == "cancelled"
    let isNew = touch.phase == "began" && touch.flags?.contains("replayed") != true
    if isNew {
      leftOut.remove(touch.id)
      leftOutLive.remove(touch.id)
      besideLeftOut.remove(touch.id)
    }
    if isLeftOut(touch.id) {
      if !isFinal {
        leftOutLive.insert(touch.id)
      } else if leftOutLive.remove(touch.id) != nil {
        leftOut.insert(touch.id)
        uncountedTap = frame.time_us
      }
      return
    }
    let known = stories[touch.id]
    if let known, known.recorded != nil {
      guard touch.phase != "moved" else { return }
      known.recorded?.take(touch)
      return settle(touch.id, known)
    }
    // A finger may stay on the glass when its touch is over.
    guard touch.id > newest else { return }
    newest = touch.id
    guard touch.phase == "began", touch.at != nil, !touch.isOfBlindScreen,
      !unread.contains(frame.time_us)
    else {
      guard !isFinal else { return }
      leaveOut(touch.id, isSecure: touch.phase == "began" && touch.at == nil)
      return
    }
    var story = TouchStory(touch, of: frame)
    let isBeside = !leftOutLive.isEmpty || tainted.values.contains(where: \.isOpen)
    story.isBesideLeftOut = isBeside
    if isBeside { besideLeftOut.insert(touch.id) }
    if isBeside || uncountedTap.map({ $0 + tapInterval >= frame.time_us }) == true {
      story.isTapCountKnown = false
      uncountedTap = frame.time_us
    }
    let stories = known ?? Stories()
    stories.recorded = story
    self.stories[touch.id] = stories
  }

  private func isLeftOut(_ touch: UInt64) -> Bool {
    leftOutLive.contains(touch) || leftOut.contains(touch)
  }

  /// Whether it is known what decided about a touch.
  private func isComparable(_ touch: UInt64) -> Bool {
    if let story = stories[touch]?.recorded { return !story.isBesideLeftOut }
    return !isLeftOut(touch) && !besideLeftOut.contains(touch)
  }

  private func leaveOut(_ touch: UInt64, isSecure: Bool = false) {
    leftOut.insert(touch)
    leftOutLive.insert(touch)
    if isSecure { counts.secure_touches += 1 } else { counts.uncertain_touches += 1 }
  }

  /// Nothing is known any more of the touches that live, nor of the recognizers that have some.
  private func leaveOutLive(at time: UInt64) {
    for id in stories.keys { leaveOut(id) }
    stories.removeAll()
    gestures.removeAll()
    for path in busy { tainted[path, default: Spans()].open(at: time) }
  }

  // MARK: - What comes of it

  /// Takes in what came of it.
  package func played(_ lines: [RecordLine]) {
    for line in lines {
      switch line {
      case .frame(let frame):
        for touch in frame.touches { played(touch, of: frame) }
      case .gesture(let event): take(event, isRecorded: false)
      case .header, .layout, .attached, .event: break
      }
    }
    if stories.count + gestures.count > waitingLimit { settleOld() }
  }

  private func played(_ touch: RecordedTouch, of frame: RecordedFrame) {
    guard !isLeftOut(touch.id) else { return }
    let known = stories[touch.id]
    if let known, known.played != nil {
      known.played?.take(touch)
      settle(touch.id, known)
    } else if touch.phase == "began", touch.flags?.contains("replayed") != true {
      let stories = known ?? Stories()
      stories.played = TouchStory(touch, of: frame)
      self.stories[touch.id] = stories
    }
  }

  /// What is left when the record is at its end.
  package func finish() { settle(before: .max) }

  /// Compares what waits for its counterpart in vain, so that not all of a long record is kept.
  private func settleOld() {
    settle(before: now - min(now, Self.patience))
    waitingLimit = max(Self.leastWaitingLimit, 2 * (stories.count + gestures.count))
  }

  /// Compares what was over before a time; with `.max` all.
  private func settle(before time: UInt64) {
    let old = stories.filter { $0.value.isOver(before: time) }.map(\.key)
    for id in old.sorted() { compare(id) }
    let left = gestures.filter { ($0.value.recorded + $0.value.played).allSatisfy { $0 < time } }
      .sorted {
        ($0.value.recorded + $0.value.played)[0] < ($1.value.recorded + $1.value.played)[0]
      }
    for (key, times) in left {
      gestures[key] = nil
      for (recorded, played) in zip(times.recorded, times.played) {
        add(.time, key, at: recorded, Self.milliseconds(recorded), Self.milliseconds(played))
      }
      for time in times.recorded.dropFirst(times.played.count) { add(.missing, key, at: time) }
      for time in times.played.dropFirst(times.recorded.count) { add(.new, key, at: time) }
    }
  }

  // MARK: - Touches

  /// Compares a touch that is over on both sides.
  private func settle(_ id: UInt64, _ stories: Stories) {
    if stories.recorded?.end != nil, stories.played?.end != nil { compare(id) }
  }

  private func compare(_ id: UInt64) {
    let both = stories.removeValue(forKey: id)
    guard let recorded = both?.recorded else { return }
    var found: [RecordDifference] = []
    func add(_ kind: RecordDifference.Kind, _ before: String?, _ now: String?) {
      var difference = RecordDifference(kind, at: recorded.time)
      (difference.touch, difference.at) = (id, recorded.place)
      if screens.indices.contains(Int(recorded.screen)) {
        difference.screen = screens[Int(recorded.screen)]
      }
      (difference.recorded, difference.played) = (before, now)
      found.append(difference)
    }
    if let played = both?.played {
      if recorded.target != played.target { add(.target, recorded.target, played.target) }
      let (before, now) = (words(of: recorded), words(of: played))
      if before != now { add(.programs, before, now) }
      if recorded.taps != played.taps, recorded.isTapCountKnown {
        add(.taps, "\(recorded.taps)", "\(played.taps)")
      }
      if recorded.end != played.end { add(.end, recorded.end, played.end) }
    } else {
      add(.missing, nil, nil)
    }
    guard found.isEmpty || !recorded.isBesideLeftOut else {
      counts.uncertain_touches += 1
      return
    }
    counts.touches += 1
    if !found.isEmpty { counts.differing_touches += 1 }
    differences += found
  }

  /// Who got a touch, in words; after each decline again.
  private func words(of story: TouchStory) -> String {
    zip(story.getters, story.discards).map { getters, discard in
      if let discard { return "no program (\(discard))" }
      return getters.map { getter in
        let name = getter.attachment.flatMap { names[$0] } ?? "a program"
        let isWhole = getter.phases.count == 4
        return "\(name) at \(getter.path)"
          + (isWhole ? "" : " (\(getter.phases.joined(separator: ", ")))")
      }.joined(separator: " and ")
    }.joined(separator: ", then ")
  }

  // MARK: - Gestures

  private func take(_ event: RecordedGestureEvent, isRecorded: Bool) {
    guard
      event.state == "recognized" || event.state == "began" || event.state == "ended"
        || event.state == "cancelled"
    else {
      if event.state == "possible", isRecorded { possible(event) }
      return
    }
    guard tainted[event.path]?.contains(event.time_us) != true,
      event.touch.map(isComparable) != false,
      !unread.contains(event.time_us)
    else { return }
    if isRecorded { counts.gestures += 1 }
    let state = event.cancel_reason.map { "\(event.state) (\($0))" } ?? event.state
    let key = GestureKey(path: event.path, state: state, touch: event.touch)
    var times = gestures[key] ?? ([], [])
    if isRecorded, let index = times.played.firstIndex(of: event.time_us) {
      times.played.remove(at: index)
    } else if !isRecorded, let index = times.recorded.firstIndex(of: event.time_us) {
      times.recorded.remove(at: index)
    } else if isRecorded {
      times.recorded.append(event.time_us)
    } else {
      times.played.append(event.time_us)
    }
    gestures[key] = times.recorded.isEmpty && times.played.isEmpty ? nil : times
  }

  /// A recognizer that has a touch of which the record does not say all can't be compared until it
  /// has let go of it.
  private func possible(_ event: RecordedGestureEvent) {
    guard let touch = event.touch else {
      return letGo(event.path, at: event.time_us)
    }
    busy.insert(event.path)
    if isLeftOut(touch) { tainted[event.path, default: Spans()].open(at: event.time_us) }
  }

  private func letGo(_ path: String, at time: UInt64) {
    busy.remove(path)
    tainted[path]?.close(at: time)
  }

  private func add(
    _ kind: RecordDifference.Kind, _ key: GestureKey, at time: UInt64, _ before: String? = nil,
    _ now: String? = nil
  ) {
    var difference = RecordDifference(kind, at: time)
    (difference.gesture, difference.state) = (key.path, key.state)
    (difference.touch, difference.recorded, difference.played) = (key.touch, before, now)
    counts.differing_gestures += 1
    differences.append(difference)
  }

  private static func milliseconds(_ time: UInt64) -> String {
    "\((Double(time) / 1000).toTwoDecimals) ms"
  }
}
