import TouchModel

extension GestureKind.EdgePan: GestureJudge {
  func landed(at location: Point, _ hand: Hand, _ progress: inout Progress) -> FailureReason? {
    let depth = hand.orientation.depth(of: location, insideOf: edge)
    return depth.exceeds(margin) ? .beganOffEdge(depth, margin: margin) : nil
  }

  func moved(_ hand: Hand, _ progress: inout Progress) -> FailureReason? {
    guard hand.areEnough else { return nil }
    let (inwards, sideways) = edge.inwards.split(hand.turnedTranslation)
    let across = sideways.magnitude
    progress.wouldRecognize = inwards.reaches(slop) && inwards.reaches(across)
    if (-inwards).reaches(slop) { return .movedBack(-inwards, slop: slop) }
    return across.reaches(slop) && !inwards.reaches(across)
      ? .movedAcross(across, slop: slop) : nil
  }
}

extension Edge {
  /// The direction from this edge into the view.
  fileprivate var inwards: Direction {
    switch self {
    case .left: .right
    case .right: .left
    case .top: .down
    case .bottom: .up
    }
  }
}
