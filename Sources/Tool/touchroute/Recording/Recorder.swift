import Glibc
import TouchClient
import TouchModel
import TouchScripts

/// Makes lines of a record of what the daemon tells, in its order. Each change of the layout is
/// read from the daemon at once; what comes meanwhile waits for that.
final class Recorder {
  private let daemon: Daemon
  /// Gets each line.
  private let put: (RecordedItem) throws -> Void
  /// What has come, and is not written.
  private var held: [TouchEvent] = []
  /// A frame that goes on in another message.
  private var unfinished: Observation?
  private var layout = LayoutState()
  /// The screens of the layout that is written next, or was written last.
  private var screens: [RecordedScreen] = []
  private var isReading = false
  /// Whether the layout has changed while it was read.
  private var isStale = false

  /// How often a layout that changes while it is read is read again before the record begins.
  private static let attempts = 5
  /// So many events wait for a layout; beyond that the record has to do without it.
  private static let patience = 100_000

  init(_ daemon: Daemon, _ put: @escaping (RecordedItem) throws -> Void) {
    self.daemon = daemon
    self.put = put
  }

  /// Begins to observe; the layout then, and the time.
  func begin() throws -> (layout: LayoutState, time: UInt64) {
    try daemon.ask(
      { connection throws(TouchClientError) in try connection.observeChanges() }, others: hold)
    var described = try read()
    for _ in 1..<Self.attempts where isStale { described = try read() }
    // The record begins with that layout: what was before it does not belong to it.
    let present = held
    held.removeAll()
    let start = present.lastIndex { $0.isLayoutChange } ?? 0
    var holders: [UInt32: TouchEvent] = [:]
    screens = Self.recorded(daemon.screens)
    for event in present[..<start] {
      event.note(in: &holders)
      take(event)
    }
    held = holders.sorted { $0.key < $1.key }.map(\.value)
    // Where the layout changes faster than it is read, that of the latest change comes behind it.
    held += present[(isStale ? start : present.index(after: start))...]
    layout = try LayoutState(described, on: screens)
    return (layout, present[start].time)
  }

  /// The first line of a record.
  func header(_ layout: LayoutState, at time: UInt64) throws -> String {
    let header = RecordHeader(
      touchroute: Release.version, started: UInt64(Glibc.time(nil)), time_us: time,
      screens: layout.screens)
    return try jsonLine(header).dropLast() + ",\(layout.whole.keys())}"
  }

  /// Waits for what the daemon tells, and writes it.
  func next() throws {
    if held.isEmpty { try daemon.next(hold) }
    try writeHeld()
  }

  /// Does the same until a moment of CLOCK_MONOTONIC, in nanoseconds; whether that has come.
  func next(until due: UInt64) throws -> Bool {
    let isOver = held.isEmpty ? try daemon.wait(until: due, hold) : false
    try writeHeld()
    return isOver
  }

  /// Waits for all that has happened by now, and writes it: the daemon may hold back what it tells
  /// observers for a moment, but not behind an answer. Rule F7.
  func catchUp() throws {
    let ping = try daemon.asked { () throws(TouchClientError) in try daemon.connection.ping() }
    var isAnswered = false
    while !isAnswered {
      try daemon.next(timeoutMilliseconds: 10_000) { event in
        if event == .pong(ping) { isAnswered = true } else { try hold(event) }
      }
    }
    try writeHeld()
  }

  /// Keeps what the daemon tells while something else is asked, until it is written.
  func hold(_ event: TouchEvent) throws {
    switch event {
    case .observed, .observedGesture, .welcome: held.append(event)
    case .observedChange(let change):
      held.append(event)
      if change.kind == .layout, isReading { isStale = true }
    case .failed(let failure): throw Failure(failure)
    default: break
    }
  }

  /// Reads the layout in force; `isStale` where it has changed meanwhile.
  private func read() throws -> DescribedLayout {
    (isReading, isStale) = (true, false)
    defer { isReading = false }
    return try DescribedLayout(daemon, others: hold)
  }

  private func writeHeld() throws {
    while !held.isEmpty {
      guard let index = held.firstIndex(where: \.isLayoutChange) else {
        let events = held
        held.removeAll(keepingCapacity: true)
        for event in events { try write(event) }
        return
      }
      for event in held[..<index] { try write(event) }
      held.removeSubrange(..<index)
      try writeLayout()
    }
  }

  /// Writes the layout of the first event that waits, if it is still in force.
  private func writeLayout() throws {
    guard case .observedChange(let change) = held[0] else { return }
    // Another one is in force already, so this one can't be read any more.
    let isOver = held.dropFirst().contains(where: \.isLayoutChange)
    let described = isOver || held.count > Self.patience ? nil : try read()
    held.removeFirst()
    let time = change.time.microseconds
    var new = LayoutState.Change()
    var keys: String
    if let described, !isStale {
      let next = try LayoutState(described, on: screens)
      new = next.change(from: layout)
      keys = try new.keys()
    } else {
      // What is touched counts among its screens all the same.
      new.screens = screens == layout.screens ? nil : screens
      keys = try new.keys()
      keys += keys.isEmpty ? "\"unread\":true" : ",\"unread\":true"
    }
    layout.apply(new)
    try put(
      RecordedItem(
        text: "{\"event\":\"layout\",\"generation\":\(change.value),\"time_us\":\(time)"
          + (keys.isEmpty ? "}" : ",\(keys)}"), time: time,
        effect: .layout(new)))
  }

  /// The screens that further layouts count among, if an event says so.
  private func take(_ event: TouchEvent) {
    if case .welcome(let welcome) = event { screens = Self.recorded(welcome.screens) }
  }

  private static func recorded(_ screens: [Welcome.Screen]) -> [RecordedScreen] {
    screens.map {
      RecordedScreen(name: $0.name, size: [$0.size.width, $0.size.height], rotation: $0.rotation)
    }
  }

  private func write(_ event: TouchEvent) throws {
    switch event {
    case .welcome: take(event)
    case .observed(let frame): try write(frame)
    case .observedGesture(let gesture):
      try put(
        RecordedItem(
          text: jsonLine(RecordedGestureEvent(gesture)), time: gesture.time.microseconds))
    case .observedChange(let change):
      let text = try RecordedAttachment(change).map(jsonLine) ?? RecordedEvent(change).map(jsonLine)
      guard let text else { return }
      try put(
        RecordedItem(text: text, time: change.time.microseconds, effect: .init(change)))
    default: break
    }
  }

  private func write(_ frame: Observation) throws {
    var whole = frame
    if let begun = unfinished, begun.sequence == frame.sequence {
      whole.records = begun.records + frame.records
    }
    unfinished = frame.continues ? whole : nil
    guard !frame.continues else { return }
    try put(
      RecordedItem(
        text: jsonLine(RecordedFrame(whole)), time: whole.time.microseconds,
        cancels: whole.records.compactMap(\.cancelReason)))
  }
}

extension RecordedItem.Effect {
  fileprivate init(_ change: ObservedChange) {
    switch (change.kind, change.attachment, change.client) {
    case (.attached, let id?, let client?): self = .attached(id, client)
    case (.detached, let id?, _): self = .detached(id)
    case (.gone, _, let client?): self = .gone(client)
    default: self = .nothing
    }
  }
}

extension TouchEvent {
  fileprivate var isLayoutChange: Bool {
    if case .observedChange(let change) = self { change.kind == .layout } else { false }
  }

  fileprivate var time: UInt64 {
    if case .observedChange(let change) = self { change.time.microseconds } else { 0 }
  }

  /// Keeps in mind who holds what, by the attachments' numbers.
  fileprivate func note(in holders: inout [UInt32: TouchEvent]) {
    guard case .observedChange(let change) = self else { return }
    switch change.kind {
    case .attached: if let id = change.attachment { holders[id] = self }
    case .detached: if let id = change.attachment { holders[id] = nil }
    case .gone:
      holders = holders.filter {
        if case .observedChange(let held) = $0.value { held.client != change.client } else { true }
      }
    default: break
    }
  }
}
