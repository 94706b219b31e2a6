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
    /// How many taps in a row it makes, itself included: 1 for the first. Rule T10.
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
    public var outcome: ChainOutcome
    /// The phases that it gets.
    public var phases: TouchPhases = []
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
