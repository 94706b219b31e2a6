import CTouchroute
public import Wire

/// The daemon's refusal of a request, or its report that this program broke the protocol.
public struct RequestFailure: Equatable, Sendable {
  /// Why a request was refused; the raw values are the wire's.
  public typealias Code = Wire.ErrorCode

  /// The request; 0 if it answers none.
  public var serial: Serial
  /// Why the request was refused.
  public var code: Code
  /// What is wrong, as a sentence.
  public var text: String

  /// A refusal.
  init(serial: Serial, code: Code, text: String) {
    self.serial = serial
    self.code = code
    self.text = text
  }

  /// The message as the C library shows it.
  init(_ error: touchroute_error, text: String) {
    serial = Serial(error.serial)
    code = Code(rawValue: error.code) ?? .other
    self.text = text
  }
}
