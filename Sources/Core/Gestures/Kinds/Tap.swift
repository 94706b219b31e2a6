import TouchModel

/// A tap that has happened stays one.
extension GestureKind.Tap: GestureJudge {
  func landed(at location: Point, _ hand: Hand, _ progress: inout Progress) -> FailureReason? {
    progress.landInTap(at: location, hand, self)
  }

  func lifted(_ hand: Hand, _ progress: inout Progress) -> FailureReason? {
    let reason = progress.liftInTap(hand, self)
    progress.wouldRecognize = progress.taps.count == taps
    return reason
  }

  func moved(_ hand: Hand, _ progress: inout Progress) -> FailureReason? {
    hand.farthest.exceeds(slop) ? .moved(hand.farthest, slop: slop) : nil
  }

  func due(_ hand: Hand, _ progress: inout Progress) -> FailureReason? {
    progress.tapProblem(at: hand.time, hand.touches, self)
  }

  func deadline(_ hand: Hand, _ progress: Progress) -> Timestamp? {
    progress.wouldRecognize ? nil : progress.tapDeadline(hand.touches, self)
  }
}
