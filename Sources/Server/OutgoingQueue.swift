import CTouchroute
import Glibc
import TouchModel

/// What waits to be sent to one client: whole messages, as they go over the wire, in one buffer.
///
/// The messages' own headers say where each begins and ends, so the buffer is its own list, and a
/// frame that waits can be found and changed in place (rule F2). A message is the queue's to change
/// or drop until its first byte is given to the kernel; from then on it is only sent.
///
/// It grows by doubling up to its limit, and keeps up to `keptCapacity` when it has drained: once
/// warm, appending frames allocates nothing, and a client that once stalled costs nothing later.
struct OutgoingQueue: ~Copyable {
  /// The most bytes that may wait.
  let limit: Int
  /// Whether a message was refused because the limit was reached; it stays so.
  private(set) var hasOverflowed = false
  /// Whether the kernel took less than all when it was last given what waits: the peer has not read
  /// enough, and what is appended would wait behind it.
  private(set) var isBlocked = false

  /// Whether a frame waits that goes on in a further message.
  private(set) var hasSplitFrames = false

  /// Owned; `capacity` bytes, aligned to 8.
  private(set) var buffer: UnsafeMutableRawPointer
  private var capacity: Int
  /// The bytes that wait lie in `head..<tail`.
  private var head = 0
  private var tail = 0
  /// Where the message that `head` lies in begins, a multiple of 8; `head` itself where none of it
  /// was sent.
  private var boundary = 0
  /// Each device's last message with touches, where none of another kind has come behind it: what
  /// a further frame of the device may be merged into. Cleared when nothing waits.
  private var latest: ReusableArray<Latest> = []

  private struct Latest {
    var device: UInt32
    var offset: Int
  }

  /// Where the messages wait that only the latest of their kind counts of. Cleared when nothing
  /// waits.
  private var states: [StateKey: Int] = [:]
  /// Behind this nothing waits that has touches.
  private var touchesEnd = 0

  /// What a message tells the state of: of those with one key the latest takes the place of the one
  /// that waits.
  struct StateKey: Hashable {
    /// The message's opcode.
    var event: UInt16
    /// Of what it tells, such as an attachment's number.
    var subject: UInt32

    init(_ event: touchroute_event, of subject: UInt32 = 0) {
      self.event = UInt16(event.rawValue)
      self.subject = subject
    }
  }

  private static let nowhere = -1
  private static let initialCapacity = 1024
  private static let keptCapacity = 8_192

  /// An empty queue in which `limit` bytes may wait, and one message of the largest size in any
  /// case.
  init(limit: Int) {
    self.limit = max(limit, Int(TOUCHROUTE_MAX_MESSAGE))
    capacity = Self.initialCapacity
    buffer = .allocate(byteCount: capacity, alignment: 8)
  }

  deinit { buffer.deallocate() }

  /// The bytes that wait.
  var count: Int { tail - head }

  /// Whether nothing waits.
  var isEmpty: Bool { head == tail }

  /// The bytes that wait, to be copied by a test or handed to the kernel.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: buffer + head, count: count) }

  /// Room for one message of `size` bytes, a multiple of 8, which its caller fills at once and
  /// entirely; nil, and the queue has overflowed, where the limit does not allow it. No frame is
  /// merged past it.
  mutating func append(_ size: Int) -> UnsafeMutableRawPointer? {
    latest.removeAll()
    return reserve(size, inPlaceOf: 0)
  }

  /// The same for a message that tells a state: it takes the place of the one with its key, where
  /// that waits and none of it was sent. So however often a state changes, one message of it waits,
  /// and touches never come before a state that they were made by; those that lie behind an older
  /// state may come to lie behind a newer one.
  mutating func append(_ size: Int, stateOf key: StateKey) -> UnsafeMutableRawPointer? {
    if let offset = states[key], offset >= firstUnsent {
      return resize(offset..<offset + messageSize(at: offset), to: size)
    }
    guard let start = append(size) else { return nil }
    states[key] = start - buffer
    return start
  }

  /// The same for a message that tells of something by which touches and the states behind it are
  /// numbered: it takes a waiting one's place only where no touches lie behind that, and no state
  /// that waits by now is replaced any more.
  mutating func append(_ size: Int, basisOf key: StateKey) -> UnsafeMutableRawPointer? {
    if let offset = states[key], offset >= max(firstUnsent, touchesEnd) {
      return resize(offset..<offset + messageSize(at: offset), to: size)
    }
    states.removeAll(keepingCapacity: true)
    return append(size, stateOf: key)
  }

  /// Gives a waiting message another size, for its caller to fill anew.
  private mutating func resize(_ range: Range<Int>, to size: Int) -> UnsafeMutableRawPointer? {
    let growth = size - range.count
    guard growth != 0 else { return buffer + range.lowerBound }
    let distance = tail - range.lowerBound
    guard reserve(max(growth, 0), inPlaceOf: 0) != nil else { return nil }
    if growth < 0 { tail += growth }
    // What waits may have moved to make room, all of it.
    let start = tail - growth - distance
    let end = start + range.count
    memmove(buffer + end + growth, buffer + end, tail - growth - end)
    shift(from: end, by: growth)
    return buffer + start
  }

  /// What lies from there on has moved.
  private mutating func shift(from offset: Int, by distance: Int) {
    for index in latest.indices where latest[index].offset >= offset {
      latest[index].offset += distance
    }
    if touchesEnd >= offset { touchesEnd += distance }
    guard !states.isEmpty else { return }
    for index in states.values.indices where states.values[index] >= offset {
      states.values[index] += distance
    }
  }

  /// The same for a message with touches of a device.
  ///
  /// - Parameters:
  ///   - isWhole: Whether it holds the whole frame, so that the next one may be merged into it.
  ///   - replaced: The bytes of the message that will be removed once this one is filled.
  mutating func append(
    _ size: Int, touchesOf device: UInt32, isWhole: Bool, inPlaceOf replaced: Int = 0
  ) -> UnsafeMutableRawPointer? {
    guard let place = reserve(size, inPlaceOf: replaced) else { return nil }
    touchesEnd = tail
    let offset = isWhole ? place - buffer : Self.nowhere
    hasSplitFrames = hasSplitFrames || !isWhole
    if let index = latest.firstIndex(where: { $0.device == device }) {
      latest[index].offset = offset
    } else {
      latest.append(Latest(device: device, offset: offset))
    }
    return place
  }

  /// Where the message is that a device's next frame may be merged into: none of it was sent.
  func latest(of device: UInt32) -> Range<Int>? {
    guard let found = latest.first(where: { $0.device == device }), found.offset >= firstUnsent
    else { return nil }
    return found.offset..<found.offset + messageSize(at: found.offset)
  }

  /// The offset behind all that waits.
  var end: Int { tail }

  /// Where the first message is of which nothing was sent.
  var firstUnsent: Int { boundary == head ? head : boundary + messageSize(at: boundary) }

  /// The range of the message behind that place, where there is one.
  func message(at offset: Int) -> Range<Int>? {
    offset < tail ? offset..<offset + messageSize(at: offset) : nil
  }

  /// Takes bytes out of what was not sent; what lies behind them moves up.
  mutating func remove(_ range: Range<Int>) {
    memmove(buffer + range.lowerBound, buffer + range.upperBound, tail - range.upperBound)
    tail -= range.count
    shift(from: range.upperBound, by: -range.count)
  }

  private mutating func reserve(
    _ size: Int, inPlaceOf replaced: Int
  ) -> UnsafeMutableRawPointer? {
    assert(size % 8 == 0 && size <= Int(TOUCHROUTE_MAX_MESSAGE), "not a message: \(size) bytes")
    guard !hasOverflowed, count + size - replaced <= limit else {
      hasOverflowed = true
      return nil
    }
    if tail + size > capacity { makeRoom(for: size) }
    defer { tail += size }
    return buffer + tail
  }

  /// Sends what waits with one call. Whether the connection still stands; an errno where not. The
  /// corresponding C function is send.
  mutating func flush(to descriptor: Int32) -> Int32? {
    while !isEmpty {
      let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
      let result = send(descriptor, buffer + head, count, flags)
      if result >= 0 {
        consume(result)
        return nil
      }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        isBlocked = true
        return nil
      case let code: return code
      }
    }
    return nil
  }

  /// What waits, from the beginning of the message that is being sent, and how much of it is sent.
  var unsent: (bytes: [UInt8], sent: Int) {
    let bytes = UnsafeRawBufferPointer(start: buffer + boundary, count: tail - boundary)
    return (Array(bytes), head - boundary)
  }

  /// Goes on with what another queue had unsent; only for an empty one.
  mutating func resume(_ bytes: [UInt8], sent: Int) {
    precondition(isEmpty && sent <= bytes.count, "a queue resumes another when it is empty")
    if bytes.count > capacity { makeRoom(for: bytes.count) }
    bytes.withUnsafeBytes { if let base = $0.baseAddress { memcpy(buffer, base, $0.count) } }
    (boundary, head, tail) = (0, sent, bytes.count)
  }

  /// Forgets every message of which no byte has been given to the kernel, and the overflow: what
  /// remains is at most the rest of one message, so that last words have room.
  mutating func dropUnsent() {
    hasOverflowed = false
    tail = firstUnsent
    forgetWaiting()
  }

  /// `sent` bytes, counted from the head, are the kernel's.
  private mutating func consume(_ sent: Int) {
    head += sent
    isBlocked = head < tail
    guard isBlocked else {
      head = 0
      tail = 0
      boundary = 0
      hasSplitFrames = false
      forgetWaiting()
      if capacity > Self.keptCapacity { replaceBuffer(capacity: Self.initialCapacity) }
      return
    }
    while boundary + messageSize(at: boundary) <= head { boundary += messageSize(at: boundary) }
  }

  private mutating func forgetWaiting() {
    latest.removeAll()
    touchesEnd = 0
    if !states.isEmpty { states.removeAll() }
  }

  private func messageSize(at offset: Int) -> Int {
    Int((buffer + offset).load(as: touchroute_header.self).size)
  }

  /// Moves what waits to the front, or into a larger buffer. Messages stay aligned, since they move
  /// by `boundary`, a multiple of 8.
  private mutating func makeRoom(for size: Int) {
    let kept = tail - boundary
    var newCapacity = capacity
    while newCapacity < kept + size { newCapacity *= 2 }
    if newCapacity == capacity {
      memmove(buffer, buffer + boundary, kept)
    } else {
      replaceBuffer(capacity: newCapacity)
    }
    head -= boundary
    tail -= boundary
    shift(from: 0, by: -boundary)
    boundary = 0
  }

  /// Takes another buffer, with what waits at its front.
  private mutating func replaceBuffer(capacity newCapacity: Int) {
    let replacement = UnsafeMutableRawPointer.allocate(byteCount: newCapacity, alignment: 8)
    memcpy(replacement, buffer + boundary, tail - boundary)
    buffer.deallocate()
    buffer = replacement
    capacity = newCapacity
  }
}
