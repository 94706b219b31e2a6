import Wire

/// What is wrong with a message of a client, in words that its author can act on.
struct RequestError: Error, Equatable {
  /// What kind of error it is.
  var code: Wire.ErrorCode
  /// The client's number for the message, 0 where it can't be known.
  var serial: UInt32 = 0
  /// The message's opcode, 0 where it can't be known.
  var opcode: UInt16 = 0
  /// The sentence.
  var text: String

  /// Whether the connection ends with it: the bytes that follow can't be trusted. Rule F4.
  var isFatal: Bool {
    code == .malformed || code == .version
  }

  /// The message is malformed.
  static func malformed(_ text: String, serial: UInt32 = 0, opcode: UInt16 = 0) -> RequestError {
    RequestError(code: .malformed, serial: serial, opcode: opcode, text: text)
  }
}
