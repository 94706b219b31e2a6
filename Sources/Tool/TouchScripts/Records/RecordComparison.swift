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
  private var stories: [UInt64: (recorded: TouchStory?, played: TouchStory?)] = [:]
  /// The touch that began last.
  private var newest: UInt64 = 0
  /// The touches that are not compared.
  private var leftOut: Set<UInt64> = []
  /// Those of them whose fingers are down.
  private var leftOutLive: Set<UInt64> = []
  /// The touches that began while there was such a finger, or a recognizer had one: these may have
  /// decided what came of them.
  private var besideLeftOut: Set<UInt64> = []
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
  private var names: [UInt32: String] = [:]
  private var differences: [RecordDifference] = []

  private struct GestureKey: Hashable {
    var path: String
    var state: String
    var touch: UInt64?
  }

  /// Times from one to another, in order; the last one may last.
  private struct Spans {
    private var all: [(start: UInt64, end: UInt64?)] = []

    var isOpen: Bool { all.last.map { $0.end == nil } ?? false }

    mutating func open(at time: UInt64) { if !isOpen { all.append((time, nil)) } }

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
    case .frame(let frame): for touch in frame.touches { record(touch, of: frame) }
    case .gesture(let event): take(event, isRecorded: true)
    case .attached(let item): names[item.attachment] = item.name
    case .layout(let layout): take(layout)
    case .event(let event) where event.event == "lost":
      counts.lost += Int(clamping: event.count ?? 0)
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
      besideLeftOut.remove(touch.id)
    }
    if leftOut.contains(touch.id) {
      if !isFinal {
        leftOutLive.insert(touch.id)
      } else if leftOutLive.remove(touch.id) != nil {
        uncountedTap = frame.time_us
      }
      return
    }
    guard stories[touch.id]?.recorded == nil else {
      stories[touch.id]?.recorded?.take(touch)
      return settle(touch.id)
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
    if isBeside { besideLeftOut.insert(touch.id) }
    if isBeside || uncountedTap.map({ frame.time_us <= $0 + tapInterval }) == true {
      story.isTapCountKnown = false
      uncountedTap = frame.time_us
    }
    stories[touch.id, default: (nil, nil)].recorded = story
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
  }

  private func played(_ touch: RecordedTouch, of frame: RecordedFrame) {
    guard !leftOut.contains(touch.id) else { return }
    if stories[touch.id]?.played != nil {
      stories[touch.id]?.played?.take(touch)
      settle(touch.id)
    } else if touch.phase == "began", touch.flags?.contains("replayed") != true {
      stories[touch.id, default: (nil, nil)].played = TouchStory(touch, of: frame)
    }
  }

  /// What is left when the record is at its end.
  package func finish() {
    for id in stories.keys.sorted() { compare(id) }
    let left = gestures.sorted {
      ($0.value.recorded + $0.value.played)[0] < ($1.value.recorded + $1.value.played)[0]
    }
    for (key, times) in left {
      for (recorded, played) in zip(times.recorded, times.played) {
        add(.time, key, at: recorded, Self.milliseconds(recorded), Self.milliseconds(played))
      }
      for time in times.recorded.dropFirst(times.played.count) { add(.missing, key, at: time) }
      for time in times.played.dropFirst(times.recorded.count) { add(.new, key, at: time) }
    }
    gestures.removeAll()
  }

  // MARK: - Touches

  /// Compares a touch that is over on both sides.
  private func settle(_ id: UInt64) {
    guard let story = stories[id], story.recorded?.end != nil, story.played?.end != nil else {
      return
    }
    compare(id)
  }

  private func compare(_ id: UInt64) {
    guard let (recorded, played) = stories.removeValue(forKey: id), let recorded else { return }
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
    if let played {
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
    guard found.isEmpty || !besideLeftOut.contains(id) else {
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
      event.touch.map({ leftOut.contains($0) || besideLeftOut.contains($0) }) != true,
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
    if leftOut.contains(touch) { tainted[event.path, default: Spans()].open(at: event.time_us) }
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
