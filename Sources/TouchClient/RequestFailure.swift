import CTouchroute
public import Wire

/// The daemon's refusal of a request, or its complaint about this program.
public struct RequestFailure: Equatable, Sendable {
  /// What kind of refusal it is; the raw values are the wire's.
  public typealias Code = Wire.ErrorCode

  /// The request; 0 where it answers none.
  public var serial: Serial
  /// What kind of refusal it is.
  public var code: Code
  /// What was wrong, as a sentence.
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
