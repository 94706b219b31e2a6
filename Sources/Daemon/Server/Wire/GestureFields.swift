import CTouchroute
import Gestures
import Wire

/// Makes a description of the numbers of `add_gesture`: those that are not given are the kind's
/// own, and those that the kind does not have may not be given.
struct GestureFields {
  /// What is wrong with them, in words.
  struct Mistake: Error, Equatable {
    let text: String
  }

  private let fixed: touchroute_add_gesture

  init(_ fixed: touchroute_add_gesture) { self.fixed = fixed }

  /// The recognizer that they describe.
  func description() throws(Mistake) -> RecognizerDescription {
    guard let kind = Wire.GestureKind(rawValue: fixed.kind) else {
      throw Mistake(text: "there is no kind \(fixed.kind)")
    }
    let flags = Wire.GestureFlags(rawValue: fixed.flags)
    guard flags.isSubset(of: .all) else { throw Mistake(text: "flags is \(fixed.flags)") }
    var description = RecognizerDescription(try self.kind(kind))
    description.touches = try touches(description)
    description.isEnabled = !flags.contains(.disabled)
    description.cancelsTouches = !flags.contains(.keepsTouches)
    description.delaysEnded = !flags.contains(.passesEnded)
    description.delaysBegan = flags.contains(.delaysBegan)
    description.hasPriority = flags.contains(.hasPriority)
    return description
  }

  private func touches(_ description: RecognizerDescription) throws(Mistake) -> FingerCount {
    let usual = description.touches
    let range = description.kind.possibleTouches
    let fewest = fixed.fewest == 0 ? usual.fewest : Int(fixed.fewest)
    let most = fixed.most == 0 ? max(usual.most, fewest) : Int(fixed.most)
    guard range.contains(fewest), range.contains(most), fewest <= most else {
      throw Mistake(
        text: "it asks for \(fewest) to \(most) fingers: \(range.lowerBound) to "
          + "\(range.upperBound) are possible")
    }
    return FingerCount(fewest, most)
  }

  /// The kind with what is said of it.
  private func kind(_ number: Wire.GestureKind) throws(Mistake) -> GestureKind {
    let usual = number.kind
    try checkNothingElse(than: usual.settings)
    var settings = GestureSettings()
    if fixed.taps > 0 { settings.taps = try taps() }
    settings.slop = try distance(fixed.slop, "slop")
    settings.distance = try distance(fixed.distance, "distance")
    settings.margin = try distance(fixed.margin, "margin")
    settings.slopDegrees = try degrees()
    settings.durationMilliseconds = try time(fixed.duration_ms, "duration_ms")
    settings.intervalMilliseconds = try time(fixed.interval_ms, "interval_ms")
    settings.gatherMilliseconds = try time(fixed.gather_ms, "gather_ms")
    settings.direction = Wire.Direction(rawValue: fixed.direction)?.word
    settings.edge = Wire.Edge(rawValue: fixed.edge)?.side
    if let kind = GestureKind(named: usual.name, settings) { return kind }
    switch number {
    case .pan: throw Mistake(text: "a pan has no direction \(fixed.direction)")
    case .swipe:
      throw Mistake(text: "a swipe needs a direction, left, right, up or down")
    default: throw Mistake(text: "an edge pan needs an edge, left, right, top or bottom")
    }
  }

  /// Refuses what the kind does not have.
  private func checkNothingElse(than usual: GestureSettings) throws(Mistake) {
    for (isUsual, isSaid, name) in [
      (usual.taps != nil, fixed.taps != 0, "taps"),
      (usual.direction != nil, fixed.direction != 0, "direction"),
      (usual.edge != nil, fixed.edge != 0, "edge"),
      (usual.durationMilliseconds != nil, fixed.duration_ms != TOUCHROUTE_NONE, "duration_ms"),
      (usual.intervalMilliseconds != nil, fixed.interval_ms != TOUCHROUTE_NONE, "interval_ms"),
      (usual.gatherMilliseconds != nil, fixed.gather_ms != TOUCHROUTE_NONE, "gather_ms"),
      (usual.slop != nil, !isDefault(fixed.slop), "slop"),
      (usual.distance != nil, !isDefault(fixed.distance), "distance"),
      (usual.margin != nil, !isDefault(fixed.margin), "margin"),
      (usual.slopDegrees != nil, !isDefault(fixed.slop_degrees), "slop_degrees"),
    ] where !isUsual && isSaid { throw Mistake(text: "its kind has no \(name)") }
  }

  // MARK: - Numbers; nil is the kind's own

  private func taps() throws(Mistake) -> Int {
    guard GestureRange.taps.contains(Int(fixed.taps)) else {
      throw Mistake(text: "taps is \(fixed.taps): at most 10 are possible")
    }
    return Int(fixed.taps)
  }

  private func distance(_ number: Double, _ name: String) throws(Mistake) -> Double? {
    if isDefault(number) { return nil }
    guard GestureRange.distances.contains(number) else {
      throw Mistake(text: "\(name) is \(number): 0 to 100000 points are possible")
    }
    return number
  }

  private func degrees() throws(Mistake) -> Double? {
    if isDefault(fixed.slop_degrees) { return nil }
    guard GestureRange.degrees.contains(fixed.slop_degrees) else {
      throw Mistake(text: "slop_degrees is \(fixed.slop_degrees): 0 to 3600 are possible")
    }
    return fixed.slop_degrees
  }

  private func time(_ number: UInt32, _ name: String) throws(Mistake) -> UInt64? {
    if number == TOUCHROUTE_NONE { return nil }
    guard GestureRange.times.contains(Int(number)) else {
      throw Mistake(text: "\(name) is \(number): 0 to 60000 are possible")
    }
    return UInt64(number)
  }

  private func isDefault(_ number: Double) -> Bool { number < 0 }
}

extension Wire.GestureKind {
  /// The kind, with its defaults.
  fileprivate var kind: GestureKind {
    guard let kind = GestureKind.all.first(where: { Wire.GestureKind($0) == self }) else {
      preconditionFailure("each kind has a number")
    }
    return kind
  }
}

extension Wire.Direction {
  fileprivate var word: GestureDirection? {
    GestureDirection.allCases.first { Wire.Direction($0) == self }
  }
}

extension Wire.Edge {
  fileprivate var side: Edge? { Edge.allCases.first { Wire.Edge($0) == self } }
}
