import TouchModel

/// The fingers of one recognizer, and what they have done together, in points of the screen. Rule
/// G16.
///
/// Whenever a finger comes or goes the measures go on from where they were, so there is no jump.
/// While there are fewer than the recognizer asks for, nothing is measured.
struct Fingers: BitwiseCopyable {
  /// The fewest that are measured.
  private let fewest: Int
  /// Whether distances and angles are measured.
  private let hasTurns: Bool
  /// All that it had since it was possible, also those that are lifted.
  private(set) var all = FingerSet()
  /// Those on the glass.
  private(set) var down = FingerSet()
  /// How many are on the glass.
  private(set) var count = 0
  /// The most that were on the glass together, since ``countAnew()``.
  private(set) var mostTogether = 0
  /// The centroid of those on the glass; the last one where none is.
  private(set) var centroid = Point.zero
  /// How far the centroid has gone.
  private(set) var translation = Point.zero
  /// The mean distance to the centroid, against that at the beginning.
  private(set) var scale = 1.0
  /// How much the mean distance to the centroid has grown; negative where it shrank.
  private(set) var spread = 0.0
  /// How far the fingers have turned, in degrees, from x to y.
  private(set) var rotation = 0.0
  /// The mean distance to the centroid.
  private(set) var meanDistance = 0.0
  /// How things stood when a finger last came or went.
  private var base = Base()

  /// The frame in which a finger came or went last.
  private(set) var frame: UInt64 = 0
  /// The frame in which a finger was lifted last, and the centroid before that.
  private var latestLift: (frame: UInt64, centroid: Point)?

  private struct Base: BitwiseCopyable {
    var centroid = Point.zero
    var meanDistance = 0.0
    var translation = Point.zero
    var scale = 1.0
    var spread = 0.0
  }

  init(fewest: Int, hasTurns: Bool) {
    self.fewest = fewest
    self.hasTurns = hasTurns
  }

  /// Whether there are enough to be measured.
  var areEnough: Bool { count >= fewest && count > 0 }

  /// Gets a finger.
  ///
  /// - Parameters:
  ///   - measure: How those that are then on the glass lie.
  ///   - frame: The frame at hand.
  mutating func land(_ index: Int, _ measure: Measure, in frame: UInt64) {
    self.frame = frame
    all.insert(index)
    down.insert(index)
    count += 1
    mostTogether = max(mostTogether, count)
    goOn(from: measure)
  }

  /// Loses a finger. Of those lifted in one frame none was the last: where they take the centroid
  /// along, it stays where it was with all of them.
  ///
  /// - Parameters:
  ///   - measure: How those that are left on the glass lie; nil where none is.
  ///   - frame: The frame at hand.
  mutating func lift(_ index: Int, _ measure: Measure?, in frame: UInt64) {
    self.frame = frame
    let before = latestLift.flatMap { $0.frame == frame ? $0.centroid : nil } ?? centroid
    latestLift = (frame, before)
    down.remove(index)
    count -= 1
    if let measure { goOn(from: measure) } else { centroid = before }
  }

  /// Begins to count anew how many are on the glass together.
  mutating func countAnew() { mostTogether = count }

  /// Forgets all fingers.
  mutating func reset() { self = Fingers(fewest: fewest, hasTurns: hasTurns) }

  /// Takes in a frame in which some of those on the glass moved.
  @inline(__always)
  mutating func move(_ measure: Measure) {
    centroid = measure.centroid
    guard areEnough else { return }
    translation.x = base.translation.x + (centroid.x - base.centroid.x)
    translation.y = base.translation.y + (centroid.y - base.centroid.y)
    guard hasTurns, count > 1 else { return }
    meanDistance = measure.meanDistance
    spread = base.spread + (meanDistance - base.meanDistance)
    if base.meanDistance > 0 { scale = base.scale * (meanDistance / base.meanDistance) }
    rotation += measure.turn
  }

  private mutating func goOn(from measure: Measure) {
    centroid = measure.centroid
    meanDistance = measure.meanDistance
    base = Base(
      centroid: centroid, meanDistance: meanDistance, translation: translation, scale: scale,
      spread: spread)
  }
}
