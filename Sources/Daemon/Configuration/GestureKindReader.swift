import Gestures

extension GestureKind {
  /// Reads a key of its own; what is wrong leaves the default.
  mutating func read(_ key: GestureKey, _ field: Field) {
    var read = GestureSettings()
    switch key {
    case .taps: read.taps = field.integer(in: possibleTaps)
    case .slop: read.slop = field.number(in: GestureRange.distances)
    case .slopDegrees: read.slopDegrees = field.number(in: GestureRange.degrees)
    case .distance: read.distance = field.number(in: GestureRange.distances)
    case .margin: read.margin = field.number(in: GestureRange.distances)
    case .duration: read.durationMilliseconds = field.milliseconds()
    case .interval: read.intervalMilliseconds = field.milliseconds()
    case .gather: read.gatherMilliseconds = field.milliseconds()
    case .direction: read.direction = field.oneWord(of: directions)
    case .edge: read.edge = field.oneWord(of: Edge.self)
    default: preconditionFailure("a key of all kinds is the gesture's")
    }
    take(read)
  }
}

extension Field {
  fileprivate func milliseconds() -> UInt64? {
    integer(in: GestureRange.times).map { UInt64($0) }
  }
}
