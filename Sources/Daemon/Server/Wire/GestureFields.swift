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

  private func kind(_ kind: Wire.GestureKind) throws(Mistake) -> GestureKind {
    switch kind {
    case .tap, .longPress: try only(taps: true, times: true, [.slop, .distance])
    case .swipe: try only(direction: true, times: true, [.slop, .distance])
    case .pan: try only(direction: true, [.slop])
    case .pinch: try only([.slop])
    case .rotation: try only([.slop, .degrees])
    case .edgePan: try only(edge: true, [.slop, .margin])
    }
    if kind == .swipe, fixed.interval_ms != TOUCHROUTE_NONE { throw unknown("interval_ms") }
    return switch kind {
    case .tap: .tap(try counting(GestureKind.Tap()))
    case .longPress: .longPress(try counting(GestureKind.LongPress()))
    case .pan: .pan(try pan())
    case .swipe: .swipe(try swipe())
    case .pinch: .pinch(try pinch())
    case .rotation: .rotation(try rotation())
    case .edgePan: .edgePan(try edgePan())
    }
  }

  // MARK: - Kinds

  /// A tap or a long press, from one with its kind's defaults.
  private func counting<Kind: TapSettings>(_ usual: Kind) throws(Mistake) -> Kind {
    var kind = usual
    if fixed.taps > 0 { kind.taps = try taps() }
    kind.slop = try distance(fixed.slop, "slop", kind.slop)
    kind.distance = try distance(fixed.distance, "distance", kind.distance)
    kind.durationMilliseconds = try time(
      fixed.duration_ms, "duration_ms", kind.durationMilliseconds)
    kind.intervalMilliseconds = try time(
      fixed.interval_ms, "interval_ms", kind.intervalMilliseconds)
    kind.gatherMilliseconds = try time(fixed.gather_ms, "gather_ms", kind.gatherMilliseconds)
    return kind
  }

  private func pan() throws(Mistake) -> GestureKind.Pan {
    var kind = GestureKind.Pan()
    kind.slop = try distance(fixed.slop, "slop", kind.slop)
    switch Wire.Direction(rawValue: fixed.direction) {
    case .any: break
    case .horizontal: kind.axis = .horizontal
    case .vertical: kind.axis = .vertical
    default: throw Mistake(text: "a pan has no direction \(fixed.direction)")
    }
    return kind
  }

  private func swipe() throws(Mistake) -> GestureKind.Swipe {
    let direction: Direction
    switch Wire.Direction(rawValue: fixed.direction) {
    case .left: direction = .left
    case .right: direction = .right
    case .up: direction = .up
    case .down: direction = .down
    default: throw Mistake(text: "a swipe needs a direction, left, right, up or down")
    }
    var kind = GestureKind.Swipe(direction)
    kind.slop = try distance(fixed.slop, "slop", kind.slop)
    kind.distance = try distance(fixed.distance, "distance", kind.distance)
    kind.durationMilliseconds = try time(
      fixed.duration_ms, "duration_ms", kind.durationMilliseconds)
    kind.gatherMilliseconds = try time(fixed.gather_ms, "gather_ms", kind.gatherMilliseconds)
    return kind
  }

  private func pinch() throws(Mistake) -> GestureKind.Pinch {
    var kind = GestureKind.Pinch()
    kind.slop = try distance(fixed.slop, "slop", kind.slop)
    return kind
  }

  private func rotation() throws(Mistake) -> GestureKind.Rotation {
    var kind = GestureKind.Rotation()
    kind.slop = try distance(fixed.slop, "slop", kind.slop)
    guard !isDefault(fixed.slop_degrees) else { return kind }
    guard GestureRange.degrees.contains(fixed.slop_degrees) else {
      throw Mistake(text: "slop_degrees is \(fixed.slop_degrees): 0 to 3600 are possible")
    }
    kind.slopDegrees = fixed.slop_degrees
    return kind
  }

  private func edgePan() throws(Mistake) -> GestureKind.EdgePan {
    let edge: Edge
    switch Wire.Edge(rawValue: fixed.edge) {
    case .left: edge = .left
    case .right: edge = .right
    case .top: edge = .top
    case .bottom: edge = .bottom
    default: throw Mistake(text: "an edge pan needs an edge, left, right, top or bottom")
    }
    var kind = GestureKind.EdgePan(edge)
    kind.slop = try distance(fixed.slop, "slop", kind.slop)
    kind.margin = try distance(fixed.margin, "margin", kind.margin)
    return kind
  }

  // MARK: - Numbers

  private func taps() throws(Mistake) -> Int {
    guard GestureRange.taps.contains(Int(fixed.taps)) else {
      throw Mistake(text: "taps is \(fixed.taps): at most 10 are possible")
    }
    return Int(fixed.taps)
  }

  private func distance(
    _ number: Double, _ name: String, _ usual: Double
  ) throws(Mistake) -> Double {
    if isDefault(number) { return usual }
    guard GestureRange.distances.contains(number) else {
      throw Mistake(text: "\(name) is \(number): 0 to 100000 points are possible")
    }
    return number
  }

  private func time(_ number: UInt32, _ name: String, _ usual: UInt64) throws(Mistake) -> UInt64 {
    if number == TOUCHROUTE_NONE { return usual }
    guard GestureRange.times.contains(Int(number)) else {
      throw Mistake(text: "\(name) is \(number): 0 to 60000 are possible")
    }
    return UInt64(number)
  }

  private func isDefault(_ number: Double) -> Bool { number < 0 }

  private enum Length { case slop, distance, margin, degrees }

  /// Refuses what the kind does not have.
  private func only(
    taps: Bool = false, direction: Bool = false, edge: Bool = false, times: Bool = false,
    _ lengths: Set<Length>
  ) throws(Mistake) {
    if !taps, fixed.taps != 0 { throw unknown("taps") }
    if !direction, fixed.direction != 0 { throw unknown("direction") }
    if !edge, fixed.edge != 0 { throw unknown("edge") }
    if !times {
      for (number, name) in [
        (fixed.duration_ms, "duration_ms"), (fixed.interval_ms, "interval_ms"),
        (fixed.gather_ms, "gather_ms"),
      ] where number != TOUCHROUTE_NONE { throw unknown(name) }
    }
    for (length, number, name) in [
      (Length.slop, fixed.slop, "slop"), (.distance, fixed.distance, "distance"),
      (.margin, fixed.margin, "margin"), (.degrees, fixed.slop_degrees, "slop_degrees"),
    ] where !lengths.contains(length) && !isDefault(number) { throw unknown(name) }
  }

  private func unknown(_ name: String) -> Mistake {
    Mistake(text: "its kind has no \(name)")
  }
}
