import CTouchroute
public import TouchModel
public import Wire

/// What happened to a recogniser that took a touch, for those who observe on the control socket:
/// all but what changed. Of a touch in a secure view no distance is said. Rule F7.
public struct ObservedGesture: Equatable, Sendable {
  /// What happened to it.
  public typealias State = Wire.RecognizerState

  /// When.
  public var time: Timestamp
  /// One of its touches; nil where it has none.
  public var touch: TouchID?
  /// The daemon's number of the recogniser.
  public var recognizer: UInt32
  /// The process that is told of it; nil where that is gone.
  public var pid: Int32?
  /// What it recognises; nil where this version does not know it.
  public var kind: Gesture.Kind?
  /// What happened. ``State/possible`` is told twice: with the first touch that it takes, and
  /// without a touch once nothing keeps it any more.
  public var state: State
  /// With `cancelled`, why.
  public var cancelReason: CancelReason?
  /// The recogniser's path.
  public var path: String
  /// Why it failed or takes no part, in words; empty where neither is so.
  public var text: String
  /// Whether it takes no part in the touch, as no program would hear of it. Then ``state`` is
  /// `failed`, and nothing was told of it before. Rules G2 and G13.
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
