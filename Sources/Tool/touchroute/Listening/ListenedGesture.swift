import LayoutDrawing
import TouchClient
import TouchModel

/// A gesture of `listen --gestures` as a line of JSON, with what its kind has. Lengths are in
/// points of the recognizer's view, times in microseconds of CLOCK_MONOTONIC, angles in degrees
/// clockwise, speeds a second. Rule G16.
struct ListenedGesture: Encodable {
  var event = "gesture"
  /// The path that was attached to.
  var attachment: String
  var cancel_reason: String?
  var direction: String?
  /// The recognizer's path, as `path` is; this is its former name.
  var gesture: String
  var kind: String
  var location: [Double]
  /// The recognizer's.
  var path: String
  var rotation: Double?
  var rotation_velocity: Double?
  var scale: Double?
  var scale_velocity: Double?
  var state: String
  var taps: Int?
  var time_us: UInt64
  var touches: Int
  var translation: [Double]?
  var velocity: [Double]?
  /// As `location`.
  var x: Double
  var y: Double

  init(_ gesture: Gesture, of attachment: String) {
    self.attachment = attachment
    cancel_reason = gesture.cancelReason?.word
    self.gesture = gesture.path
    kind = gesture.kind.word
    path = gesture.path
    location = [gesture.x, gesture.y]
    (x, y) = (gesture.x, gesture.y)
    state = gesture.state.word
    time_us = gesture.time.microseconds
    touches = gesture.touches
    switch gesture.kind {
    case .tap, .longPress: taps = gesture.taps
    case .swipe: direction = gesture.direction.word
    case .pan, .edgePan:
      translation = [gesture.translation.x, gesture.translation.y]
      velocity = [gesture.velocity.x, gesture.velocity.y]
    case .pinch: (scale, scale_velocity) = (gesture.scale, gesture.scaleVelocity)
    case .rotation: (rotation, rotation_velocity) = (gesture.rotation, gesture.rotationVelocity)
    }
  }

  /// The same for people.
  var words: String {
    var words = [
      Text.seconds(Timestamp(microseconds: time_us)), gesture, kind, state,
      Text.point(Point(x: location[0], y: location[1])),
    ]
    if touches > 1 { words.append(Text.count(touches, "finger")) }
    if let taps, taps > 1 { words.append(Text.count(taps, "tap")) }
    if let direction { words.append(direction) }
    if let translation {
      words.append("moved \(Text.point(Point(x: translation[0], y: translation[1])))")
    }
    if let scale { words.append("scale \(Text.number(scale))") }
    if let rotation { words.append("turned \(Text.number(rotation)) degrees") }
    return words.joined(separator: "  ")
  }
}
