/// What the numbers of the protocol are called: written once, for the daemon, the Swift client and
/// the tool. touchroute-protocol.h is the protocol's definition, and tests hold every number here
/// to it.
///
/// What both sides say of touches, phases and reasons, is vocabulary and lies in TouchModel.
public enum Wire {
  /// Why the daemon refuses a request, or complains about a client: `enum touchroute_error_code`.
  public enum ErrorCode: UInt32, Sendable, CaseIterable {
    /// A refusal that this version does not know. Never sent.
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

  /// Why the daemon ends a connection: `enum touchroute_close_reason`.
  public enum CloseReason: UInt32, Sendable, CaseIterable {
    /// The daemon stops.
    case stopping = 1
    /// The client broke the protocol. Rule F4.
    case malformed = 2
    /// The client has not read, and its queue reached the limit. Rule F3.
    case queueFull = 3
    /// There are too many clients. Rule F5.
    case limit = 4
  }

  /// Why an attachment ended: `enum touchroute_detach_reason`.
  public enum DetachReason: UInt32, Sendable, CaseIterable, BitwiseCopyable {
    /// Its client asked for it.
    case requested = 0
    /// The layout in force no longer has the responder. Rule R8.
    case removed = 1
    /// Another client took it over. Rule R2.
    case takenOver = 2
    /// The access rules in force do not allow it. Rule F6.
    case notAllowed = 3
  }
}
