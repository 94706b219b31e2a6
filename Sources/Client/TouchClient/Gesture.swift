import CTouchroute
public import TouchModel
public import Wire

/// A gesture, for an attachment that handles gestures. Rules G12, G13 and G16.
public struct Gesture: Equatable, Sendable {
  /// What a recognizer recognizes; the raw values are the wire's.
  public typealias Kind = Wire.GestureKind
  /// The state of a gesture; the raw values are the wire's.
  public typealias State = Wire.GestureState
  /// Which way a swipe went; the raw values are the wire's.
  public typealias Direction = Wire.Direction

  /// The attachment that hears of it.
  public var attachment: AttachmentID
  /// What ``TouchConnection/addGesture(_:to:)`` returned; nil if this program did not add it.
  public var recognizer: GestureID?
  /// The recognizer's path, such as `home/list#scroll`.
  public var path: String
  /// What the recognizer recognizes.
  public var kind: Kind
  /// The gesture's state.
  public var state: State
  /// With `cancelled`, why.
  public var cancelReason: CancelReason?
  /// When, in microseconds of CLOCK_MONOTONIC.
  public var time: Timestamp
  /// How many fingers are down; with `recognized` and `ended` the most that were down together.
  public var touches: Int
  /// The centroid of the fingers, in the coordinates of the recognizer's view or of its screen,
  /// like the values below.
  public var location: Point
  /// Of a tap and a long press: the number of taps.
  public var taps: Int
  /// Of a swipe: its direction; `any` for other kinds.
  public var direction: Direction
  /// Of a pan and an edge pan: how far the centroid has gone.
  public var translation: Point
  /// Of a pan and an edge pan: how fast the centroid moves, in points a second.
  public var velocity: Point
  /// Of a pinch: the mean distance to the centroid, divided by that when the fingers came down.
  public var scale: Double
  /// Of a pinch: the change of ``scale`` a second.
  public var scaleVelocity: Double
  /// Of a rotation: degrees clockwise.
  public var rotation: Double
  /// Of a rotation: degrees a second.
  public var rotationVelocity: Double

  /// The x of ``location``, under its name in C, Python, JSON and `--exec`.
  public var x: Double { location.x }
  /// The y of ``location``.
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

/// Names a recognizer that this program has added, from
/// ``TouchConnection/addGesture(_:to:)`` to its end, over all reconnections.
public struct GestureID: Hashable, Sendable {
  /// The number itself: the serial of the request.
  public var rawValue: UInt32

  /// The recognizer of that number.
  public init(_ rawValue: UInt32) { self.rawValue = rawValue }
}
