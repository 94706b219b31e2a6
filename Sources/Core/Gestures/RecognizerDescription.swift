/// What a recognizer is, as the configuration or a client describes it. Rules G1 and G5 to G13.
package struct RecognizerDescription: Equatable, Sendable, BitwiseCopyable {
  /// The kind, and what it asks for.
  package var kind: GestureKind
  /// How many fingers it asks for.
  package var touches: FingerCount
  /// Whether it takes part. Rule G2.
  package var isEnabled = true
  /// Whether clients lose its touches once it recognizes. Rule G9.
  package var cancelsTouches = true
  /// Whether the ends of its touches are held back while it is possible. Rule G10.
  package var delaysEnded = true
  /// Whether all of its touches is held back until it has failed. Rule G11.
  package var delaysBegan = false
  /// Whether it comes before the others, and no client's `accept` ends it. Rules G5 and G8.
  package var hasPriority = false

  /// A recognizer of a kind.
  ///
  /// - Parameter touches: How many fingers it asks for; nil for the kind's default.
  package init(_ kind: GestureKind, touches: FingerCount? = nil) {
    self.kind = kind
    self.touches = touches ?? kind.defaultTouches
  }
}

/// How many fingers a recognizer asks for at least, and takes at most. Rule G2.
package struct FingerCount: Equatable, Sendable, BitwiseCopyable {
  /// FEWEST: below it nothing is measured.
  package var fewest: Int
  /// MOST: fingers beyond it are not its touches.
  package var most: Int

  /// From so many fingers to so many.
  package init(_ fewest: Int, _ most: Int) {
    self.fewest = fewest
    self.most = most
  }
}

/// The kinds of gestures, each with what it asks for. Distances are in points of the screen, times
/// in milliseconds; all are inclusive ("at most", "within"), as rule G15 has it.
package enum GestureKind: Equatable, Sendable, BitwiseCopyable {
  /// Fingers that go down and up again, so many times. Discrete.
  case tap(Tap)
  /// Fingers that stay where they are. Continuous.
  case longPress(LongPress)
  /// Fingers that move. Continuous.
  case pan(Pan)
  /// Fingers that go far, one way, and fast. Discrete.
  case swipe(Swipe)
  /// Fingers that come closer or part. Continuous.
  case pinch(Pinch)
  /// Fingers that turn about each other. Continuous.
  case rotation(Rotation)
  /// Fingers that come in over an edge. Continuous.
  case edgePan(EdgePan)

  /// What a tap asks for.
  package struct Tap: TapSettings, Equatable, Sendable, BitwiseCopyable {
    /// How many times the fingers go down and up.
    package var taps = 1
    /// How far a finger may go from where it came down.
    package var slop = 18.0
    /// How long each tap may take, from its first finger's coming down to its last one's lift.
    package var durationMilliseconds: UInt64 = 750
    /// How long after a tap's end the next one may begin.
    package var intervalMilliseconds: UInt64 = 350
    /// How far from the centroid of the tap before the next one's may be.
    package var distance = 45.0
    /// How long after the first finger of a tap the others may come.
    package var gatherMilliseconds: UInt64 = 150

    /// A single tap.
    package init() {}
  }

  /// What a long press asks for.
  package struct LongPress: TapSettings, Equatable, Sendable, BitwiseCopyable {
    /// How long the fingers must stay, since the last of them came down.
    package var durationMilliseconds: UInt64 = 500
    /// How far a finger may go from where it came down, before it begins.
    package var slop = 10.0
    /// How many taps come before the press.
    package var taps = 0
    /// How long after a tap's end the next one, or the press, may begin.
    package var intervalMilliseconds: UInt64 = 350
    /// How far from the centroid of the tap before the next one's, or the press's, may be.
    package var distance = 45.0
    /// How long after the first finger the others may come.
    package var gatherMilliseconds: UInt64 = 150

    /// A press without a tap before it.
    package init() {}
  }

  /// What a pan asks for.
  package struct Pan: Equatable, Sendable, BitwiseCopyable {
    /// How far the fingers' centroid must go.
    package var slop = 10.0
    /// Along which axis of its view it must go; nil for any.
    package var axis: Axis?

    /// A pan that way, or any.
    package init(_ axis: Axis? = nil) { self.axis = axis }
  }

  /// What a swipe asks for.
  package struct Swipe: Equatable, Sendable, BitwiseCopyable {
    /// Which way, as its view lies.
    package var direction: Direction
    /// How far the fingers' centroid must go.
    package var distance = 50.0
    /// In what time, since the last finger came down.
    package var durationMilliseconds: UInt64 = 500
    /// How far the other way it may not go.
    package var slop = 10.0
    /// How long after the first finger the others may come.
    package var gatherMilliseconds: UInt64 = 150

    /// A swipe that way.
    package init(_ direction: Direction) { self.direction = direction }
  }

  /// What a pinch asks for.
  package struct Pinch: Equatable, Sendable, BitwiseCopyable {
    /// How much the mean distance to the centroid must change.
    package var slop = 10.0

    /// A pinch, in or out.
    package init() {}
  }

  /// What a rotation asks for.
  package struct Rotation: Equatable, Sendable, BitwiseCopyable {
    /// How far the fingers must turn, in degrees.
    package var slopDegrees = 10.0
    /// How long an arc that must be at their mean distance.
    package var slop = 10.0

    /// A rotation, either way.
    package init() {}
  }

  /// What an edge pan asks for.
  package struct EdgePan: Equatable, Sendable, BitwiseCopyable {
    /// Of which edge of its view's bounds, or of the screen.
    package var edge: Edge
    /// How far inside of the edge each finger may begin.
    package var margin = 20.0
    /// How far inwards the fingers' centroid must go.
    package var slop = 10.0

    /// A pan inwards from that edge.
    package init(_ edge: Edge) { self.edge = edge }
  }

  /// How many fingers, where a description does not say.
  package var defaultTouches: FingerCount {
    switch self {
    case .tap, .longPress, .swipe, .edgePan: FingerCount(1, 1)
    case .pan: FingerCount(1, 10)
    case .pinch, .rotation: FingerCount(2, 10)
    }
  }

  /// How many fingers a description may ask for: one has no distance to others, and does not turn.
  package var possibleTouches: ClosedRange<Int> {
    switch self {
    case .pinch, .rotation: 2...GestureRange.fingers.upperBound
    case .tap, .longPress, .pan, .swipe, .edgePan: GestureRange.fingers
    }
  }

  /// The name in configurations, on the wire and in messages.
  package var name: String {
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

  /// Whether it has `began`, `changed` and `ended`; a kind that has not is `recognized`, once.
  package var isContinuous: Bool {
    switch self {
    case .tap, .swipe: false
    case .longPress, .pan, .pinch, .rotation, .edgePan: true
    }
  }
}

/// What kinds ask for that count taps: those that are a gesture, or that come before a press. Each
/// says what its own mean, and how many they are by default.
package protocol TapSettings {
  var taps: Int { get set }
  var slop: Double { get set }
  var distance: Double { get set }
  var durationMilliseconds: UInt64 { get set }
  var intervalMilliseconds: UInt64 { get set }
  var gatherMilliseconds: UInt64 { get set }
}

/// An axis of a view.
package enum Axis: String, Sendable, CaseIterable, BitwiseCopyable {
  case horizontal, vertical
}

/// A way along an axis of a view.
package enum Direction: String, Sendable, CaseIterable, BitwiseCopyable {
  case left, right, up, down
}

/// An edge of a view's bounds, or of a screen.
package enum Edge: String, Sendable, CaseIterable, BitwiseCopyable {
  case left, right, top, bottom
}
