public import TouchModel

/// What a client is told in answer to its hello.
public struct Greeting: Equatable, Sendable {
  /// The screens, in the order in which messages number them.
  public var screens: [Screen]
  /// Attachments that one client may have.
  public var maximumAttachments: Int
  /// How long a client may take to decline a touch. Rule R5.
  public var decisionTimeoutMilliseconds: Int
  /// How long a client may leave unread what waits for it. Rule F3.
  public var unresponsiveAfterMilliseconds: Int

  /// The same in microseconds.
  var unresponsiveAfter: UInt64 { UInt64(unresponsiveAfterMilliseconds) * 1_000 }

  /// A greeting of those parts.
  public init(
    screens: [Screen], maximumAttachments: Int, decisionTimeoutMilliseconds: Int,
    unresponsiveAfterMilliseconds: Int
  ) {
    self.screens = screens
    self.maximumAttachments = maximumAttachments
    self.decisionTimeoutMilliseconds = decisionTimeoutMilliseconds
    self.unresponsiveAfterMilliseconds = unresponsiveAfterMilliseconds
  }
}
