/// The limits and times that the router keeps to. Rule F5.
public struct RouterOptions: Equatable, Sendable {
  /// How many attachments one client may have.
  public var maximumAttachmentsPerClient = 1024
  /// How many touches may live at a time, of all devices together; a further one is discarded.
  public var maximumLiveTouches = 256

  /// The defaults.
  public init() {}
}
