import CTouchroute
public import TouchModel
public import Wire

/// What a gesture has come to, for an attachment that handles gestures. Rules G12, G13 and G16.
public struct Gesture: Equatable, Sendable {
  /// What a recogniser recognises; the raw values are the wire's.
  public typealias Kind = Wire.GestureKind
  /// What happened to it; the raw values are the wire's.
  public typealias State = Wire.GestureState
  /// Which way a swipe went; the raw values are the wire's.
  public typealias Direction = Wire.Direction

  /// The attachment that hears of it.
  public var attachment: AttachmentID
  /// What ``TouchConnection/addGesture(_:to:)`` returned; nil where another program, or the
  /// configuration, declared it.
  public var recognizer: GestureID?
  /// The recogniser's path, such as `home/list#scroll`.
  public var path: String
  /// What it recognises.
  public var kind: Kind
  /// What happened.
  public var state: State
  /// With `cancelled`, why.
  public var cancelReason: CancelReason?
  /// When, in microseconds of CLOCK_MONOTONIC.
  public var time: Timestamp
  /// How many fingers are on the glass; with `recognized` and `ended` the most that were.
  public var touches: Int
  /// The centroid of the fingers, in the coordinates of the recogniser's view or of its screen, as
  /// all that follows.
  public var location: Point
  /// Of a tap and a long press.
  public var taps: Int
  /// Of a swipe; `any` of other kinds.
  public var direction: Direction
  /// Of a pan and an edge pan: how far the centroid has gone.
  public var translation: Point
  /// And how fast it goes, in points a second.
  public var velocity: Point
  /// Of a pinch: the mean distance to the centroid against that when the fingers came down.
  public var scale: Double
  /// And its change a second.
  public var scaleVelocity: Double
  /// Of a rotation: degrees clockwise.
  public var rotation: Double
  /// And their change a second.
  public var rotationVelocity: Double

  /// Of ``location``: the name that C, Python, JSON and `--exec` have for it.
  public var x: Double { location.x }
  /// Of ``location``.
  public var y: Double { location.y }

  /// The message as the C library shows it; nil where it is of a newer daemon.
  init?(_ gesture: touchroute_gesture, path: String) {
    guard let kind = Kind(rawValue: gesture.kind), let state = State(rawValue: gesture.state),
      let direction = Direction(rawValue: gesture.direction)
    else { return nil }
    attachment = AttachmentID(gesture.attachment)
    recognizer = gesture.recognizer == 0 ? nil : GestureID(gesture.recognizer)
    self.path = path
    self.kind = kind
    self.state = state
    self.direction = direction
    cancelReason = state == .cancelled ? CancelReason(rawValue: gesture.cancel_reason) : nil
    time = Timestamp(microseconds: gesture.time_us)
    touches = Int(gesture.touches)
    taps = Int(gesture.taps)
    location = Point(x: gesture.x, y: gesture.y)
    translation = Point(x: gesture.translation_x, y: gesture.translation_y)
    velocity = Point(x: gesture.velocity_x, y: gesture.velocity_y)
    scale = gesture.scale
    scaleVelocity = gesture.scale_velocity
    rotation = gesture.rotation
    rotationVelocity = gesture.rotation_velocity
  }
}

/// Names a recogniser that this program has added, from
/// ``TouchConnection/addGesture(_:to:)`` to its end, over all reconnections.
public struct GestureID: Hashable, Sendable {
  /// The number itself: the serial of the request.
  public var rawValue: UInt32

  /// The recogniser of that number.
  public init(_ rawValue: UInt32) { self.rawValue = rawValue }
}
