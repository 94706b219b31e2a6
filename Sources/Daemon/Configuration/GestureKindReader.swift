import Gestures

extension GestureKind {
  /// Reads a key of its own; what is wrong leaves the default.
  mutating func read(_ key: GestureKey, _ field: Field) {
    switch self {
    case .tap(var kind):
      kind.read(key, field, counts: 1...GestureRange.taps.upperBound)
      self = .tap(kind)
    case .longPress(var kind):
      kind.read(key, field, counts: GestureRange.taps)
      self = .longPress(kind)
    case .pan(var kind):
      kind.read(key, field)
      self = .pan(kind)
    case .swipe(var kind):
      kind.read(key, field)
      self = .swipe(kind)
    case .pinch(var kind):
      field.readDistance(into: &kind.slop)
      self = .pinch(kind)
    case .rotation(var kind):
      kind.read(key, field)
      self = .rotation(kind)
    case .edgePan(var kind):
      kind.read(key, field)
      self = .edgePan(kind)
    }
  }
}

extension TapSettings {
  /// - Parameter counts: How many taps it may ask for.
  fileprivate mutating func read(_ key: GestureKey, _ field: Field, counts: ClosedRange<Int>) {
    switch key {
    case .taps: taps = field.integer(in: counts) ?? taps
    case .slop: field.readDistance(into: &slop)
    case .duration: field.readTime(into: &durationMilliseconds)
    case .interval: field.readTime(into: &intervalMilliseconds)
    case .distance: field.readDistance(into: &distance)
    default: field.readTime(into: &gatherMilliseconds)
    }
  }
}

extension GestureKind.Pan {
  fileprivate mutating func read(_ key: GestureKey, _ field: Field) {
    if key == .slop {
      field.readDistance(into: &slop)
    } else {
      axis = field.axis()
    }
  }
}

extension GestureKind.Swipe {
  fileprivate mutating func read(_ key: GestureKey, _ field: Field) {
    switch key {
    case .direction: direction = field.oneWord(of: Direction.self) ?? direction
    case .slop: field.readDistance(into: &slop)
    case .distance: field.readDistance(into: &distance)
    case .duration: field.readTime(into: &durationMilliseconds)
    default: field.readTime(into: &gatherMilliseconds)
    }
  }
}

extension GestureKind.Rotation {
  fileprivate mutating func read(_ key: GestureKey, _ field: Field) {
    if key == .slop {
      field.readDistance(into: &slop)
    } else {
      slopDegrees = field.number(in: GestureRange.degrees) ?? slopDegrees
    }
  }
}

extension GestureKind.EdgePan {
  fileprivate mutating func read(_ key: GestureKey, _ field: Field) {
    switch key {
    case .edge: edge = field.oneWord(of: Edge.self) ?? edge
    case .margin: field.readDistance(into: &margin)
    default: field.readDistance(into: &slop)
    }
  }
}

extension Field {
  /// Reads a distance in points of the screen.
  fileprivate func readDistance(into distance: inout Double) {
    distance = number(in: GestureRange.distances) ?? distance
  }

  fileprivate func readTime(into milliseconds: inout UInt64) {
    milliseconds = integer(in: GestureRange.times).map { UInt64($0) } ?? milliseconds
  }

  /// The axis of a pan; nil for any.
  fileprivate func axis() -> Axis? {
    let words = ["any"] + Axis.names
    guard let word = value.string, words.contains(word) else {
      mustBe("one of " + words.map { "\"\($0)\"" }.joined(separator: ", "), words: words)
      return nil
    }
    return Axis(rawValue: word)
  }
}
