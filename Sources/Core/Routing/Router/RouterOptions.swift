/// The limits and times that the router keeps to. Rule F5.
public struct RouterOptions: Equatable, Sendable {
  /// How many attachments one client may have.
  public var maximumAttachmentsPerClient = 1024
  /// How many touches may live at a time, of all devices together; a further one is discarded. As
  /// many of one device that ended are kept for who may still decline them (rule R5).
  public var maximumLiveTouches = 256
  /// How many of the recognizers that clients have added a touch is offered to at most, the
  /// outermost first. Rule G2.
  public var maximumAddedRecognizersPerTouch = 32
  /// How many moves of a touch are kept for who gets it when it is declined; when there are more,
  /// they are merged. Rule R5.
  public var maximumKeptMoves = 32
  /// How long a client may decline a touch, from when it was given `began`; 0 for not at all. Rule
  /// R5.
  public var decisionTimeoutMilliseconds: UInt64 = 250
  /// For how long a recognizer may hold back touches of which other clients than its own may hear.
  /// Rule G17.
  public var holdLimitMilliseconds: UInt64 = 1000
  /// How long after a tap another one still adds to its count. Rule T10.
  public var tapIntervalMilliseconds: UInt64 = 350
  /// How far from a tap another one still adds to its count, in points. Rule T10.
  public var tapDistance = 45.0

  /// The defaults.
  public init() {}
}
