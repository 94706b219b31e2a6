import CTouchroute

/// Makes the bytes of requests from the C structs, and takes messages apart.
enum RequestBytes {
  /// A struct of the wire and what trails it, padded; `touchroute_header` is its first field and
  /// gets the whole size.
  static func message<Fixed: BitwiseCopyable>(
    _ opcode: UInt32, _ fixed: Fixed, _ trailing: String = ""
  ) -> [UInt8] {
    var bytes = withUnsafeBytes(of: fixed) { Array($0) } + Array(trailing.utf8)
    while bytes.count % 8 != 0 { bytes.append(0) }
    setHeader(&bytes, size: UInt32(bytes.count), opcode: UInt16(opcode))
    return bytes
  }

  static func setHeader(_ bytes: inout [UInt8], size: UInt32, opcode: UInt16, flags: UInt16 = 0) {
    let header = touchroute_header(size: size, opcode: opcode, flags: flags)
    withUnsafeBytes(of: header) { bytes.replaceSubrange(0..<8, with: $0) }
  }

  static func hello(serial: UInt32 = 1, version: UInt32 = TOUCHROUTE_VERSION, name: String = "test")
    -> [UInt8]
  {
    message(
      TOUCHROUTE_HELLO.rawValue,
      touchroute_hello(
        header: touchroute_header(), serial: serial, magic: TOUCHROUTE_MAGIC, version: version,
        name_size: UInt32(name.utf8.count)), name)
  }

  static func attach(
    serial: UInt32, path: String, handles: UInt16 = 15, passes: UInt16 = 0, flags: UInt32 = 0
  ) -> [UInt8] {
    message(
      TOUCHROUTE_ATTACH.rawValue,
      touchroute_attach(
        header: touchroute_header(), serial: serial, handles: handles, passes: passes,
        flags: flags, path_size: UInt32(path.utf8.count)), path)
  }

  /// To hide a view.
  static func hide(serial: UInt32, _ path: String) -> [UInt8] {
    var set = (touchroute_set(), touchroute_change())
    set.0.serial = serial
    set.0.change_count = 1
    set.1.property = UInt16(TOUCHROUTE_PROPERTY_HIDDEN.rawValue)
    set.1.path_size = UInt16(path.utf8.count)
    set.1.values.0 = 1
    return message(TOUCHROUTE_SET.rawValue, set, path)
  }

  static func removeGesture(serial: UInt32, _ recognizer: UInt32) -> [UInt8] {
    message(
      TOUCHROUTE_REMOVE_GESTURE.rawValue,
      touchroute_remove_gesture(
        header: touchroute_header(), serial: serial, recognizer: recognizer))
  }

  static func detach(serial: UInt32, attachment: UInt32) -> [UInt8] {
    message(
      TOUCHROUTE_DETACH.rawValue,
      touchroute_detach(header: touchroute_header(), serial: serial, attachment: attachment))
  }

  /// `accept`, or `decline`, which has the same form.
  static func accept(
    serial: UInt32, touch: UInt64, attachment: UInt32 = 1,
    _ request: touchroute_request = TOUCHROUTE_ACCEPT
  ) -> [UInt8] {
    message(
      request.rawValue,
      touchroute_accept(
        header: touchroute_header(), serial: serial, attachment: attachment, touch: touch))
  }

  static func describe(serial: UInt32, path: String = "", first: UInt32 = 0, count: UInt32 = 0)
    -> [UInt8]
  {
    message(
      TOUCHROUTE_DESCRIBE.rawValue,
      touchroute_describe(
        header: touchroute_header(), serial: serial, first: first, count: count,
        path_size: UInt32(path.utf8.count)), path)
  }

  /// `ping`, `status` or `reload`.
  static func plain(_ request: touchroute_request, serial: UInt32) -> [UInt8] {
    message(
      request.rawValue,
      touchroute_plain_request(header: touchroute_header(), serial: serial, reserved: 0))
  }

  static func observe(serial: UInt32, enable: UInt32) -> [UInt8] {
    message(
      TOUCHROUTE_OBSERVE.rawValue,
      touchroute_observe(header: touchroute_header(), serial: serial, enable: enable))
  }
}

/// One message from the daemon.
struct Message: Equatable {
  let bytes: [UInt8]

  var header: touchroute_header { load(touchroute_header.self) }
  var opcode: UInt32 { UInt32(header.opcode) }
  var hasMore: Bool { header.flags & UInt16(TOUCHROUTE_MORE) != 0 }

  /// The struct that begins at an offset.
  func load<Fixed: BitwiseCopyable>(_ type: Fixed.Type, at offset: Int = 0) -> Fixed {
    bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) }
  }

  /// A trailing string.
  func string(at offset: Int, size: UInt32) -> String {
    String(decoding: bytes[offset..<offset + Int(size)], as: UTF8.self)
  }

  /// Takes a stream of whole messages apart.
  static func all(in bytes: some Collection<UInt8>) -> [Message] {
    var rest = Array(bytes)
    var messages: [Message] = []
    while let message = takeFirst(from: &rest) { messages.append(message) }
    precondition(rest.isEmpty, "\(rest.count) bytes are no whole message")
    return messages
  }

  /// The first message of a stream, if it is there whole.
  static func takeFirst(from bytes: inout [UInt8]) -> Message? {
    guard bytes.count >= 8 else { return nil }
    let size = Int(Message(bytes: Array(bytes[..<8])).header.size)
    precondition(size >= 8 && size % 8 == 0 && size <= Int(TOUCHROUTE_MAX_MESSAGE))
    guard bytes.count >= size else { return nil }
    defer { bytes.removeFirst(size) }
    return Message(bytes: Array(bytes[..<size]))
  }

  var isError: Bool { opcode == TOUCHROUTE_ERROR.rawValue }
  var isClosing: Bool { opcode == TOUCHROUTE_CLOSING.rawValue }

  /// The words of an error.
  var errorText: String {
    string(at: MemoryLayout<touchroute_error>.size, size: load(touchroute_error.self).text_size)
  }

  /// The words of a closing.
  var closingText: String {
    string(at: MemoryLayout<touchroute_closing>.size, size: load(touchroute_closing.self).text_size)
  }
}
