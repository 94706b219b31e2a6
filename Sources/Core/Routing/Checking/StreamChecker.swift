import TouchModel

/// Holds what the router says to rule T5, and to T2 and T3 with it: every touch begins first and
/// ends once, and its target, ids and order never change in between.
///
/// It reads ``Deliveries``, which say in order what went into the router and what came out, and
/// knows nothing of what lies between. All deliveries are for it, those too that bring nobody
/// anything, so that it forgets what is over. What it costs is a few comparisons for each record,
/// and nothing is allocated while the touches are the same.
public struct StreamChecker {
  /// The mistakes found until now; 0 unless the router is wrong.
  public private(set) var violationCount: UInt64 = 0
  /// The latest one.
  public private(set) var latestViolation: Violation?
  private var gestures = GestureStreams()

  /// What one client has been told.
  private struct Client {
    var generation: UInt32
    var sequence: UInt64 = 0
  }

  private var contacts = Contacts()
  private var streams: [TouchStream] = []
  /// By slot; no client has the generation 0.
  private var clients: [Client] = []
  private var owners = AttachmentOwners()
  private var deviceTimes: [(device: DeviceID, time: Timestamp)] = []
  /// Where the last stream was found: the next record is mostly of the one after it.
  private var cursor = 0
  private var found: [Violation] = []

  /// A checker of a router that has done nothing yet.
  public init() {}

  /// How many streams are open: touches that an attachment was told of and that are not over.
  public var openCount: Int { streams.count { !$0.isOver } }

  /// Checks what the router wants sent, and reports every mistake in it.
  public mutating func check(
    _ deliveries: Deliveries, report: (Violation) -> Void = { _ in }
  ) {
    check(deliveries, isEndHeld: { _ in true }, report: report)
  }

  /// Checks what the router wants sent, and reports every mistake in it.
  ///
  /// - Parameter isEndHeld: Whether the router still holds the end of a touch back.
  mutating func check(
    _ deliveries: Deliveries, isEndHeld: (TouchID) -> Bool, report: (Violation) -> Void
  ) {
    var next = 0
    for index in deliveries.notes.indices {
      let end = deliveries.notes[index].entryCount
      while next < end {
        check(deliveries.entries[next], deliveries)
        next += 1
      }
      take(deliveries.notes[index].happening, deliveries.changes)
    }
    while next < deliveries.entries.count {
      check(deliveries.entries[next], deliveries)
      next += 1
    }
    forgetWhatLeft(unless: isEndHeld)
    if found.isEmpty { return }
    violationCount += UInt64(found.count)
    latestViolation = found.last
    for violation in found { report(violation) }
    found.removeAll()
  }

  @inline(__always)
  private mutating func check(
    _ entry: Deliveries.Entry, _ deliveries: borrowing Deliveries
  ) {
    switch entry {
    case .frame(let frame):
      check(frame, deliveries.records)
    case .layout(_, let attachment):
      for index in streams.indices where streams[index].attachment == attachment {
        streams[index].mayChangeTarget = true
      }
    case .gesture(let index):
      if let kind = gestures.take(deliveries.gestures[index]) {
        let gesture = deliveries.gestures[index]
        add(kind, client: gesture.client, attachment: gesture.attachment)
      }
    case .detached(_, let attachment, _):
      detach(attachment)
    case .screen, .lock, .idle, .feedback: break
    }
  }

  // MARK: What happens

  @inline(__always)
  private mutating func take(
    _ happening: Deliveries.Note.Happening, _ changes: ReusableList<Deliveries.Change>
  ) {
    switch happening {
    case .changes(let first, let end):
      take(changes, first..<end)
    case .attached(let attachment, let client):
      owners[attachment] = client
    case .detached(let attachment):
      detach(attachment)
    case .declined(let touch, let attachment):
      // The attachment that had it hears no more of it. Rule R5.
      for index in streams.indices
      where streams[index].touch == touch && streams[index].attachment == attachment {
        streams[index].finish()
      }
    case .endHeld(let touch, _):
      contacts.holdEnd(of: touch)
    case .wentAway(let client):
      // Nothing more may be said to it, and its touches need no end.
      owners.removeAll(of: client)
      streams.removeAll { $0.client == client }
      gestures.removeAll(of: client)
    }
  }

  @inline(__always)
  private mutating func take(_ changes: ReusableList<Deliveries.Change>, _ range: Range<Int>) {
    var next = range.lowerBound
    while true {
      next = contacts.takeMoves(changes, next..<range.upperBound)
      guard next < range.upperBound else { return }
      take(changes[next])
      next += 1
    }
  }

  private mutating func take(_ change: Deliveries.Change) {
    if change.phase == .began {
      if !contacts.begin(change.touch) { add(.idReused, touch: change.touch) }
    } else if !contacts.take(change.phase, of: change.touch) {
      add(.notOnGlass, touch: change.touch)
    }
  }

  private mutating func detach(_ attachment: AttachmentID) {
    owners[attachment] = nil
    if gestures.remove(attachment) { add(.gestureNeverEnded, attachment: attachment) }
    for stream in streams
    where stream.attachment == attachment && !stream.isOver && stream.phases.contains(.cancelled) {
      add(.detachedLive, client: stream.client, attachment: attachment, touch: stream.touch)
    }
    streams.removeAll { $0.attachment == attachment }
  }

  // MARK: Frames

  @inline(__always)
  private mutating func check(
    _ frame: Deliveries.ClientFrame, _ records: ReusableList<Deliveries.Record>
  ) {
    checkHeader(frame)
    var order = FrameOrder()
    var next = frame.records.lowerBound
    let end = frame.records.upperBound
    while true {
      var latest = cursor
      next = Self.takePlain(
        records, next..<end, of: frame, into: streams.mutableSpan, from: &latest, &order)
      cursor = latest
      guard next < end else { break }
      check(records[next], of: frame)
      if !order.take(records[next]) { add(.wrongOrder, frame, records[next]) }
      next += 1
    }
    if !order.hasChanged { add(.nothingChanged, client: frame.client) }
    // Each record is of a stream of its own, or a violation.
    guard frame.records.count != streams.count else { return }
    for index in streams.indices where streams[index].sequence != frame.sequence {
      let stream = streams[index]
      if stream.client == frame.client && stream.device == frame.device && stream.mustBeInFrames {
        add(.missing, client: frame.client, attachment: stream.attachment, touch: stream.touch)
      }
    }
  }

  /// Takes the records from the first on as long as they go on with their streams as nearly all do,
  /// in this order; returns the index of the first that does not.
  @inline(__always)
  private static func takePlain(
    _ records: ReusableList<Deliveries.Record>, _ range: Range<Int>,
    of frame: Deliveries.ClientFrame, into streams: consuming MutableSpan<TouchStream>,
    from cursor: inout Int, _ order: inout FrameOrder
  ) -> Int {
    var next = range.lowerBound
    while next < range.upperBound {
      var found = cursor
      var left = streams.count
      repeat {
        guard left > 0 else { return next }
        left -= 1
        found = found + 1 < streams.count ? found + 1 : 0
      } while !streams[found].isOf(records[next])
      guard records[next].cancelReason == nil, order.isMoveNext(records[next]),
        streams[found].takePlain(records[next], of: frame)
      else { return next }
      order.take(move: records[next])
      cursor = found
      next += 1
    }
    return next
  }

  @inline(__always)
  private mutating func checkHeader(_ frame: Deliveries.ClientFrame) {
    let slot = Int(frame.client.slot)
    while clients.count <= slot { clients.append(Client(generation: 0)) }
    if clients[slot].generation != frame.client.generation {
      clients[slot] = Client(generation: frame.client.generation)
    }
    if frame.sequence <= clients[slot].sequence { add(.sequenceWentBack, client: frame.client) }
    clients[slot].sequence = max(clients[slot].sequence, frame.sequence)
    for index in deviceTimes.indices where deviceTimes[index].device == frame.device {
      if frame.time < deviceTimes[index].time { add(.timeWentBack, client: frame.client) }
      deviceTimes[index].time = max(deviceTimes[index].time, frame.time)
      return
    }
    if deviceTimes.count == Self.rememberedDevices { deviceTimes.removeFirst() }
    deviceTimes.append((frame.device, frame.time))
  }

  private mutating func check(_ record: Deliveries.Record, of frame: Deliveries.ClientFrame) {
    if (record.phase == .cancelled) != (record.cancelReason != nil) {
      add(.wrongReason, frame, record)
    }
    if let index = streamIndex(of: record) {
      if let kind = streams[index].take(record, of: frame) { add(kind, frame, record) }
      return
    }
    begin(record, of: frame)
  }

  private mutating func begin(_ record: Deliveries.Record, of frame: Deliveries.ClientFrame) {
    if owners[record.attachment] != frame.client { add(.notAttached, frame, record) }
    let isOnGlass = contacts.contains(record.id)
    if !isOnGlass {
      contacts.noteStray()
      if !record.flags.contains(.replayed) { add(.notOnGlass, frame, record) }
    }
    if let kind = TouchStream.violation(ofFirst: record, isOnGlass: isOnGlass) {
      add(kind, frame, record)
    }
    streams.append(TouchStream(record, of: frame))
  }

  private mutating func streamIndex(of record: Deliveries.Record) -> Int? {
    for _ in streams.indices {
      cursor = cursor + 1 < streams.count ? cursor + 1 : 0
      if streams[cursor].isOf(record) { return cursor }
    }
    return nil
  }

  /// Forgets the touches that left the glass, once what was said of them has been checked.
  private mutating func forgetWhatLeft(unless isEndHeld: (TouchID) -> Bool) {
    guard contacts.hasLeaving else { return }
    contacts.forgetWhatLeft(unless: isEndHeld)
    for stream in streams where stream.mustEnd && !contacts.contains(stream.touch) {
      add(
        .neverEnded, client: stream.client, attachment: stream.attachment, touch: stream.touch)
    }
    streams.sweep { stream in !contacts.contains(stream.touch) }
  }

  private mutating func add(
    _ kind: Violation.Kind, client: ClientID? = nil, attachment: AttachmentID? = nil,
    touch: TouchID? = nil
  ) {
    found.append(Violation(kind: kind, client: client, attachment: attachment, touch: touch))
  }

  private mutating func add(
    _ kind: Violation.Kind, _ frame: Deliveries.ClientFrame, _ record: Deliveries.Record
  ) {
    add(kind, client: frame.client, attachment: record.attachment, touch: record.id)
  }

  private static let rememberedDevices = 64
}
