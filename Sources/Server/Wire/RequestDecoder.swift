import CLinux
import CTouchroute
import Glibc

/// Bytes of a client's stream in, messages out. Holds one message of the largest size, never more.
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

  static let capacity = Int(TOUCHROUTE_MAX_REQUEST)

  /// Owned; `capacity` bytes, aligned to 8.
  private let buffer = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 8)
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
    guard end < Self.capacity else { return .nothingYet }
    while true {
      let result = clinux_receive(descriptor, buffer + end, Self.capacity - end)
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
    return try RequestParser(opcode: opcode, bytes: bytes).message()
  }

  /// The header at `start`; only where its bytes are there.
  private var header: touchroute_header {
    (buffer + start).load(as: touchroute_header.self)
  }

  private func headerError(_ header: touchroute_header) -> RequestError? {
    let size = header.size
    let text: String
    if size > TOUCHROUTE_MAX_REQUEST {
      text = "a message of \(size) bytes: a request has at most \(TOUCHROUTE_MAX_REQUEST)"
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

  private mutating func makeSpace() {
    guard start > 0 else { return }
    if count > 0 { memmove(buffer, buffer + start, count) }
    end -= start
    start = 0
  }
}
