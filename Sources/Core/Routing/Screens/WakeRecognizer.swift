import Gestures
import TouchModel

/// Sees the touches that a dark screen keeps out, and recognizes what wakes it. Rule D4.
final class WakeRecognizer {
  private var gestures: Gestures
  private let indices: ReusableArray<Int>

  /// A recognizer of one gesture, with its default settings. Distances alone matter to it, and
  /// these are in points of the screen.
  init(_ gesture: RecognizerDescription) {
    gestures = Gestures([
      RecognizerEntry(
        gesture, id: RecognizerID(1), at: 0, owner: 0, depth: -1,
        orientation: Orientation(screenOf: Size(width: 1, height: 1)))
    ])
    indices = [0]
  }

  /// Shows it a touch that begins.
  func begin(_ touch: Touch, of device: DeviceID) {
    gestures.begin(touch.id, at: touch.location, of: device, for: indices, time: touch.time)
    gestures.decide(device, at: touch.time)
  }

  /// Shows it what the fingers of a device do.
  func take(_ frame: TouchFrame) { gestures.take(frame) }

  /// When it must be told the time.
  var nextDeadline: Timestamp? { gestures.nextDeadline }

  /// Takes in that it is that time.
  func advance(to time: Timestamp) { gestures.advance(to: time) }

  /// Whether it has recognized since it was asked last; where it has failed, it begins anew.
  func takeRecognition(at time: Timestamp) -> Bool {
    var hasRecognized = false
    repeat {
      for index in gestures.events.indices {
        let change = gestures.events[index].change
        hasRecognized = hasRecognized || change == .recognized || change == .began
      }
      gestures.removeEvents(at: time)
    } while !gestures.events.isEmpty
    return hasRecognized
  }
}

extension Screen.Waking.Action {
  /// What wakes a screen where a touch alone does not.
  var gesture: RecognizerDescription? {
    switch self {
    case .touch, .none: return nil
    case .doubleTap:
      var tap = GestureKind.Tap()
      tap.taps = 2
      return RecognizerDescription(.tap(tap))
    case .longPress: return RecognizerDescription(.longPress(GestureKind.LongPress()))
    }
  }
}
