import CTouchroute

/// The daemon's refusal of a request, or its complaint about this program.
public struct RequestFailure: Equatable, Sendable {
  /// What kind of refusal it is; the raw values are the wire's.
  public enum Code: UInt32, Sendable, CaseIterable {
    /// A refusal that this version does not know.
    case other = 0
    /// A message was malformed: the connection ends. Rule F4.
    case malformed = 1
    /// There is no common version: the connection ends.
    case version = 2
    /// The layout has no responder of that path.
    case noResponder = 3
    /// Another client holds it. Rule R2.
    case held = 4
    /// The access rules, or the socket, do not allow it. Rules F6 and F7.
    case notAllowed = 5
    /// A limit was reached. Rule F5.
    case limit = 6
    /// This daemon does not carry it out.
    case notSupported = 7
    /// There is no such attachment.
    case notAttached = 8
    /// A value is out of range, or a configuration is not valid.
    case invalid = 9
  }

  /// The request; 0 where it answers none.
  public var serial: Serial
  /// What kind of refusal it is.
  public var code: Code
  /// What was wrong, as a sentence.
  public var text: String

  /// The message as the C library shows it.
  init(_ error: touchroute_error, text: String) {
    serial = Serial(error.serial)
    code = Code(rawValue: error.code) ?? .other
    self.text = text
  }
}
