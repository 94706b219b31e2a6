public import Layout
public import TouchModel

/// One frame as it was routed, for observers: every touch that changed, whoever got it.
public struct Observation: Equatable, Sendable {
  /// One touch that changed.
  public struct Record: Equatable, Sendable {
    /// The touch.
    public var id: TouchID
    /// Its phase in this frame.
    public var phase: TouchPhase
    /// Why, where the phase is `cancelled`.
    public var cancelReason: CancelReason?
    /// Why nobody gets it, where nobody does.
    public var discardReason: DiscardReason? = nil
    /// What is special about it.
    public var flags: TouchFlags
    /// Rule T10.
    public var tapCount: UInt16
    /// Where it is, in points of the screen.
    public var screenLocation: Point
    /// The view that was hit, if one was.
    public var target: ViewIndex?
    /// With `began`: the responders asked, from the target up.
    public var chain: [Link] = []
  }

  /// What became of a touch at one responder of its chain.
  public struct Link: Equatable, Sendable {
    /// The responder.
    public var responder: ResponderID
    /// The client that holds it, if one does.
    public var client: ClientID? = nil
    /// That client's attachment.
    public var attachment: AttachmentID? = nil
    /// What happened.
    public var outcome: Outcome
    /// The phases that it gets.
    public var phases: TouchPhases = []
  }

  /// What happened at a responder; the raw values are the wire's.
  public enum Outcome: UInt16, Sendable {
    /// No client holds it.
    case noClient = 0
    /// Its client gets the phases named.
    case delivered = 1
    /// Its client handles none of the phases that reached it.
    case notHandled = 2
    /// Its client is unresponsive. Rule F3.
    case unresponsive = 3
    /// Its client declined. Rule R5.
    case declined = 4
  }

  /// The device.
  public var device: DeviceID
  /// The device's screen.
  public var screen: ScreenIndex
  /// The frame's time.
  public var time: Timestamp
  /// The frame's number.
  public var sequence: UInt64
  /// The touches that changed.
  public var records: [Record]
}

/// Why a touch went to nobody; the raw values are the wire's.
public enum DiscardReason: UInt8, Sendable, CaseIterable {
  /// Nothing is there. Rule H7.
  case noWindow = 1
  /// It began outside the screen. Rule T8.
  case outsideScreen = 2
  /// Nobody up the chain handles `began`. Rule R4.
  case unhandled = 3
  /// Its view takes one touch at a time. Rule T13.
  case singleTouch = 4
  /// An exclusive touch keeps it out. Rule T13.
  case exclusive = 5
  /// Everybody declined. Rule R5.
  case declined = 6
  /// There are as many live touches as the limit allows.
  case limit = 7
  /// It was over for everybody before its finger left: cancelled (rule R9), or its clients are gone
  /// (rule R7). No touch that begins is discarded for it.
  case over = 8
}
