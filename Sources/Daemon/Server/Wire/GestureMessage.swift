import CTouchroute
package import Gestures
package import Routing
import TouchModel
import Wire

extension FixedMessage<touchroute_gesture> {
  /// What a recognizer has to tell an attachment. Rules G12, G13 and G16.
  ///
  /// - Parameter state: What its client is told of what happened.
  init(_ gesture: Deliveries.Gesture, _ state: Wire.GestureState, of origin: GestureOrigin) {
    var fixed = touchroute_gesture(
      gesture.event, state, of: origin.kind, to: gesture.attachment)
    let path = pathOnWire(origin.path)
    fixed.path_size = UInt32(path.utf8.count)
    self.init(TOUCHROUTE_GESTURE, fixed, path)
  }
}

extension touchroute_gesture {
  fileprivate init(
    _ event: GestureEvent, _ state: Wire.GestureState, of kind: GestureKind,
    to attachment: AttachmentID
  ) {
    let values = event.values
    self.init()
    self.attachment = attachment.rawValue
    self.recognizer = event.recognizer.rawValue
    time_us = event.time.microseconds
    self.kind = Wire.GestureKind(kind).rawValue
    self.state = state.rawValue
    if case .cancelled(let reason) = event.change { cancel_reason = reason.rawValue }
    direction = kind.swipeDirection.rawValue
    touches = UInt16(clamping: values.touches)
    taps = UInt16(clamping: kind.neededTaps ?? 0)
    (x, y) = (values.location.x, values.location.y)
    (translation_x, translation_y) = (values.translation.x, values.translation.y)
    (velocity_x, velocity_y) = (values.velocity.x, values.velocity.y)
    (scale, scale_velocity) = (values.scale, values.scaleVelocity)
    (rotation, rotation_velocity) = (values.rotation, values.rotationVelocity)
  }
}

/// What happened to a recognizer, as observers may know it. Rule F7.
package struct ObservedRecognizer {
  let gesture: Deliveries.ObservedGesture
  private let kind: GestureKind
  private let path: String
  private let text: String

  /// Something that happened to a recognizer.
  ///
  /// - Parameters:
  ///   - path: What may be known of the recognizer's.
  ///   - text: Why it failed or takes no part; empty where neither is so.
  package init(
    _ gesture: Deliveries.ObservedGesture, _ kind: GestureKind, path: String, text: String
  ) {
    self.gesture = gesture
    self.kind = kind
    self.path = pathOnWire(path)
    self.text = text
  }

  /// The message.
  ///
  /// - Parameter pid: The process that is told of it.
  func message(pid: Int32) -> FixedMessage<touchroute_observed_gesture> {
    var fixed = touchroute_observed_gesture()
    fixed.time_us = gesture.time.microseconds
    fixed.touch = gesture.touch?.rawValue ?? 0
    fixed.recognizer = gesture.recognizer.rawValue
    fixed.pid = pid
    fixed.kind = Wire.GestureKind(kind).rawValue
    fixed.state =
      gesture.isPassedBy
      ? UInt8(TOUCHROUTE_GESTURE_PASSED_BY.rawValue)
      : Wire.RecognizerState(gesture.change).rawValue
    if case .cancelled(let reason) = gesture.change { fixed.cancel_reason = reason.rawValue }
    fixed.path_size = UInt32(path.utf8.count)
    fixed.text_size = UInt32(text.utf8.count)
    return FixedMessage(TOUCHROUTE_OBSERVED_GESTURE, fixed, path, text)
  }
}

extension Wire.GestureState {
  /// The state that clients are told of; nil for `failed`, of which only observers are.
  package init?(_ change: GestureEvent.Change) {
    switch change {
    case .recognized: self = .recognized
    case .began: self = .began
    case .changed: self = .changed
    case .ended: self = .ended
    case .cancelled: self = .cancelled
    case .failed: return nil
    }
  }
}

extension Wire.RecognizerState {
  /// What observers are told.
  fileprivate init(_ change: GestureEvent.Change?) {
    switch change {
    case .recognized: self = .recognized
    case .began: self = .began
    case .changed: self = .changed
    case .ended: self = .ended
    case .cancelled: self = .cancelled
    case .failed: self = .failed
    case nil: self = .possible
    }
  }
}

extension Wire.GestureKind {
  init(_ kind: GestureKind) {
    switch kind {
    case .tap: self = .tap
    case .longPress: self = .longPress
    case .pan: self = .pan
    case .swipe: self = .swipe
    case .pinch: self = .pinch
    case .rotation: self = .rotation
    case .edgePan: self = .edgePan
    }
  }
}

extension GestureKind {
  /// Which way a swipe goes; `any` of other kinds.
  fileprivate var swipeDirection: Wire.Direction {
    guard case .swipe = self, let direction = settings.direction else { return .any }
    return Wire.Direction(direction)
  }
}
