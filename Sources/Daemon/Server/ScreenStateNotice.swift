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

/// What a client is told of a screen's lock. Rule D9.
public struct LockNotice: Equatable, Sendable {
  /// The screen.
  public let screen: ScreenIndex
  /// Its name.
  public let name: String
  /// How long the lock lasts, in milliseconds; 0 where it has ended.
  public let remainingMilliseconds: UInt32
  /// Why; nil where it was locked before.
  public let cause: LockCause?

  /// A notice of a screen's lock.
  public init(
    screen: ScreenIndex, name: String, remainingMilliseconds: UInt32, cause: LockCause?
  ) {
    self.screen = screen
    self.name = name
    self.remainingMilliseconds = remainingMilliseconds
    self.cause = cause
  }
}

/// What `status` says of a screen's lock.
public struct LockStatus: Equatable, Sendable {
  /// The screen.
  public let screen: ScreenIndex
  /// Its name.
  public let name: String
  /// How long it lasts, in milliseconds.
  public let remainingMilliseconds: UInt32
  /// Who has asked for it; nil where that was an administrator who has gone.
  public let owner: ClientID?

  /// The status of a lock.
  public init(screen: ScreenIndex, name: String, remainingMilliseconds: UInt32, owner: ClientID?) {
    self.screen = screen
    self.name = name
    self.remainingMilliseconds = remainingMilliseconds
    self.owner = owner
  }
}
