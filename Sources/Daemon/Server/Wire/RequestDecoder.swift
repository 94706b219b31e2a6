import CLinux
import CTouchroute
import Glibc

/// Bytes of a client's stream in, messages out. Holds one message of the largest size, never more;
/// only where one is announced that may be larger than the others, its memory is so large.
///
/// A message is checked as soon as its header is there: one that is too long, or that nobody
/// knows, is refused before its bytes are waited for.
struct RequestDecoder: ~Copyable {
  /// How a read went.
  enum Received: Equatable {
    case bytes(Int)
    case nothingYet
    case endOfStream
    /// The client has passed a descriptor, which lies unread. Nothing further can be read.
    case passedDescriptor
    case failed(Int32)
  }

  /// The bytes of the largest message, and of the largest but those that few clients send.
  static let capacity = Int(TOUCHROUTE_MAX_CHANGE_VIEWS)
  private static let usualCapacity = Int(TOUCHROUTE_MAX_REQUEST)

  /// Owned; `size` bytes, aligned to 8.
  private var buffer = UnsafeMutableRawPointer.allocate(byteCount: usualCapacity, alignment: 8)
  private var size = usualCapacity
  /// The bytes not yet decoded lie in `start..<end`; `start` is a multiple of 8.
  private var start = 0
  private var end = 0

  deinit { buffer.deallocate() }

  /// The bytes not yet decoded.
  var count: Int { end - start }

  /// The bytes not yet decoded, at most `capacity`. To set them is for one that has received none.
  var unread: [UInt8] {
    get { Array(UnsafeRawBufferPointer(start: buffer + start, count: count)) }
    set {
      precondition(count == 0 && newValue.count <= Self.capacity, "bytes for an empty decoder")
      resize(to: newValue.count > Self.usualCapacity ? Self.capacity : Self.usualCapacity)
      (start, end) = (0, newValue.count)
      newValue.withUnsafeBytes { if let base = $0.baseAddress { memcpy(buffer, base, $0.count) } }
    }
  }

  /// Whether a whole message waits, good or bad: decoding it needs no further byte.
  var hasMessage: Bool {
    guard count >= MemoryLayout<touchroute_header>.size else { return false }
    return headerError(header) != nil || count >= Int(header.size)
  }

  /// What the next message asks for; nil where it is not there whole, or is not good so far.
  var nextOpcode: Opcode? {
    guard hasMessage, headerError(header) == nil else { return nil }
    return Opcode(rawValue: header.opcode)
  }

  /// The size that the message being received says it has; nil while not even that is known.
  var announcedSize: Int? {
    count >= MemoryLayout<touchroute_header>.size ? Int(header.size) : nil
  }

  /// Reads once, as much as fits. The corresponding C function is recv; no
  /// descriptor that was passed is dropped, since that may wait.
  mutating func receive(from descriptor: Int32) -> Received {
    makeSpace()
    guard end < size else { return .nothingYet }
    while true {
      let result = clinux_receive(descriptor, buffer + end, size - end)
      if result > 0 {
        end += result
        return .bytes(result)
      }
      if result == 0 { return .endOfStream }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .nothingYet
      case EBADMSG: return .passedDescriptor
      case let code: return .failed(code)
      }
    }
  }

  /// The next message, or nil where more bytes are needed.
  ///
  /// - Throws: what is wrong with it. An error that is not fatal has consumed the message.
  mutating func next() throws(RequestError) -> ClientMessage? {
    guard count >= MemoryLayout<touchroute_header>.size else { return nil }
    let header = header
    if let error = headerError(header) { throw error }
    guard let opcode = Opcode(rawValue: header.opcode) else {
      throw .malformed("there is no request \(header.opcode)", opcode: header.opcode)
    }
    guard count >= Int(header.size) else { return nil }
    let bytes = UnsafeRawBufferPointer(start: buffer + start, count: Int(header.size))
    start += Int(header.size)
    return try ClientMessage(opcode, bytes)
  }

  /// The header at `start`; only where its bytes are there.
  private var header: touchroute_header {
    (buffer + start).load(as: touchroute_header.self)
  }

  private func headerError(_ header: touchroute_header) -> RequestError? {
    let size = header.size
    let largest = Opcode(rawValue: header.opcode)?.largestSize ?? Self.usualCapacity
    let text: String
    if size > largest {
      text = "a message of \(size) bytes: a request has at most \(largest)"
    } else if size < 8 {
      text = "a message of \(size) bytes: its header alone has 8"
    } else if size % 8 != 0 {
      text = "a message of \(size) bytes: sizes are multiples of 8"
    } else if header.flags != 0 {
      text = "the flags of a request's header are \(header.flags), not 0"
    } else {
      return nil
    }
    return .malformed(text, opcode: Opcode(rawValue: header.opcode)?.rawValue ?? 0)
  }

  /// Moves what is not decoded to the front of memory that the message at hand fits in.
  private mutating func makeSpace() {
    let needed = hasLargeMessage || count > Self.usualCapacity ? Self.capacity : Self.usualCapacity
    if needed != size { return resize(to: needed) }
    guard start > 0 else { return }
    if count > 0 { memmove(buffer, buffer + start, count) }
    end -= start
    start = 0
  }

  /// Whether the message at hand is a good one so far, and larger than the usual ones may be.
  private var hasLargeMessage: Bool {
    guard count >= MemoryLayout<touchroute_header>.size else { return false }
    return headerError(header) == nil && Int(header.size) > Self.usualCapacity
  }

  /// Goes over to memory of another size, which holds what is not decoded.
  private mutating func resize(to newSize: Int) {
    guard newSize != size else { return }
    let new = UnsafeMutableRawPointer.allocate(byteCount: newSize, alignment: 8)
    if count > 0 { memcpy(new, buffer + start, count) }
    buffer.deallocate()
    (buffer, size, end, start) = (new, newSize, count, 0)
  }
}
