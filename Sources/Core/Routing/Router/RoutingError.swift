public import Wire

/// Why the router refused a client's request.
public enum RoutingError: Error, Equatable, Sendable {
  /// The layout has no responder of that path; the nearest one that it has, if one is near.
  case noResponder(path: String, nearest: String?)
  /// Another client holds the responder, or the asking client itself does already. Rule R2.
  case held(path: String, holder: ClientID, attachment: AttachmentID, isOwn: Bool)
  /// A limit was reached: how many, of what, and the configuration's key for it. Rule F5.
  case limit(Int, of: String, key: String)
  /// The client has no such attachment.
  case notAttached(AttachmentID)
  /// A value of the request makes no sense; a sentence says which.
  case invalid(String)

  /// There is no number left for an attachment.
  public static let attachmentsUsedUp = RoutingError.invalid(
    "the numbers for attachments are used up; stop touchrouted and start it again")

  /// What kind of error it is.
  public var code: Wire.ErrorCode {
    switch self {
    case .noResponder: .noResponder
    case .held: .held
    case .limit: .limit
    case .notAttached: .notAttached
    case .invalid: .invalid
    }
  }
}

extension RoutingError: CustomStringConvertible {
  /// A sentence that says what to do.
  public var description: String { description { _ in "another client" } }

  /// The same sentence, with the client that holds a responder named by the caller, who knows its
  /// process: `pid 812 (nav-app), user kiosk`.
  public func description(naming name: (ClientID) -> String) -> String {
    switch self {
    case .noResponder(let path, .some(let nearest)):
      "no responder is named \"\(path)\"; the nearest is \"\(nearest)\""
    case .noResponder(let path, nil):
      "no responder is named \"\(path)\"; `touchroute tree`, run as root, lists them all"
    // Numbers of attachments are the daemon's own: a client library gives its program others.
    case .held(let path, _, _, true):
      "this connection holds \"\(path)\" already: it attached there before; detach that first"
    case .held(let path, let holder, _, false):
      "\"\(path)\" is held by \(name(holder)); ask to take it over, or wait until it is free"
    case .limit(let limit, let subject, let key):
      "the limit of \(limit) \(subject) is reached; detach one first, or raise \(key)"
    case .notAttached:
      "this connection has no such attachment: it may have ended meanwhile"
    case .invalid(let sentence):
      sentence
    }
  }
}
