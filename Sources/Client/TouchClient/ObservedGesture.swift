import CTouchroute
public import TouchModel
public import Wire

/// What happened to a recognizer that took a touch, for observers on the control socket: all but
/// `changed`. If the touch is in a secure view, no distance is reported. Rule F7.
public struct ObservedGesture: Equatable, Sendable {
  /// What happened to it.
  public typealias State = Wire.RecognizerState

  /// When.
  public var time: Timestamp
  /// One of its touches; nil if it has none.
  public var touch: TouchID?
  /// The daemon's number of the recognizer.
  public var recognizer: UInt32
  /// The process that hears of it; nil if that has disconnected.
  public var pid: Int32?
  /// What it recognizes; nil if this version does not know it.
  public var kind: Gesture.Kind?
  /// What happened. ``State/possible`` comes with the first touch that it takes, and without a
  /// touch once it is possible again.
  public var state: State
  /// With `cancelled`, why.
  public var cancelReason: CancelReason?
  /// The recognizer's path.
  public var path: String
  /// Why it failed or takes no part, in words; else empty.
  public var text: String
  /// Whether it takes no part in the touch, because no program would hear of it. ``state`` is then
  /// `failed`, and it is the first report of the recognizer. Rules G2 and G13.
  public var isPassedBy: Bool

  /// The message as the C library shows it; nil where it is of a newer daemon.
  init?(_ gesture: touchroute_observed_gesture, path: String, text: String) {
    isPassedBy = UInt32(gesture.state) == TOUCHROUTE_GESTURE_PASSED_BY.rawValue
    guard let state = isPassedBy ? .failed : State(rawValue: gesture.state) else { return nil }
    self.state = state
    time = Timestamp(microseconds: gesture.time_us)
    touch = gesture.touch == 0 ? nil : TouchID(gesture.touch)
    recognizer = gesture.recognizer
    pid = gesture.pid == 0 ? nil : gesture.pid
    kind = Gesture.Kind(rawValue: gesture.kind)
    cancelReason = state == .cancelled ? CancelReason(rawValue: gesture.cancel_reason) : nil
    self.path = path
    self.text = text
  }
}
