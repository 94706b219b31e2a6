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
    /// Nobody gets anything further of it: the router cancelled it, or its clients went away.
    case dead
  }

  /// What is found out about a touch when it begins.
  struct Assignment {
    /// The view that was hit (rule H1); nil where none was.
    var target: ViewIndex?
    /// How many taps in a row it makes, itself included: 1 for the first. Rule T10.
    var tapCount: UInt16 = 1
    var fate: Fate
  }

  private(set) var screen: ScreenIndex
  /// The view that was hit (rule H1); nil where none was.
  private(set) var target: ViewIndex?
  private(set) var flags: TouchFlags
  /// How many taps in a row it makes, itself included: 1 for the first. Rule T10.
  let tapCount: UInt16
  var fate: Fate
  /// Where ``MoveBuffers`` keeps its moves, while somebody up its chain may yet get them (rule R5).
  var moveBuffer: Int?
  /// Whether it ended, and is known only because it may yet be declined.
  private(set) var isLifted = false
  private var held = Held()
  /// What happened to it last: with the frame at hand, or before, where it rests.
  private var touch: Touch
  /// As it began.
  private let beginning: Touch
  /// Where it is in the coordinates of its target and window.
  private(set) var position: Position

  /// A touch that begins.
  ///
  /// - Parameter placement: The target's, in the layout in force.
  @inline(__always)
  init(
    _ touch: Touch, screen: ScreenIndex, flags: TouchFlags, _ assignment: Assignment,
    at placement: Layout.Placement?
  ) {
    self.screen = screen
    self.flags = flags
    self.touch = touch
    beginning = touch
    target = assignment.target
    tapCount = assignment.tapCount
    fate = assignment.fate
    position = Position(at: touch.location)
    if let placement { take(placement) }
  }

  var id: TouchID { touch.id }
  /// What happened to it in the frame at hand.
  var phase: TouchPhase { touch.phase }
  var cancelReason: CancelReason? { touch.cancelReason }
  /// When it last changed.
  var time: Timestamp { touch.time }
  /// In points of the screen.
  var screenLocation: Point { touch.location }
  var beganTime: Timestamp { beginning.time }
  /// In points of the screen.
  var beganLocation: Point { beginning.location }

  /// Whether its finger is off the glass, though the touch is still known.
  var isUp: Bool { isLifted || holdsEnd }

  /// Whether somebody gets what it does from now on.
  var isLive: Bool { fate == .delivered && !phase.isFinal && !isUp }

  /// Goes over to another layout. Of one that somebody gets the locations are those of the target's
  /// place in it (rule T9).
  mutating func move(to target: ViewIndex?, of layout: Layout) {
    self.target = target
    if let target, fate == .delivered { take(layout.placement(of: target)) }
  }

  @inline(__always)
  private mutating func take(_ placement: Layout.Placement) {
    position = Position(at: touch.location, placement)
    if placement.isSecure { flags.insert(.secure) } else { flags.remove(.secure) }
  }

  /// Takes what a frame says of it.
  @inline(__always)
  mutating func change(_ touch: Touch) {
    self.touch = touch
    if fate == .delivered { position.go(to: touch.location) }
  }

  /// Goes to a place before a frame says so.
  mutating func locate(at location: Point) {
    touch.location = location
    if fate == .delivered { position.go(to: location) }
  }

  /// Gets ready for the next frame.
  @inline(__always)
  mutating func rest() {
    touch.phase = .stationary
    position.rest()
  }

  /// Rests, and is off the glass: it may yet be declined.
  mutating func lift() {
    isLifted = true
    rest()
  }

  // MARK: Held back for recognizers, rules G10 and G11

  /// What a recognizer may take, so that clients do not hear of it yet.
  private struct Held {
    var isAll = false
    var end: Touch?
  }

  /// Whether clients hear nothing of it yet; nobody ever will of one that nobody has. Rule G11.
  var isHeldBack: Bool {
    held.isAll && fate == .delivered
  }

  /// Whether it has ended, and clients do not hear of that yet. Rule G10.
  var holdsEnd: Bool {
    held.end != nil
  }

  /// When it ended, where clients do not hear of that yet.
  var heldEnd: Timestamp? { held.end?.time }

  /// Keeps its end for later: to clients it rests.
  mutating func holdEnd(_ end: Touch) { held.end = end }

  /// Ends now, as it did then.
  mutating func releaseEnd() {
    guard let end = held.end else { return }
    held.end = nil
    change(end)
  }

  /// Keeps all of it for later.
  mutating func holdBack() { held.isAll = true }

  /// Lets clients hear of it; where its end was kept too, and is kept no further, it is lifted.
  mutating func release(keepingEnd keepsEnd: Bool) {
    held.isAll = false
    if keepsEnd || !holdsEnd { return }
    releaseEnd()
    lift()
  }

  // MARK: For who gets it later, rule R5

  /// The touch as it rests before the frame at hand says of it what it does, such as its cancel.
  func rested() -> LiveTouch {
    var rested = self
    rested.touch.cancelReason = nil
    rested.rest()
    return rested
  }

  /// The touch as it was when it began.
  func replayed() -> LiveTouch {
    var replayed = self
    replayed.flags.insert(.replayed)
    replayed.change(beginning)
    replayed.position.rest()
    return replayed
  }

  /// Goes on, in a replay, to a move that was kept.
  mutating func replay(_ move: MoveBuffers.Move) {
    if move.isCoalesced { flags.insert(.coalesced) } else { flags.remove(.coalesced) }
    change(Touch(id: id, phase: .moved, location: move.location, time: move.time))
  }

  /// Goes on, in a replay, to where the touch ended.
  mutating func replayEnd(of touch: LiveTouch) {
    flags.remove(.coalesced)
    change(Touch(id: id, phase: .ended, location: touch.screenLocation, time: touch.time))
  }
}

extension LiveTouch {
  /// Where a touch is in the coordinates of its target and of its window. Rule T9.
  struct Position: BitwiseCopyable {
    /// In the target's coordinates, as is the next.
    private(set) var location: Point
    private(set) var previousLocation: Point
    /// In the window's coordinates.
    private(set) var windowLocation: Point
    /// From the screen to the target's coordinates, by the layout in force.
    private let toTarget: AffineTransform
    /// From the screen to the window's coordinates, likewise.
    private let toWindow: AffineTransform

    /// That of a touch without a target, which stays in points of the screen.
    @inline(__always)
    fileprivate init(at point: Point) {
      toTarget = .identity
      toWindow = .identity
      location = point
      previousLocation = point
      windowLocation = point
    }

    /// That of a touch at a point of the screen, over its target.
    @inline(__always)
    fileprivate init(at point: Point, _ placement: Layout.Placement) {
      toTarget = placement.toView
      toWindow = placement.toWindow
      location = toTarget.apply(point)
      previousLocation = location
      windowLocation = toWindow.apply(point)
    }

    @inline(__always)
    fileprivate mutating func go(to point: Point) {
      previousLocation = location
      location = toTarget.apply(point)
      windowLocation = toWindow.apply(point)
    }

    @inline(__always)
    fileprivate mutating func rest() { previousLocation = location }
  }
}
