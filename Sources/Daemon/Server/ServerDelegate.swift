/// Carries out what the clients of a ``Server`` ask for.
public protocol ServerDelegate: AnyObject {
  /// A client has done something.
  func handle(_ event: Server.Event)
}
