import CTouchroute

/// Messages that break the protocol. Rule F4.
enum Nonsense {
  /// How many kinds there are.
  static let kinds = 16

  /// A message of that kind.
  static func bytes(_ kind: Int) -> [UInt8] {
    switch kind % kinds {
    case 9: message(TOUCHROUTE_PING, 2, [0, 0, 0, 0, 1, 0, 0, 0])
    case 10: message(TOUCHROUTE_SET, 3, [])
    case 11: message(TOUCHROUTE_ATTACH, 4, [])
    case 12: hello
    case 13: header(20, TOUCHROUTE_PING.rawValue, 0) + [UInt8](repeating: 0, count: 12)
    case 14: header(16, TOUCHROUTE_PING.rawValue, 1) + [UInt8](repeating: 0, count: 8)
    case 15: attach([0xff, 0xfe])
    case let kind where kind % 3 == 0: header(12, UInt32(kind), 0) + [7, 0, 0, 0, 0, 0, 0, 0]
    case let kind where kind % 3 == 1: header(1 << 20, UInt32(kind), 0) + [7, 0, 0, 0, 0, 0, 0, 0]
    default: header(16, 0x110, 0) + [7, 0, 0, 0, 0, 0, 0, 0]
    }
  }

  private static func header(_ size: Int, _ opcode: UInt32, _ flags: UInt16) -> [UInt8] {
    let header = touchroute_header(size: UInt32(size), opcode: UInt16(opcode), flags: flags)
    return withUnsafeBytes(of: header) { Array($0) }
  }

  /// A message of so many words of 8 bytes, those given and zeros.
  private static func message(
    _ opcode: touchroute_request, _ words: Int, _ body: [UInt8]
  ) -> [UInt8] {
    let zeros = [UInt8](repeating: 0, count: words * 8 - 8 - body.count)
    return header(words * 8, opcode.rawValue, 0) + body + zeros
  }

  private static var hello: [UInt8] {
    let hello = touchroute_hello(
      header: touchroute_header(), serial: 1, magic: TOUCHROUTE_MAGIC,
      version: TOUCHROUTE_VERSION, name_size: 1)
    let body = withUnsafeBytes(of: hello) { Array($0.dropFirst(8)) }
    return message(TOUCHROUTE_HELLO, 1 + (body.count + 15) / 8, body + [0x61])
  }

  /// An attach whose path is those bytes.
  private static func attach(_ path: [UInt8]) -> [UInt8] {
    let attach = touchroute_attach(
      header: touchroute_header(), serial: 9, handles: 15, passes: 0, flags: 0,
      path_size: UInt32(path.count))
    let body = withUnsafeBytes(of: attach) { Array($0.dropFirst(8)) }
    return message(TOUCHROUTE_ATTACH, 1 + (body.count + path.count + 7) / 8, body + path)
  }
}
