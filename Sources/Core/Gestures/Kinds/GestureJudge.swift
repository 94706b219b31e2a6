import TouchModel

/// What a kind makes of its fingers until it has recognized: an input for each thing that can
/// happen in a frame, and one for a deadline. Rule G3.
///
/// An input that gives a reason says that it can no longer recognize.
protocol GestureJudge {
  /// A finger came down.
  func landed(at location: Point, _ hand: Hand, _ progress: inout Progress) -> FailureReason?

  /// A finger was lifted.
  func lifted(_ hand: Hand, _ progress: inout Progress) -> FailureReason?

  /// One or more fingers moved.
  func moved(_ hand: Hand, _ progress: inout Progress) -> FailureReason?

  /// Its deadline has come.
  func due(_ hand: Hand, _ progress: inout Progress) -> FailureReason?

  /// When it must be asked again, though nothing happens; nil where time changes nothing.
  func deadline(_ hand: Hand, _ progress: Progress) -> Timestamp?
}

extension GestureJudge {
  /// Takes in what happened.
  @inline(__always)
  func take(_ input: GestureInput, _ hand: Hand, _ progress: inout Progress) -> FailureReason? {
    switch input {
    case .landed(let location): landed(at: location, hand, &progress)
    case .lifted: lifted(hand, &progress)
    case .moved: moved(hand, &progress)
    case .due: due(hand, &progress)
    }
  }

  func landed(at location: Point, _ hand: Hand, _ progress: inout Progress) -> FailureReason? {
    nil
  }

  /// All lifted, and nothing recognized: a kind that measures can't begin without a finger.
  func lifted(_ hand: Hand, _ progress: inout Progress) -> FailureReason? {
    hand.count == 0 && !progress.wouldRecognize ? .lifted : nil
  }

  func due(_ hand: Hand, _ progress: inout Progress) -> FailureReason? { nil }

  func deadline(_ hand: Hand, _ progress: Progress) -> Timestamp? { nil }
}

/// How far a recognizer has come.
struct Progress: BitwiseCopyable {
  /// Whether it would recognize with things as they are.
  var wouldRecognize = false
  /// Whether it would have recognized, and has lost fingers that it asks for while it waited for
  /// others: it does not fail for that. Rule G7.
  var hasWaited = false
  /// The frame in which a finger was lifted last, and whether it would have recognized before it.
  var latestLift: (frame: UInt64, wouldRecognize: Bool)?
  /// The same of a finger that came down last.
  var latestLanding: (frame: UInt64, wouldRecognize: Bool)?
  /// The taps that it has seen, where it asks for some.
  var taps = TapSeries()
  /// How its fingers came down, where they must come together.
  var landing: Landing?
}

/// What can happen to a recognizer's fingers.
enum GestureInput {
  case landed(Point)
  case lifted
  case moved
  /// Its deadline has come.
  case due
}

extension GestureKind {
  /// Takes in what happened.
  @inline(__always)
  func take(_ input: GestureInput, _ hand: Hand, _ progress: inout Progress) -> FailureReason? {
    switch self {
    case .tap(let kind): kind.take(input, hand, &progress)
    case .longPress(let kind): kind.take(input, hand, &progress)
    case .pan(let kind): kind.take(input, hand, &progress)
    case .swipe(let kind): kind.take(input, hand, &progress)
    case .pinch(let kind): kind.take(input, hand, &progress)
    case .rotation(let kind): kind.take(input, hand, &progress)
    case .edgePan(let kind): kind.take(input, hand, &progress)
    }
  }

  /// When it must be asked again, though nothing happens.
  func deadline(_ hand: Hand, _ progress: Progress) -> Timestamp? {
    switch self {
    case .tap(let kind): kind.deadline(hand, progress)
    case .longPress(let kind): kind.deadline(hand, progress)
    case .swipe(let kind): kind.deadline(hand, progress)
    case .pan, .pinch, .rotation, .edgePan: nil
    }
  }
}

/// What a kind is shown of its fingers, behind what happened to them. Distances are in points of
/// the screen.
struct Hand {
  let time: Timestamp
  /// The frame in which a finger came or went last.
  let frame: UInt64
  /// How many fingers are asked for.
  let touches: FingerCount
  /// How many fingers are on the glass.
  let count: Int
  /// Whether there are enough to be measured.
  let areEnough: Bool
  /// The furthest that one of them is from where it came down; 0 where none moved.
  let farthest: Double
  /// How far the centroid has gone.
  let translation: Point
  /// How much the mean distance to the centroid has grown; negative where it shrank.
  let spread: Double
  /// How far the fingers have turned, in degrees.
  let rotation: Double
  /// The mean distance to the centroid.
  let meanDistance: Double
  let orientation: Orientation

  @inline(__always)
  init(
    _ fingers: Fingers, _ touches: FingerCount, _ orientation: Orientation, farthest: Double,
    at time: Timestamp
  ) {
    self.time = time
    frame = fingers.frame
    self.touches = touches
    count = fingers.count
    areEnough = fingers.areEnough
    self.farthest = farthest
    translation = fingers.translation
    spread = fingers.spread
    rotation = fingers.rotation
    meanDistance = fingers.meanDistance
    self.orientation = orientation
  }

  /// How far the centroid has gone, along the axes of the view.
  var turnedTranslation: Point { orientation.turned(translation) }
}

extension Double {
  /// Far less than a touchscreen can tell, and more than conversions round off.
  private static let rounding = 1e-6

  /// Whether it is the limit or more, but for what conversions round off.
  func reaches(_ limit: Double) -> Bool { self >= limit - Self.rounding }

  /// Whether it is more than the limit, but for what conversions round off.
  func exceeds(_ limit: Double) -> Bool { self > limit + Self.rounding }
}
