public import Routing
public import TouchModel

/// What a client is told of a screen's state. Rule D2.
public struct ScreenStateNotice: Equatable, Sendable {
  /// The screen.
  public let screen: ScreenIndex
  /// Its name.
  public let name: String
  /// What it is.
  public let state: ScreenState
  /// Why; nil where it was that before.
  public let cause: ScreenCause?

  /// A notice of a screen's state.
  public init(screen: ScreenIndex, name: String, state: ScreenState, cause: ScreenCause?) {
    self.screen = screen
    self.name = name
    self.state = state
    self.cause = cause
  }
}

/// What `status` says of a screen.
public struct ScreenStatus: Equatable, Sendable {
  /// The screen.
  public let screen: ScreenIndex
  /// Its name.
  public let name: String
  /// What it is.
  public let state: ScreenState
  /// Its blanker, if it has one.
  public let blanker: ClientID?

  /// The status of a screen.
  public init(screen: ScreenIndex, name: String, state: ScreenState, blanker: ClientID?) {
    self.screen = screen
    self.name = name
    self.state = state
    self.blanker = blanker
  }
}
