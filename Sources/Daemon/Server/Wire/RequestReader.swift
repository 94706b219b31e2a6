import Wire

/// Reads one whole message of a client from its first byte to its last: structs, and the strings,
/// numbers and points that trail them.
///
/// It reads nothing beyond the message, and its errors name the request, and the client's number
/// for it, in which a mistake was found. Rule F4.
struct RequestReader: ~Copyable {
  private let opcode: Opcode
  /// The whole message, aligned to 8; not owned.
  private let bytes: UnsafeRawBufferPointer
  /// What is read next; a multiple of 8.
  private var offset = 0

  /// At the beginning of a message.
  ///
  /// - Throws: that not even its fixed struct is there, or that its client has not numbered it.
  init(_ opcode: Opcode, _ bytes: UnsafeRawBufferPointer) throws(RequestError) {
    self.opcode = opcode
    self.bytes = bytes
    guard byteCount >= opcode.fixedSize else { throw wrongSize(opcode.fixedSize) }
    guard serial != 0 else {
      throw .malformed("\(opcode): the serial is 0: it must be another", opcode: opcode.rawValue)
    }
  }

  /// The client's number for the message, which every request has right behind the header; 0 where
  /// that is not there.
  var serial: UInt32 { byteCount >= 12 ? bytes.load(fromByteOffset: 8, as: UInt32.self) : 0 }

  /// How many bytes the message has.
  var byteCount: Int { bytes.count }

  /// The message, whole.
  var message: [UInt8] { Array(bytes) }

  // MARK: - Contents

  /// A struct.
  mutating func fixed<Fixed: BitwiseCopyable>(_ type: Fixed.Type) throws(RequestError) -> Fixed {
    bytes.load(fromByteOffset: try skip(MemoryLayout<Fixed>.size), as: type)
  }

  /// A struct with nothing behind it.
  mutating func last<Fixed: BitwiseCopyable>(_ type: Fixed.Type) throws(RequestError) -> Fixed {
    try require(exactly: MemoryLayout<Fixed>.size)
    return try fixed(type)
  }

  /// A string, with its zero padding.
  ///
  /// - Parameters:
  ///   - size: Its bytes, as the message says.
  ///   - range: How many it may have.
  ///   - what: What it is, for the sentence.
  mutating func string(
    _ size: some BinaryInteger, _ range: ClosedRange<UInt32>, _ what: @autoclosure () -> String
  ) throws(RequestError) -> String {
    let start = try skip(padded(Int(size)))
    guard range.contains(UInt32(size)) else {
      throw malformed(
        "its \(what()) has \(size) bytes, not \(range.lowerBound) to \(range.upperBound)")
    }
    let end = start + Int(size)
    let text = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
    guard let string = String(validating: text, as: UTF8.self), !text.contains(0) else {
      throw malformed("its \(what()) is not UTF-8, or has a zero byte")
    }
    guard bytes[end..<offset].allSatisfy({ $0 == 0 }) else {
      throw malformed("the padding behind its \(what()) is not zero")
    }
    return string
  }

  /// Numbers, as many as the message says.
  mutating func numbers(_ count: some BinaryInteger) throws(RequestError) -> [Double] {
    let start = try skip(Int(count) * MemoryLayout<Double>.stride)
    return stride(from: start, to: offset, by: MemoryLayout<Double>.stride).map {
      bytes.load(fromByteOffset: $0, as: Double.self)
    }
  }

  /// Goes on behind that many bytes, which must be there; returns where they begin.
  private mutating func skip(_ size: Int) throws(RequestError) -> Int {
    try require(size)
    defer { offset += size }
    return offset
  }

  // MARK: - Sizes

  /// Holds the message to having at least that many further bytes.
  func require(_ size: Int) throws(RequestError) {
    if byteCount < offset + size { throw wrongSize(offset + size) }
  }

  /// Holds the message to having that many further bytes; to its end, where they are 0.
  func require(exactly size: Int) throws(RequestError) {
    if byteCount != offset + size { throw wrongSize(offset + size) }
  }

  /// Holds a field that is kept for later to 0.
  func reserved(_ value: UInt32) throws(RequestError) {
    if value != 0 { throw malformed("its reserved field is \(value), not 0") }
  }

  /// Whether a field is set, which is 0 or 1.
  func boolean(_ value: UInt32, _ what: String) throws(RequestError) -> Bool {
    guard value <= 1 else { throw invalid("\(what) is \(value): it must be 0 or 1") }
    return value == 1
  }

  // MARK: - Mistakes

  private func wrongSize(_ right: Int) -> RequestError {
    malformed("a message of \(byteCount) bytes, where its contents need \(right)")
  }

  /// The message can't be what its client meant, nor can what follows it.
  func malformed(_ text: String) -> RequestError { error(.malformed, text) }

  /// The message is well formed and asks for something out of range.
  func invalid(_ text: String) -> RequestError { error(.invalid, text) }

  /// What is wrong with the message.
  func error(_ code: Wire.ErrorCode, _ text: String) -> RequestError {
    RequestError(
      code: code, serial: serial, opcode: opcode.rawValue, text: "\(opcode): \(text)")
  }
}
