import TouchModel

extension GestureKind.LongPress: GestureJudge {
  /// How long each tap before the press may take: a tap's own default.
  private static let tapMilliseconds: UInt64 = 750

  /// Each of the taps before the press.
  private var tap: GestureKind.Tap {
    var tap = GestureKind.Tap()
    tap.slop = slop
    tap.durationMilliseconds = Self.tapMilliseconds
    tap.intervalMilliseconds = intervalMilliseconds
    tap.distance = distance
    tap.gatherMilliseconds = gatherMilliseconds
    return tap
  }

  func landed(at location: Point, _ hand: Hand, _ progress: inout Progress) -> FailureReason? {
    guard progress.taps.count == taps else {
      return progress.landInTap(at: location, hand, tap)
    }
    if let reason = progress.land(at: location, hand.time, gatherMilliseconds) { return reason }
    // With all its fingers it presses anew.
    if hand.areEnough { progress.hasWaited = false }
    guard let landing = progress.landing, hand.count >= hand.touches.most else { return nil }
    return progress.taps.distanceProblem(of: landing, limit: distance)
  }

  func lifted(_ hand: Hand, _ progress: inout Progress) -> FailureReason? {
    guard progress.taps.count == taps, let landing = progress.landing else {
      return progress.liftInTap(hand, tap)
    }
    if hand.areEnough { return nil }
    // One that waits for another recognizer presses nothing once its fingers are gone.
    progress.hasWaited = progress.hasWaited || progress.wouldRecognize
    progress.wouldRecognize = false
    if progress.hasWaited { return nil }
    if hand.count == 0 { return .lifted }
    return hand.time > landing.end(gatherMilliseconds) ? .lifted : nil
  }

  func moved(_ hand: Hand, _ progress: inout Progress) -> FailureReason? {
    hand.farthest.exceeds(slop) ? .moved(hand.farthest, slop: slop) : nil
  }

  func due(_ hand: Hand, _ progress: inout Progress) -> FailureReason? {
    guard progress.taps.count == taps, let landing = progress.landing else {
      return progress.tapProblem(at: hand.time, hand.touches, tap)
    }
    guard hand.areEnough else {
      return .tooFew(hand.count, fewest: hand.touches.fewest, milliseconds: gatherMilliseconds)
    }
    if let reason = progress.taps.distanceProblem(of: landing, limit: distance) { return reason }
    progress.wouldRecognize = true
    return nil
  }

  func deadline(_ hand: Hand, _ progress: Progress) -> Timestamp? {
    guard progress.taps.count == taps, let landing = progress.landing else {
      return progress.tapDeadline(hand.touches, tap)
    }
    if progress.wouldRecognize || progress.hasWaited { return nil }
    return hand.areEnough
      ? landing.lastTime.adding(milliseconds: durationMilliseconds)
      : landing.end(gatherMilliseconds)
  }
}
