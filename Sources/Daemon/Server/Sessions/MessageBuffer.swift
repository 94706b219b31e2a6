import CTouchroute
import Glibc
import TouchModel

/// The bytes of whole messages that wait for one client, in one buffer. The messages' own headers
/// say where each begins and ends, so the buffer is its own list; a message is named by its offset.
///
/// It grows by doubling, and keeps up to `keptCapacity` when it has drained: once warm, appending
/// frames allocates nothing, and a client that once stalled costs nothing later.
final class MessageBuffer {
  /// Owned; `capacity` bytes, aligned to 8.
  private var memory: UnsafeMutableRawPointer
  private var capacity = initialCapacity
  /// The bytes that wait lie in `head..<tail`.
  private var head = 0
  private var tail = 0
  /// Where the message that `head` lies in begins, a multiple of 8; `head` itself where none of it
  /// was sent.
  private var boundary = 0

  private static let initialCapacity = 1024
  private static let keptCapacity = 8_192

  /// One in which nothing waits.
  init() { memory = .allocate(byteCount: capacity, alignment: 8) }

  deinit { memory.deallocate() }

  /// The bytes that wait.
  var count: Int { tail - head }

  /// Whether nothing waits.
  var isEmpty: Bool { head == tail }

  /// The bytes that wait; not to be kept.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: memory + head, count: count) }

  /// The offset behind all that waits.
  var end: Int { tail }

  /// Where the first message is of which nothing was sent.
  var firstUnsent: Int { boundary == head ? head : message(at: boundary).upperBound }

  /// Where the bytes of a message are, until something is reserved.
  func pointer(at offset: Int) -> UnsafeMutableRawPointer { memory + offset }

  /// The bytes of the message that begins there.
  func message(at offset: Int) -> Range<Int> {
    offset..<offset + Int((memory + offset).load(as: touchroute_header.self).size)
  }

  // MARK: - Changing what waits

  /// Makes space behind all that waits, for a message of so many bytes, which is to be filled at
  /// once.
  ///
  /// - Returns: The message's offset, and by how much those of all others have become smaller.
  func reserve(_ size: Int) -> (offset: Int, shift: Int) {
    let shift = tail + size > capacity ? makeSpace(for: size) : 0
    defer { tail += size }
    return (tail, shift)
  }

  /// Takes bytes out of what was not sent; what lies behind them moves up.
  func remove(_ range: Range<Int>) {
    memmove(memory + range.lowerBound, memory + range.upperBound, tail - range.upperBound)
    tail -= range.count
  }

  /// Makes space within what was not sent, for bytes that were reserved behind all of it; what lies
  /// behind them moves.
  func insert(_ count: Int, at offset: Int) {
    memmove(memory + offset + count, memory + offset, tail - count - offset)
  }

  /// Forgets what lies there and behind it; a message begins there of which nothing was sent.
  func truncate(at offset: Int) { tail = offset }

  // MARK: - Sending

  /// Gives the kernel what waits, with one call. The corresponding C function is send.
  ///
  /// - Returns: How many bytes it took, or a negative errno; -EAGAIN where the socket is full.
  func send(to descriptor: Int32) -> Int {
    while true {
      let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
      let result = Glibc.send(descriptor, memory + head, count, flags)
      if result >= 0 {
        consume(result)
        return result
      }
      if errno != EINTR { return -Int(errno) }
    }
  }

  /// So many bytes, counted from the head, are the kernel's.
  private func consume(_ sent: Int) {
    head += sent
    guard head < tail else {
      (head, tail, boundary) = (0, 0, 0)
      if capacity > Self.keptCapacity { replaceMemory(capacity: Self.initialCapacity) }
      return
    }
    while case let next = message(at: boundary).upperBound, next <= head { boundary = next }
  }

  /// What waits, from the beginning of the message that is being sent, and how much of it is sent.
  var unsent: (bytes: [UInt8], sent: Int) {
    let bytes = UnsafeRawBufferPointer(start: memory + boundary, count: tail - boundary)
    return (Array(bytes), head - boundary)
  }

  /// Goes on with what another buffer had unsent; only for an empty one.
  func resume(_ bytes: [UInt8], sent: Int) {
    precondition(isEmpty && sent <= bytes.count, "a buffer resumes another when it is empty")
    if bytes.count > capacity { _ = makeSpace(for: bytes.count) }
    bytes.withUnsafeBytes { if let base = $0.baseAddress { memcpy(memory, base, $0.count) } }
    (boundary, head, tail) = (0, sent, bytes.count)
  }

  // MARK: - Memory

  /// Moves what waits to the front, or into larger memory; by how much its offsets have become
  /// smaller: a multiple of 8, so messages stay aligned.
  private func makeSpace(for size: Int) -> Int {
    let shift = boundary
    let kept = tail - shift
    var newCapacity = capacity
    while newCapacity < kept + size { newCapacity *= 2 }
    if newCapacity == capacity {
      memmove(memory, memory + shift, kept)
    } else {
      replaceMemory(capacity: newCapacity)
    }
    head -= shift
    tail -= shift
    boundary = 0
    return shift
  }

  /// Takes other memory, with what waits at its front.
  private func replaceMemory(capacity newCapacity: Int) {
    let replacement = UnsafeMutableRawPointer.allocate(byteCount: newCapacity, alignment: 8)
    memcpy(replacement, memory + boundary, tail - boundary)
    memory.deallocate()
    memory = replacement
    capacity = newCapacity
  }
}
