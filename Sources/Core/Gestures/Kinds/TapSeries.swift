import TouchModel

/// Taps one after the other that are over.
struct TapSeries: BitwiseCopyable {
  /// How many there were.
  private(set) var count = 0
  /// When the last one ended.
  private(set) var lastEnd = Timestamp(microseconds: 0)
  private var lastCentroid = Point.zero

  /// A tap is over.
  mutating func add(_ tap: Landing, at time: Timestamp) {
    count += 1
    lastEnd = time
    lastCentroid = tap.centroid
  }

  /// What is wrong with where fingers that follow the taps came down.
  func distanceProblem(of landing: Landing, limit: Double) -> FailureReason? {
    guard count > 0 else { return nil }
    let distance = lastCentroid.distance(to: landing.centroid)
    return distance.exceeds(limit) ? .tapTooFar(distance, distance: limit) : nil
  }
}

/// Taps, each of the same number of fingers, as `tap` and `long_press` have them.
extension Progress {
  /// Whether it stays what it is without a finger, as a double tap between its taps.
  var waitsForFinger: Bool { taps.count > 0 && landing == nil && !wouldRecognize }

  /// A finger comes down, in time of the others.
  mutating func land(
    at location: Point, _ time: Timestamp, _ gatherMilliseconds: UInt64
  ) -> FailureReason? {
    guard landing != nil else {
      landing = Landing(at: location, time)
      return nil
    }
    return landing?.add(at: location, time, gatherMilliseconds: gatherMilliseconds)
  }

  /// A finger of a tap comes down.
  mutating func landInTap(
    at location: Point, _ hand: Hand, _ tap: GestureKind.Tap
  ) -> FailureReason? {
    if landing?.hasLifted == true { return .notTogether }
    if let reason = land(at: location, hand.time, tap.gatherMilliseconds) { return reason }
    guard let landing, landing.count == hand.touches.most else { return nil }
    return taps.distanceProblem(of: landing, limit: tap.distance)
  }

  /// A finger of a tap is lifted; with the last one the tap is over.
  mutating func liftInTap(_ hand: Hand, _ tap: GestureKind.Tap) -> FailureReason? {
    landing?.lift()
    guard let landing else { return nil }
    if landing.count < hand.touches.fewest { return .lifted }
    if hand.count > 0 { return nil }
    if hand.time > landing.firstTime.adding(milliseconds: tap.durationMilliseconds) {
      return .tookTooLong(milliseconds: tap.durationMilliseconds)
    }
    if let reason = taps.distanceProblem(of: landing, limit: tap.distance) { return reason }
    taps.add(landing, at: hand.time)
    self.landing = nil
    return nil
  }

  /// When a tap's next finger, its end, or the next tap is too late.
  func tapDeadline(_ touches: FingerCount, _ tap: GestureKind.Tap) -> Timestamp? {
    guard let landing else {
      return taps.count > 0 ? taps.lastEnd.adding(milliseconds: tap.intervalMilliseconds) : nil
    }
    let end = landing.firstTime.adding(milliseconds: tap.durationMilliseconds)
    return landing.count < touches.fewest ? min(end, landing.end(tap.gatherMilliseconds)) : end
  }

  /// What is too late at that deadline.
  func tapProblem(
    at time: Timestamp, _ touches: FingerCount, _ tap: GestureKind.Tap
  ) -> FailureReason {
    guard let landing else { return .noFurtherTap(milliseconds: tap.intervalMilliseconds) }
    if landing.count < touches.fewest, time >= landing.end(tap.gatherMilliseconds) {
      return .tooFew(
        landing.count, fewest: touches.fewest, milliseconds: tap.gatherMilliseconds)
    }
    return .tookTooLong(milliseconds: tap.durationMilliseconds)
  }
}
