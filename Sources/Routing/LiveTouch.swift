import Layout
import TouchModel

/// A touch that is on the glass, or that was and may yet be declined, as the router knows it.
struct LiveTouch {
  /// What becomes of its changes.
  enum Fate: Equatable {
    /// Somebody gets them.
    case delivered
    /// Nobody gets any of it.
    case discarded(DiscardReason)
    /// Nobody gets any more of it: the router cancelled it, or its clients went away.
    case dead
  }

  /// The touch.
  let id: TouchID
  var screen: ScreenIndex
  /// The view that was hit (rule H1); nil where none was.
  var target: ViewIndex?
  var flags: TouchFlags
  /// Rule T10.
  var tapCount: UInt16 = 1
  var fate = Fate.delivered
  /// Where its moves are kept, while somebody up its chain may yet get them (rule R5).
  var keep: Int?
  /// Whether it ended, and is known only because it may yet be declined.
  var isLifted = false

  /// What happened to it in the frame at hand.
  var phase: TouchPhase
  var cancelReason: CancelReason?
  /// When it last changed.
  var time: Timestamp
  /// When and where it began, in points of the screen.
  let beganTime: Timestamp
  let beganLocation: Point

  /// From the screen to the target's coordinates, by the layout in force (rule T9).
  var toTarget = AffineTransform.identity
  /// From the screen to the window's coordinates, likewise.
  var toWindow = AffineTransform.identity
  /// In points of the screen.
  var screenLocation: Point
  /// In the target's coordinates, as is the next.
  var location: Point
  var previousLocation: Point
  /// In the window's coordinates.
  var windowLocation: Point

  /// What is found out of a touch when it begins.
  struct Seat {
    /// The view that was hit.
    var target: ViewIndex?
    var tapCount: UInt16 = 1
    /// Where its moves are kept.
    var keep: Int?
  }

  /// A touch that begins.
  ///
  /// - Parameter placement: The target's, in the layout in force.
  @inline(__always)
  init(
    _ touch: Touch, screen: ScreenIndex, flags: TouchFlags, _ seat: Seat,
    at placement: Layout.Placement?, fate: Fate
  ) {
    id = touch.id
    self.screen = screen
    self.flags = flags
    self.fate = fate
    target = seat.target
    tapCount = seat.tapCount
    keep = seat.keep
    phase = .began
    time = touch.time
    beganTime = touch.time
    beganLocation = touch.location
    screenLocation = touch.location
    location = touch.location
    previousLocation = touch.location
    windowLocation = touch.location
    if let placement { take(placement) }
  }

  /// Whether somebody gets what it does from now on.
  var isLive: Bool { fate == .delivered && !phase.isFinal && !isLifted }

  /// Takes the target's place in the layout in force. Rule T9.
  mutating func place(in target: ViewIndex, of layout: Layout) {
    self.target = target
    take(layout.placement(of: target))
  }

  @inline(__always)
  private mutating func take(_ placement: Layout.Placement) {
    toTarget = placement.toView
    toWindow = placement.toWindow
    location = toTarget.apply(screenLocation)
    previousLocation = location
    windowLocation = toWindow.apply(screenLocation)
    if placement.isSecure { flags.insert(.secure) } else { flags.remove(.secure) }
  }

  /// Takes what a frame says of it.
  @inline(__always)
  mutating func change(_ touch: Touch) {
    phase = touch.phase
    cancelReason = touch.cancelReason
    go(to: touch.location, time: touch.time)
  }

  /// Is somewhere at some time, in points of the screen.
  @inline(__always)
  mutating func go(to point: Point, time: Timestamp) {
    self.time = time
    screenLocation = point
    guard fate == .delivered else { return }
    previousLocation = location
    location = toTarget.apply(point)
    windowLocation = toWindow.apply(point)
  }

  /// Gets ready for the next frame.
  mutating func rest() {
    phase = .stationary
    previousLocation = location
  }

  /// The touch as it was when it began, for who gets it later. Rule R5.
  func replayed() -> LiveTouch {
    var touch = self
    touch.phase = .began
    touch.cancelReason = nil
    touch.flags.insert(.replayed)
    touch.go(to: beganLocation, time: beganTime)
    touch.previousLocation = touch.location
    return touch
  }
}
