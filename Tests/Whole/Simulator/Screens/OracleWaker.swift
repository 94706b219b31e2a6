import Routing
import TouchModel

/// A recognizer of fingers that no program gets: what wakes a dark screen, and what ends a lock.
/// Rules D4 and D9.
final class OracleWaker {
  private let gestures: OracleGestures
  private let recognizer: OracleRecognizer

  /// One that knows of no finger yet.
  init(_ gesture: SimulatedGesture) {
    recognizer = OracleRecognizer(
      gesture,
      OracleSpace(toView: .identity, bounds: Rect(x: 0, y: 0, width: 200, height: 100)))
    recognizer.receiver = 0
    gestures = OracleGestures([recognizer], holdLimit: 0)
  }

  /// A recognizer `tap` with its default settings but for how many.
  static func taps(_ count: Int) -> OracleWaker {
    var tap = SimulatedGesture(.tap, view: nil, name: "taps")
    tap.taps = count
    return OracleWaker(tap)
  }

  /// What wakes a screen; nil where one finger that comes down does, or none.
  static func waking(_ action: Screen.Waking.Action) -> OracleWaker? {
    switch action {
    case .touch, .none: nil
    case .doubleTap: taps(2)
    case .longPress: OracleWaker(SimulatedGesture(.longPress, view: nil, name: "press"))
    }
  }

  func begin(_ touch: TouchID, at place: Point, of device: DeviceID, time: Timestamp) {
    _ = recognizer.take(
      touch, place, of: Int(device.rawValue), isBlocked: false, at: time)
    gestures.decide(at: time)
  }

  func take(_ frame: TouchFrame) {
    for touch in frame.touches where touch.phase.isFinal {
      let reason = touch.phase == .cancelled ? touch.cancelReason ?? .palm : nil
      gestures.lose(touch.id, reason, at: frame.time)
    }
    gestures.move(
      frame.touches.filter { $0.phase == .moved }.map { ($0.id, $0.location) }, at: frame.time)
    gestures.decide(at: frame.time)
  }

  var deadline: Timestamp? { gestures.deadline }

  func advance(to time: Timestamp) { gestures.advance(to: time) }

  /// Whether it has recognized since it was asked last.
  func takeRecognition() -> Bool {
    gestures.takeEvents().contains { $0.change == "recognized" || $0.change == "began" }
  }
}
