import TouchModel

/// A swipe that has happened stays one, whatever its fingers do then.
extension GestureKind.Swipe: GestureJudge {
  func landed(at location: Point, _ hand: Hand, _ progress: inout Progress) -> FailureReason? {
    progress.land(at: location, hand.time, gatherMilliseconds)
  }

  func lifted(_ hand: Hand, _ progress: inout Progress) -> FailureReason? {
    progress.wouldRecognize ? nil : .lifted
  }

  func moved(_ hand: Hand, _ progress: inout Progress) -> FailureReason? {
    guard !progress.wouldRecognize, hand.areEnough else { return nil }
    let (along, across) = direction.split(hand.turnedTranslation)
    if (-along).reaches(slop) { return .movedBack(-along, slop: slop) }
    progress.wouldRecognize = along.reaches(distance) && along.reaches(2 * across.magnitude)
    return nil
  }

  func due(_ hand: Hand, _ progress: inout Progress) -> FailureReason? {
    hand.areEnough
      ? .tookTooLong(milliseconds: durationMilliseconds)
      : .tooFew(hand.count, fewest: hand.touches.fewest, milliseconds: gatherMilliseconds)
  }

  func deadline(_ hand: Hand, _ progress: Progress) -> Timestamp? {
    guard let landing = progress.landing, !progress.wouldRecognize else { return nil }
    return hand.areEnough
      ? landing.lastTime.adding(milliseconds: durationMilliseconds)
      : landing.end(gatherMilliseconds)
  }
}

extension Direction {
  /// A displacement as how far along this direction it goes, and how far across.
  func split(_ vector: Point) -> (along: Double, across: Double) {
    switch self {
    case .left: (-vector.x, vector.y)
    case .right: (vector.x, vector.y)
    case .up: (-vector.y, vector.x)
    case .down: (vector.y, vector.x)
    }
  }
}
