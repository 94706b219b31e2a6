import CTouchroute
package import Gestures
import Routing
import TouchModel
import Wire

extension touchroute_gesture {
  /// What a recogniser has to tell an attachment; nil for `failed`, of which only observers are
  /// told. Rules G12, G13 and G16.
  init?(_ event: GestureEvent, of recognizer: RecognizerSpec, to attachment: AttachmentID) {
    guard let state = Wire.GestureState(event.change) else { return nil }
    let kind = recognizer.description.kind
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
    guard case .swipe(let swipe) = self else { return .any }
    return switch swipe.direction {
    case .left: .left
    case .right: .right
    case .up: .up
    case .down: .down
    }
  }
}
