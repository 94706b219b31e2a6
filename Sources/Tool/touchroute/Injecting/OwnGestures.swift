import TouchClient
import TouchModel

/// The recognizers that have to do with this process's touches, and which of these nobody has got.
/// Rules G2, G9 and G10.
struct OwnGestures {
  /// What is known of a touch that no program gets.
  struct Missed {
    let id: TouchID
    /// Whether a gesture might have come of it.
    let hadGestures: Bool
    /// The path of what it hit; empty where that is nothing.
    fileprivate let target: String
  }

  private var touches: Set<TouchID> = []
  /// Those that have one of the touches, or wait for one, by the daemon's numbers.
  private var taking: [UInt32: String] = [:]
  /// Those that may still take a touch away.
  private var undecided: Set<UInt32> = []
  /// The recognizers of which it was told that they take no part.
  private var passedBy: Set<UInt32> = []

  /// Whether no recognizer may take a touch away any more.
  var isDecided: Bool { undecided.isEmpty }

  /// The touches that neither programs nor gestures got.
  private(set) var missedTouches: [Missed] = []

  /// A touch of this process's, before what recognizers do with it.
  mutating func add(_ touch: TouchID) { touches.insert(touch) }

  /// Takes note that no program gets a touch that begins; whether gestures have it.
  mutating func miss(_ record: Observation.Record) -> Bool {
    if record.discardReason == .gesture { return true }
    let hasGestures = taking.values.contains { Self.covers($0, record.targetPath) }
    if !missedTouches.contains(where: { $0.id == record.id }) {
      missedTouches.append(
        Missed(id: record.id, hadGestures: hasGestures, target: record.targetPath))
    }
    return hasGestures
  }

  /// Takes in what happened to a recognizer, of whomever's touches; whether it is to be said.
  mutating func note(_ gesture: ObservedGesture) -> Bool {
    if let touch = gesture.touch, touches.contains(touch) {
      if gesture.isPassedBy { return passedBy.insert(gesture.recognizer).inserted }
      if gesture.state == .possible {
        taking[gesture.recognizer] = gesture.path
        undecided.insert(gesture.recognizer)
      }
    } else if gesture.state == .possible {
      undecided.remove(gesture.recognizer)
      taking[gesture.recognizer] = nil
    }
    guard taking[gesture.recognizer] != nil, gesture.state != .possible else { return false }
    // It has taken what it takes, or takes nothing any more.
    if gesture.state != .changed { undecided.remove(gesture.recognizer) }
    guard gesture.state == .recognized || gesture.state == .began else { return false }
    missedTouches.removeAll { Self.covers(gesture.path, $0.target) }
    return true
  }

  /// Whether what happened is about a recognizer that takes part in a touch of this process's.
  func isOwn(_ gesture: ObservedGesture) -> Bool {
    taking[gesture.recognizer] != nil && !gesture.isPassedBy
  }

  /// Whether a recognizer is of what a touch hit, or of what that lies in.
  private static func covers(_ recognizer: String, _ target: String) -> Bool {
    let owner = recognizer.prefix { $0 != "#" }
    return owner.hasPrefix("screen:") || target == owner || target.hasPrefix("\(owner)/")
  }
}
