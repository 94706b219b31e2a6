public import Layout
public import TouchModel

/// What a client asks for when it attaches. Rules R2 and R3.
public struct AttachRequest: Equatable, Sendable {
  /// The responder's path (rule L5).
  public var path: String
  /// The phases that it handles; at least one.
  public var handles: TouchPhases
  /// Those of them that go on up the chain too.
  public var passes: TouchPhases
  /// Whether the present holder may be pushed out. Whether the client is allowed to ask for that is
  /// for its caller to know.
  public var takesOver: Bool
  /// Whether merged moves come with their samples (rule F2); the router keeps it for the server.
  public var wantsHistory: Bool
  /// Whether it stands in line where somebody else holds the responder. Who keeps the line is for
  /// its caller to know.
  public var waits: Bool
  /// Whether it gets the events of recognizers. Rule G13.
  public var handlesGestures: Bool

  /// A request for a responder; without more, for all its phases and passing none.
  public init(
    path: String, handles: TouchPhases = .all, passes: TouchPhases = [], takesOver: Bool = false,
    wantsHistory: Bool = false, waits: Bool = false, handlesGestures: Bool = false
  ) {
    self.path = path
    self.handles = handles
    self.passes = passes
    self.takesOver = takesOver
    self.wantsHistory = wantsHistory
    self.waits = waits
    self.handlesGestures = handlesGestures
  }

  /// Checks what is wrong with it by itself, if something is.
  func check() throws(RoutingError) {
    guard !handles.isEmpty, handles.isSubset(of: .all) else {
      throw .invalid("an attachment handles at least one of began, moved, ended and cancelled")
    }
    guard passes.isSubset(of: handles) else {
      throw .invalid("an attachment passes only phases that it handles")
    }
  }
}

/// A client's hold on a responder. Rules R2 and R3.
public struct Attachment: Equatable, Sendable, BitwiseCopyable {
  /// Names it.
  public let id: AttachmentID
  /// Who holds the responder.
  public let client: ClientID
  /// The responder, in the layout in force.
  public internal(set) var responder: ResponderID
  /// The phases that it handles.
  public let handles: TouchPhases
  /// Those of them that go on up the chain too.
  public let passes: TouchPhases
  /// Whether merged moves come with their samples.
  public let wantsHistory: Bool
  /// Whether it gets the events of recognizers. Rule G13.
  public let handlesGestures: Bool
  /// How many bytes the path has that was asked for.
  let pathBytes: Int
}
