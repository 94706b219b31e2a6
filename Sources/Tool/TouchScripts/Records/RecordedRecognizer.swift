import Gestures

/// A recognizer as `tree --json` prints it.
struct RecordedRecognizer: Decodable {
  /// A program.
  struct Program: Decodable {
    var pid: Int32
  }

  var path: String
  /// The program that has added it.
  var added_by: Program?
  var kind: String
  /// The fewest fingers, and the most.
  var touches: [Int]
  var enabled: Bool
  var cancels_touches: Bool
  var delays_ended: Bool
  var delays_began: Bool
  var priority: Bool
  var after: [String]
  var simultaneous: [String]
  var to: String?
  var taps: Int?
  var slop: Double?
  var slop_degrees: Double?
  var distance: Double?
  var margin: Double?
  var duration_ms: UInt64?
  var interval_ms: UInt64?
  var gather_ms: UInt64?
  var direction: String?
  var edge: String?

  /// Where it lies: a view's path, or `screen:NAME`.
  var owner: String { String(path.prefix { $0 != "#" }) }

  /// The recognizer; nil where something of it is not possible.
  var spec: RecognizerSpec? {
    guard let kind = recognizedKind, touches.count == 2, let hash = path.lastIndex(of: "#")
    else { return nil }
    let screen = "screen:"
    let isOfScreen = owner.hasPrefix(screen)
    var spec = RecognizerSpec(
      isOfScreen ? .screen(String(owner.dropFirst(screen.count))) : .view(owner),
      String(path[path.index(after: hash)...]), RecognizerDescription(kind))
    spec.description.touches = FingerCount(touches[0], touches[1])
    guard kind.possibleTouches.contains(touches[0]), kind.possibleTouches.contains(touches[1]),
      touches[0] <= touches[1]
    else { return nil }
    spec.description.isEnabled = enabled
    spec.description.cancelsTouches = cancels_touches
    spec.description.delaysEnded = delays_ended
    spec.description.delaysBegan = delays_began
    spec.description.hasPriority = priority
    (spec.after, spec.simultaneous, spec.to) = (after, simultaneous, to)
    return spec
  }

  private var recognizedKind: GestureKind? {
    var settings = GestureSettings()
    (settings.taps, settings.slop, settings.slopDegrees) = (taps, slop, slop_degrees)
    (settings.distance, settings.margin) = (distance, margin)
    (settings.durationMilliseconds, settings.intervalMilliseconds) = (duration_ms, interval_ms)
    settings.gatherMilliseconds = gather_ms
    settings.direction = direction.flatMap(GestureDirection.init)
    settings.edge = edge.flatMap(Edge.init)
    return GestureKind(named: kind, settings)
  }
}
