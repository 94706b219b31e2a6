import CTouchroute
import Glibc
import Layout
import Routing
import TouchModel

/// What waits to be sent to one client: whole messages, as they go over the wire. A message is the
/// queue's to change or drop until its first byte is given to the kernel; from then on it is only
/// sent. So a frame that waits can be found and changed where it lies (rule F2).
final class OutgoingQueue {
  /// The most bytes that may wait.
  let limit: Int
  /// Whether a message was refused because the limit was reached; it stays so.
  private(set) var hasOverflowed = false
  /// Whether the kernel took less than all when it was last given what waits: the peer has not read
  /// enough, and what is appended would wait behind it.
  private(set) var isBlocked = false

  private let buffer = MessageBuffer()
  /// Each device's last message with touches, where none of another kind has come behind it: what
  /// a further frame of the device may be merged into. Cleared when nothing waits.
  private let latest = ReusableList<Latest>()
  /// Each recognizer's last `changed`, where nothing but moves has come behind it: what a further
  /// one takes the place of. Cleared when nothing waits. Rule G14.
  private let latestChanges = ReusableList<Latest>()
  /// Where the messages wait that only the latest of their kind counts of. Cleared when nothing
  /// waits.
  private var states: [StateKey: Int] = [:]
  /// Whether there may be any.
  private var hasStates = false
  /// Behind this nothing waits that names a screen, but layouts, which other screens tell anew.
  private var screensEnd = 0
  /// Whether a frame may wait that goes on in a further message.
  private var hasSplitFrames = false

  private struct Latest {
    /// The device, or the recognizer.
    var device: UInt32
    var offset: Int
  }

  /// What a message tells the state of: of those with one key the latest replaces the one that
  /// waits.
  struct StateKey: Hashable {
    /// The message's opcode.
    var event: UInt16
    /// Of what it tells, such as an attachment's number.
    var subject: UInt32

    init(_ event: touchroute_event, of subject: UInt32 = 0) {
      self.event = UInt16(event.rawValue)
      self.subject = subject
    }

    /// Whether it is told, or told anew, where there are other screens.
    fileprivate var isToldWithScreens: Bool {
      event == TOUCHROUTE_WELCOME.rawValue || event == TOUCHROUTE_LAYOUT.rawValue
    }

    /// That of an attachment's geometry.
    static func layout(of attachment: AttachmentID) -> Self {
      Self(TOUCHROUTE_LAYOUT, of: attachment.rawValue)
    }
  }

  /// What became of a frame.
  enum Queued: Equatable {
    /// It waits; behind what the client has yet to read, where that blocks the queue.
    case appended(isBlocked: Bool)
    /// It was merged into one that waited; so many samples were over the bound of their history.
    case merged(droppedSamples: Int)
    /// The queue has overflowed.
    case refused
  }

  /// What became of what waited.
  struct Flushed {
    /// The bytes that the kernel took.
    var sent = 0
    /// The bytes that wait still.
    var left: Int
    /// An errno, where the connection no longer stands.
    var failure: Int32?
  }

  private static let nowhere = -1

  /// An empty queue in which `limit` bytes may wait, and one message of the largest size in any
  /// case.
  init(limit: Int) { self.limit = max(limit, Int(TOUCHROUTE_MAX_MESSAGE)) }

  /// The bytes that wait.
  var count: Int { buffer.count }

  /// Whether nothing waits.
  var isEmpty: Bool { buffer.isEmpty }

  /// The bytes that wait; not to be kept.
  var bytes: UnsafeRawBufferPointer { buffer.bytes }

  // MARK: - Messages

  /// Appends a message. False, and the queue has overflowed, where the limit does not allow it. No
  /// frame is merged past it.
  @discardableResult
  func append(_ message: some OutgoingMessage) -> Bool {
    guard put(message) else { return false }
    screensEnd = buffer.end
    return true
  }

  private func put(_ message: some OutgoingMessage) -> Bool {
    latest.removeAll()
    latestChanges.removeAll()
    guard let offset = reserve(message.size) else { return false }
    message.write(to: buffer.pointer(at: offset))
    return true
  }

  /// Appends `changed` of a gesture: the one of that recognizer that waits goes, unless something
  /// else than moves has come behind it. Moves are merged past it. Rule G14.
  @discardableResult
  func append(_ message: some OutgoingMessage, changeOf recognizer: UInt32) -> Bool {
    guard let offset = reserve(message.size) else { return false }
    message.write(to: buffer.pointer(at: offset))
    screensEnd = buffer.end
    guard let index = latestChanges.indices.first(where: { latestChanges[$0].device == recognizer })
    else {
      latestChanges.append(Latest(device: recognizer, offset: offset))
      return true
    }
    let old = latestChanges[index].offset
    latestChanges[index].offset = offset
    if old >= buffer.firstUnsent { remove(buffer.message(at: old)) }
    return true
  }

  /// The same for a message that tells a state: it replaces the one with its key, where that waits
  /// and none of it was sent. So however often a state changes, one message of it waits,
  /// and touches never come before a state that they were made by; those that lie behind an older
  /// state may come to lie behind a newer one.
  @discardableResult
  func append(_ message: some OutgoingMessage, stateOf key: StateKey) -> Bool {
    append(message, stateOf: key, notBefore: buffer.firstUnsent)
  }

  /// Appends a message that begins a state anew: what tells that state from now on comes behind it.
  @discardableResult
  func append(_ message: some OutgoingMessage, endingStateOf key: StateKey) -> Bool {
    states[key] = nil
    return append(message)
  }

  /// Appends a message that tells of the screens by which all behind it is numbered: it replaces a
  /// waiting one only where nothing but layouts lies behind that. Otherwise the states that wait by
  /// now are replaced no longer.
  @discardableResult
  func append(_ message: some OutgoingMessage, basisOf key: StateKey) -> Bool {
    let bound = max(buffer.firstUnsent, screensEnd)
    if states[key].map({ $0 < bound }) ?? true { states.removeAll(keepingCapacity: true) }
    return append(message, stateOf: key, notBefore: bound)
  }

  private func append(
    _ message: some OutgoingMessage, stateOf key: StateKey, notBefore bound: Int
  ) -> Bool {
    if let offset = states[key], offset >= bound {
      guard let offset = resize(buffer.message(at: offset), to: message.size) else { return false }
      message.write(to: buffer.pointer(at: offset))
      return true
    }
    guard put(message) else { return false }
    if !key.isToldWithScreens { screensEnd = buffer.end }
    states[key] = buffer.end - message.size
    hasStates = true
    return true
  }

  /// Gives a waiting message another size, for its caller to fill anew; its offset.
  private func resize(_ range: Range<Int>, to size: Int) -> Int? {
    let growth = size - range.count
    if growth > 0 {
      let distance = buffer.end - range.upperBound
      guard reserve(growth) != nil else { return nil }
      // What waits may have moved to make space, all of it.
      let end = buffer.end - growth - distance
      buffer.insert(growth, at: end)
      shift(from: end, by: growth)
      return end - range.count
    }
    if growth < 0 { remove(range.lowerBound + size..<range.upperBound) }
    return range.lowerBound
  }

  // MARK: - Frames

  /// Appends one frame of touches as it goes over the wire; in several messages where it is larger
  /// than one may be. Where the client does not read, moves are merged into those that wait, and
  /// the moves of touches that are cancelled go. Allocates nothing once the queue has its size.
  ///
  /// Rules T2 and F2.
  ///
  /// - Parameter layout: The one in force.
  func append(
    _ frame: Deliveries.ClientFrame, of records: ReusableList<Deliveries.Record>,
    in layout: Layout
  ) -> Queued {
    if isBlocked, let queued = merge(frame, of: records) { return queued }
    if !isEmpty { discardMoves(cancelledBy: records, frame.records) }
    if !latestChanges.isEmpty { keepChanges(before: records, frame.records) }
    var rest = frame.records
    while !rest.isEmpty {
      let part = TouchesPart.first(of: rest, records, layout)
      let isWhole = part.records == frame.records
      rest = part.records.upperBound..<rest.upperBound
      guard let offset = reserve(part.size, touchesOf: frame.device.rawValue, isWhole: isWhole)
      else { return .refused }
      part.write(frame, records, layout, isLast: rest.isEmpty, to: buffer.pointer(at: offset))
    }
    return .appended(isBlocked: isBlocked)
  }

  /// Gestures' changes are not merged past touches that begin or end.
  private func keepChanges(before records: ReusableList<Deliveries.Record>, _ group: Range<Int>) {
    for index in group where records[index].phase == .began || records[index].phase.isFinal {
      return latestChanges.removeAll()
    }
  }

  /// Merges a frame of moves into the one of its device that waits; nil where there is none, or it
  /// is on its way, or has other touches. What comes of it waits behind everything else, so that
  /// the frames' numbers go up whatever other devices did meanwhile.
  private func merge(
    _ frame: Deliveries.ClientFrame, of records: ReusableList<Deliveries.Record>
  ) -> Queued? {
    let device = frame.device.rawValue
    guard let index = latestIndex(of: device), latest[index].offset >= buffer.firstUnsent
    else { return nil }
    let waiting = buffer.message(at: latest[index].offset)
    let old = TouchesMessage(at: buffer.pointer(at: waiting.lowerBound))
    guard let merger = TouchesMerger(of: old, frame, records) else { return nil }
    let distance = buffer.end - waiting.lowerBound
    guard
      let offset = reserve(
        merger.size, touchesOf: device, isWhole: true, inPlaceOf: waiting.count)
    else { return .refused }
    // What waits may have moved to make space, all of it.
    let start = offset - distance
    merger.write(
      TouchesMessage(at: buffer.pointer(at: start)), frame, records,
      to: TouchesMessage(at: buffer.pointer(at: offset)))
    remove(start..<start + waiting.count)
    return .merged(droppedSamples: merger.droppedSamples)
  }

  /// Takes the moves of touches that are cancelled out of the messages of which nothing was sent,
  /// but for those that name their targets. A message that then says nothing new goes.
  private func discardMoves(
    cancelledBy records: ReusableList<Deliveries.Record>, _ group: Range<Int>
  ) {
    // What goes on in another message must not lose its end.
    guard !hasSplitFrames, group.contains(where: { records[$0].phase == .cancelled }) else {
      return
    }
    var offset = buffer.firstUnsent
    while offset < buffer.end {
      let range = buffer.message(at: offset)
      offset = range.upperBound
      let message = TouchesMessage(at: buffer.pointer(at: range.lowerBound))
      guard message.hasTouches else { continue }
      let size = message.removeMoves { touch in
        group.contains {
          records[$0].phase == .cancelled && records[$0].id.rawValue == touch.id
            && records[$0].attachment.rawValue == touch.attachment
        }
      }
      offset = range.lowerBound + size
      if size < range.count { remove(offset..<range.upperBound) }
    }
  }

  // MARK: - Space

  /// Space for a message; its offset, or nil, and the queue has overflowed, where the limit does
  /// not allow it.
  ///
  /// - Parameter replaced: The bytes of the message that will be removed once this one is filled.
  private func reserve(_ size: Int, inPlaceOf replaced: Int = 0) -> Int? {
    assert(size % 8 == 0 && size <= Int(TOUCHROUTE_MAX_MESSAGE), "not a message: \(size) bytes")
    guard !hasOverflowed, count + size - replaced <= limit else {
      hasOverflowed = true
      return nil
    }
    let reserved = buffer.reserve(size)
    if reserved.shift > 0 { shift(from: 0, by: -reserved.shift) }
    return reserved.offset
  }

  /// The same for a message with touches of a device.
  ///
  /// - Parameter isWhole: Whether it holds the whole frame, so that the next one may be merged into
  ///   it.
  private func reserve(
    _ size: Int, touchesOf device: UInt32, isWhole: Bool, inPlaceOf replaced: Int = 0
  ) -> Int? {
    guard let offset = reserve(size, inPlaceOf: replaced) else { return nil }
    screensEnd = buffer.end
    hasSplitFrames = hasSplitFrames || !isWhole
    let mergeable = isWhole ? offset : Self.nowhere
    if let index = latestIndex(of: device) {
      latest[index].offset = mergeable
    } else {
      latest.append(Latest(device: device, offset: mergeable))
    }
    return offset
  }

  private func latestIndex(of device: UInt32) -> Int? {
    for index in latest.indices where latest[index].device == device { return index }
    return nil
  }

  /// Takes bytes out of what was not sent.
  private func remove(_ range: Range<Int>) {
    buffer.remove(range)
    shift(from: range.upperBound, by: -range.count)
  }

  /// What lies from there on has moved.
  private func shift(from offset: Int, by distance: Int) {
    for index in latest.indices where latest[index].offset >= offset {
      latest[index].offset += distance
    }
    for index in latestChanges.indices where latestChanges[index].offset >= offset {
      latestChanges[index].offset += distance
    }
    if screensEnd >= offset { screensEnd += distance }
    guard hasStates else { return }
    for index in states.values.indices where states.values[index] >= offset {
      states.values[index] += distance
    }
  }

  private func forgetWaiting() {
    latest.removeAll()
    latestChanges.removeAll()
    screensEnd = 0
    if hasStates { states.removeAll() }
    hasStates = false
  }

  // MARK: - Sending

  /// Sends what waits, with one call; nil where nothing does. The corresponding C function is send.
  @discardableResult
  func flush(to descriptor: Int32) -> Flushed? {
    if isEmpty { return nil }
    let sent = buffer.send(to: descriptor)
    guard sent >= 0 else {
      if sent != -Int(EAGAIN) { return Flushed(left: count, failure: Int32(-sent)) }
      isBlocked = true
      return Flushed(left: count)
    }
    isBlocked = !isEmpty
    if !isBlocked {
      hasSplitFrames = false
      forgetWaiting()
    }
    return Flushed(sent: sent, left: count)
  }

  /// What waits, from the beginning of the message that is being sent, and how much of it is sent.
  var unsent: (bytes: [UInt8], sent: Int) { buffer.unsent }

  /// Goes on with what another queue had unsent; only for an empty one. Of these messages only the
  /// sizes are known to be right: none is looked into.
  func resume(_ bytes: [UInt8], sent: Int) {
    buffer.resume(bytes, sent: sent)
    hasSplitFrames = !bytes.isEmpty
  }

  /// Forgets every message of which no byte has been given to the kernel, and the overflow: what
  /// remains is at most the rest of one message, so that last words fit.
  func dropUnsent() {
    hasOverflowed = false
    buffer.truncate(at: buffer.firstUnsent)
    forgetWaiting()
  }
}
