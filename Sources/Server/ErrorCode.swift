import CTouchroute

/// Why a request is refused; the raw values are the wire's `enum touchroute_error_code`.
public enum ErrorCode: UInt32, Sendable, CaseIterable {
  /// The layout has no responder of that path.
  case noResponder = 3
  /// Another client holds it.
  case held = 4
  /// By the access rules, or not on this socket.
  case notAllowed = 5
  /// A limit was reached; the text names it.
  case limit = 6
  /// A request that this daemon does not carry out.
  case notSupported = 7
  /// No such attachment of this client.
  case notAttached = 8
  /// A value out of range; a configuration that is not valid.
  case invalid = 9
}
