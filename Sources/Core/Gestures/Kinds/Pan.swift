import TouchModel

extension GestureKind.Pan: GestureJudge {
  func moved(_ hand: Hand, _ progress: inout Progress) -> FailureReason? {
    guard hand.areEnough else { return nil }
    guard let axis else {
      progress.wouldRecognize = Point.zero.distance(to: hand.translation).reaches(slop)
      return nil
    }
    let (along, across) = axis.split(hand.turnedTranslation)
    progress.wouldRecognize = along.reaches(slop) && along.reaches(across)
    return across.reaches(slop) && !along.reaches(across)
      ? .movedAcross(across, slop: slop) : nil
  }
}

extension Axis {
  /// A displacement as how far along this axis it goes, either way, and how far across.
  fileprivate func split(_ vector: Point) -> (along: Double, across: Double) {
    switch self {
    case .horizontal: (vector.x.magnitude, vector.y.magnitude)
    case .vertical: (vector.y.magnitude, vector.x.magnitude)
    }
  }
}
