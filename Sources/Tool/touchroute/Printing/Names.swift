import TouchClient
import TouchModel

// The words of the protocol as people and scripts read them: those of the C header, in lower case.

extension Gesture.Kind {
  var word: String {
    switch self {
    case .tap: "tap"
    case .longPress: "long_press"
    case .pan: "pan"
    case .swipe: "swipe"
    case .pinch: "pinch"
    case .rotation: "rotation"
    case .edgePan: "edge_pan"
    }
  }
}

extension Gesture.State {
  var word: String {
    switch self {
    case .recognized: "recognized"
    case .began: "began"
    case .changed: "changed"
    case .ended: "ended"
    case .cancelled: "cancelled"
    }
  }
}

extension ObservedGesture.State {
  var word: String {
    switch self {
    case .recognized: "recognized"
    case .began: "began"
    case .changed: "changed"
    case .ended: "ended"
    case .cancelled: "cancelled"
    case .failed: "failed"
    case .possible: "possible"
    }
  }
}

extension Gesture.Direction {
  /// Nil for any.
  var word: String? {
    switch self {
    case .any: nil
    case .left: "left"
    case .right: "right"
    case .up: "up"
    case .down: "down"
    case .horizontal: "horizontal"
    case .vertical: "vertical"
    }
  }
}

extension DaemonStatus.Counter {
  /// Why nobody got the touches that it counts; nil where it counts something else.
  var discardReason: DiscardReason? {
    DiscardReason.allCases.first { DaemonStatus.Counter($0) == self }
  }

  /// The name that it has in Swift, as scripts read it: `lostLogLines` is `lost_log_lines`.
  var word: String {
    "\(self)".reduce(into: "") { word, character in
      word += character.isUppercase ? "_\(character.lowercased())" : "\(character)"
    }
  }
}
