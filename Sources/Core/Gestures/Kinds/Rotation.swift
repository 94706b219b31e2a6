import TouchModel

extension GestureKind.Rotation: GestureJudge {
  func moved(_ hand: Hand, _ progress: inout Progress) -> FailureReason? {
    guard hand.areEnough else { return nil }
    progress.wouldRecognize = isEnough(hand)
    return nil
  }

  /// With a further finger they lie at another mean distance: one that waited for another
  /// recognizer, and lost its fingers, may not have turned far enough by that. Of those that come
  /// down in one frame none is the last.
  func landed(at location: Point, _ hand: Hand, _ progress: inout Progress) -> FailureReason? {
    let latest = progress.latestLanding.flatMap { $0.frame == hand.frame ? $0 : nil }
    let before = latest?.wouldRecognize ?? progress.wouldRecognize
    progress.latestLanding = (hand.frame, before)
    progress.wouldRecognize = before && (!hand.areEnough || isEnough(hand))
    return nil
  }

  /// Without a finger the others lie at another mean distance: one that waits for another
  /// recognizer may not have turned far enough by that. Of those lifted in one frame none was the
  /// last.
  func lifted(_ hand: Hand, _ progress: inout Progress) -> FailureReason? {
    let latest = progress.latestLift.flatMap { $0.frame == hand.frame ? $0 : nil }
    let before = latest?.wouldRecognize ?? progress.wouldRecognize
    progress.latestLift = (hand.frame, before)
    progress.wouldRecognize = before && (!hand.areEnough || isEnough(hand))
    return hand.count == 0 && !progress.wouldRecognize ? .lifted : nil
  }

  private func isEnough(_ hand: Hand) -> Bool {
    let degrees = hand.rotation.magnitude
    let arc = degrees * .pi / 180 * hand.meanDistance
    return degrees.reaches(slopDegrees) && arc.reaches(slop)
  }
}
