extension GestureKind.Pinch: GestureJudge {
  func moved(_ hand: Hand, _ progress: inout Progress) -> FailureReason? {
    guard hand.areEnough else { return nil }
    progress.wouldRecognize = hand.spread.magnitude.reaches(slop)
    return nil
  }
}
