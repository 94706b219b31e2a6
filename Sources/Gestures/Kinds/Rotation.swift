extension GestureKind.Rotation: GestureJudge {
  func moved(_ hand: Hand, _ progress: inout Progress) -> FailureReason? {
    guard hand.areEnough else { return nil }
    let degrees = hand.rotation.magnitude
    let arc = degrees * .pi / 180 * hand.meanDistance
    progress.wouldRecognize = degrees.reaches(slopDegrees) && arc.reaches(slop)
    return nil
  }
}
