import CTouchroute
public import TouchModel

/// The daemon's limits and screens: after each connection, and after a change of its screens.
public struct Welcome: Equatable, Sendable {
  /// A screen. Rule L1.
  public struct Screen: Equatable, Sendable {
    /// Its name in the configuration.
    public var name: String
    /// Its size as the viewer sees it, in points.
    public var size: Size
    /// How the panel is mounted, in degrees clockwise.
    public var rotation: UInt32
  }

  /// The version of the protocol on this connection.
  public var version: UInt32
  /// How many attachments one connection may have.
  public var maximumAttachments: UInt32
  /// How long a touch can be declined, in milliseconds. Rule R5.
  public var decisionTimeoutMilliseconds: UInt32
  /// How long this program may leave its events unread before it is unresponsive, in milliseconds.
  /// Rule F3.
  public var unresponsiveAfterMilliseconds: UInt32
  /// Whether this is the control socket.
  public var isControl: Bool
  /// The screens; other events have indices into them.
  public var screens: [Screen]

  /// The message as the C library shows it.
  init(_ welcome: touchroute_welcome, screens: UnsafePointer<touchroute_screen_info>) {
    version = welcome.version
    maximumAttachments = welcome.max_attachments
    decisionTimeoutMilliseconds = welcome.decision_timeout_ms
    unresponsiveAfterMilliseconds = welcome.unresponsive_after_ms
    isControl = welcome.is_control != 0
    self.screens = UnsafeBufferPointer(start: screens, count: Int(welcome.screen_count)).map {
      Screen(
        name: String(cString: $0.name),
        size: Size(width: $0.screen.width, height: $0.screen.height),
        rotation: $0.screen.rotation)
    }
  }
}
