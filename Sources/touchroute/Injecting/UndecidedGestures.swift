import TouchClient
import TouchModel

/// The recognisers that may still take a touch of this process's away. Rules G9 and G10.
struct UndecidedGestures {
  private var touches: Set<TouchID> = []
  /// By the daemon's numbers.
  private var recognizers: Set<UInt32> = []

  var isEmpty: Bool { recognizers.isEmpty }

  /// A touch of this process's.
  mutating func add(_ touch: TouchID) { touches.insert(touch) }

  /// What happened to a recogniser, of whomever's touches.
  mutating func note(_ gesture: ObservedGesture) {
    switch gesture.state {
    case .possible where gesture.touch != nil:
      guard let touch = gesture.touch, touches.contains(touch) else { return }
      recognizers.insert(gesture.recognizer)
    case .changed: break
    // It has taken what it takes, or takes nothing any more.
    case .possible, .recognized, .began, .ended, .cancelled, .failed:
      recognizers.remove(gesture.recognizer)
    }
  }
}
