import Wire
import CTouchroute
import Routing
import TouchModel

/// Takes one whole message of a client apart.
struct RequestParser: ~Copyable {
  let opcode: Opcode
  /// The whole message, aligned to 8; not owned.
  let bytes: UnsafeRawBufferPointer

  /// The message.
  func message() throws(RequestError) -> ClientMessage {
    guard bytes.count >= opcode.fixedSize else { throw wrongSize(opcode.fixedSize) }
    guard serial != 0 else {
      throw .malformed("\(opcode): the serial is 0: it must be another", opcode: opcode.rawValue)
    }
    return ClientMessage(serial: serial, opcode: opcode, body: try body())
  }

  /// Where every request has it: right behind the header.
  private var serial: UInt32 { bytes.load(fromByteOffset: 8, as: UInt32.self) }

  private func body() throws(RequestError) -> ClientMessage.Body {
    switch opcode {
    case .hello: .hello(try hello())
    case .attach: .request(.attach(try attach()))
    case .detach: .request(.detach(AttachmentID(try load(touchroute_detach.self).attachment)))
    case .accept: .request(try decision(Request.accept))
    case .decline: .request(try decision(Request.decline))
    case .set: .set(try changes())
    case .describe: .request(try describe())
    case .ping: .request(try plain(.ping))
    case .addGesture: .request(try gesture())
    case .removeGesture:
      .request(.removeGesture(try load(touchroute_remove_gesture.self).recognizer))
    case .changeViews: .request(.changeViews(try views()))
    case .status: .request(try plain(.status))
    case .observe: .request(try observe())
    case .reload: .request(try plain(.reload))
    case .inject: .request(try injection())
    case .cancel: .request(try cancellation())
    }
  }

  private func hello() throws(RequestError) -> Hello {
    let fixed = try load(touchroute_hello.self, trailing: \.name_size)
    guard fixed.magic == TOUCHROUTE_MAGIC else {
      let magic = String(fixed.magic, radix: 16)
      throw malformed("the magic is 0x\(magic), not 0x\(String(TOUCHROUTE_MAGIC, radix: 16))")
    }
    guard fixed.version > 0 else {
      throw RequestError(
        code: .version, serial: serial, opcode: opcode.rawValue,
        text: "hello: version 0 of the protocol; this daemon speaks 1 to \(TOUCHROUTE_VERSION)")
    }
    let name = try string(size: fixed.name_size, 1...TOUCHROUTE_MAX_NAME, "name")
    if let problem = ClientName.problem(of: name) { throw malformed(problem) }
    return Hello(version: fixed.version, name: name)
  }

  private func attach() throws(RequestError) -> AttachRequest {
    let fixed = try load(touchroute_attach.self, trailing: \.path_size)
    let path = try string(size: fixed.path_size, 1...TOUCHROUTE_MAX_PATH, "path")
    let flags = Wire.AttachFlags(rawValue: fixed.flags)
    guard flags.isSubset(of: .all) else {
      throw invalid(
        "flags is \(fixed.flags): this daemon knows \(Wire.AttachFlags.all.rawValue) and its parts")
    }
    return AttachRequest(
      path: path, handles: TouchPhases(rawValue: fixed.handles),
      passes: TouchPhases(rawValue: fixed.passes), takesOver: flags.contains(.takeOver),
      wantsHistory: flags.contains(.history), waits: flags.contains(.wait),
      handlesGestures: flags.contains(.gestures))
  }

  /// Accept and decline have one form.
  private func decision(
    _ make: (TouchID, AttachmentID) -> Request
  ) throws(RequestError) -> Request {
    let fixed = try load(touchroute_accept.self)
    return make(TouchID(fixed.touch), AttachmentID(fixed.attachment))
  }

  private func describe() throws(RequestError) -> Request {
    let fixed = try load(touchroute_describe.self, trailing: \.path_size)
    let path = try string(size: fixed.path_size, 0...TOUCHROUTE_MAX_PATH, "path")
    guard fixed.count <= TOUCHROUTE_DESCRIBE_PAGE else {
      throw invalid("count is \(fixed.count): at most \(TOUCHROUTE_DESCRIBE_PAGE) at a time")
    }
    let count = fixed.count == 0 ? TOUCHROUTE_DESCRIBE_PAGE : fixed.count
    return .describe(path: path, first: Int(fixed.first), count: Int(count))
  }

  private func observe() throws(RequestError) -> Request {
    let enable = try load(touchroute_observe.self).enable
    guard enable <= 1 else { throw invalid("enable is \(enable): it must be 0 or 1") }
    return .observe(enable == 1)
  }

  private func plain(_ request: Request) throws(RequestError) -> Request {
    try reserved(try load(touchroute_plain_request.self).reserved)
    return request
  }

  // MARK: - Parts

  /// The fixed struct of a message that has nothing behind it.
  func load<Fixed: BitwiseCopyable>(_ type: Fixed.Type) throws(RequestError) -> Fixed {
    guard bytes.count == MemoryLayout<Fixed>.size else {
      throw wrongSize(MemoryLayout<Fixed>.size)
    }
    return bytes.load(as: type)
  }

  /// The fixed struct of a message with one string behind it.
  private func load<Fixed: BitwiseCopyable>(
    _ type: Fixed.Type, trailing size: KeyPath<Fixed, UInt32>
  ) throws(RequestError) -> Fixed {
    let fixed = bytes.load(as: type)
    let whole = MemoryLayout<Fixed>.size + padded(Int(fixed[keyPath: size]))
    guard bytes.count == whole else { throw wrongSize(whole) }
    return fixed
  }

  /// The string behind the fixed struct, which must fill the rest but for zero padding.
  private func string(
    size: UInt32, _ range: ClosedRange<UInt32>, _ what: String
  ) throws(RequestError) -> String {
    try string(at: opcode.fixedSize, end: bytes.count, size: size, range, what)
  }

  /// The string between two offsets, which must fill it but for zero padding.
  func string(
    at start: Int, end limit: Int, size: UInt32, _ range: ClosedRange<UInt32>,
    _ what: @autoclosure () -> String
  ) throws(RequestError) -> String {
    guard range.contains(size) else {
      throw malformed(
        "its \(what()) has \(size) bytes, not \(range.lowerBound) to \(range.upperBound)")
    }
    let end = start + Int(size)
    let text = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
    guard let string = String(validating: text, as: UTF8.self), !text.contains(0) else {
      throw malformed("its \(what()) is not UTF-8, or has a zero byte")
    }
    guard bytes[end..<limit].allSatisfy({ $0 == 0 }) else {
      throw malformed("the padding behind its \(what()) is not zero")
    }
    return string
  }

  func reserved(_ value: UInt32) throws(RequestError) {
    guard value == 0 else { throw malformed("its reserved field is \(value), not 0") }
  }

  func wrongSize(_ right: Int) -> RequestError {
    let known = bytes.count >= 12 ? serial : 0
    return .malformed(
      "\(opcode): a message of \(bytes.count) bytes, where its contents need \(right)",
      serial: known, opcode: opcode.rawValue)
  }

  func malformed(_ text: String) -> RequestError {
    .malformed("\(opcode): \(text)", serial: serial, opcode: opcode.rawValue)
  }

  func invalid(_ text: String) -> RequestError {
    .invalid("\(opcode): \(text)", serial: serial, opcode: opcode)
  }
}
