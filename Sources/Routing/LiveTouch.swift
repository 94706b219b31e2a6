import Layout
import TouchModel

/// A touch that is on the glass, as the router knows it.
struct LiveTouch {
  /// What becomes of its changes.
  enum Fate: Equatable {
    /// Somebody gets them.
    case delivered
    /// Nobody ever got any of it.
    case discarded(DiscardReason)
    /// Nobody gets any more of it: the router cancelled it, or its clients went away.
    case dead
  }

  /// The touch.
  let id: TouchID
  let screen: ScreenIndex
  /// The view that was hit (rule H1); nil where none was.
  var target: ViewIndex?
  let flags: TouchFlags
  /// Rule T10.
  var tapCount: UInt16 = 1
  var fate = Fate.delivered

  /// What happened to it in the frame at hand.
  var phase: TouchPhase
  var cancelReason: CancelReason?
  /// When it last changed.
  var time: Timestamp

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

  /// A touch that begins, not yet placed in a view.
  init(_ touch: Touch, screen: ScreenIndex, flags: TouchFlags) {
    id = touch.id
    self.screen = screen
    self.flags = flags
    phase = .began
    time = touch.time
    screenLocation = touch.location
    location = touch.location
    previousLocation = touch.location
    windowLocation = touch.location
  }

  /// Whether somebody gets what it does from now on.
  var isLive: Bool { fate == .delivered && !phase.isFinal }

  /// Takes the target's place in the layout in force. Rule T9.
  mutating func place(in target: ViewIndex, of layout: Layout) {
    self.target = target
    toTarget = layout.screenTransform(of: target)
    toWindow = layout.screenTransform(of: layout.window(of: target).root)
    location = toTarget.apply(screenLocation)
    previousLocation = location
    windowLocation = toWindow.apply(screenLocation)
  }

  /// Takes what a frame says of it.
  mutating func change(_ touch: Touch) {
    phase = touch.phase
    cancelReason = touch.cancelReason
    time = touch.time
    guard fate == .delivered else { return screenLocation = touch.location }
    previousLocation = location
    screenLocation = touch.location
    location = toTarget.apply(touch.location)
    windowLocation = toWindow.apply(touch.location)
  }

  /// Gets ready for the next frame.
  mutating func rest() {
    phase = .stationary
    previousLocation = location
  }
}
