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
    switch kind {
    case "tap": return .tap(with(GestureKind.Tap()))
    case "long_press": return .longPress(with(GestureKind.LongPress()))
    case "pan":
      guard direction == "any" || direction.flatMap(Axis.init) != nil else { return nil }
      var pan = GestureKind.Pan(direction.flatMap(Axis.init))
      pan.slop = slop ?? pan.slop
      return .pan(pan)
    case "swipe":
      guard let way = direction.flatMap(Direction.init) else { return nil }
      var swipe = GestureKind.Swipe(way)
      (swipe.slop, swipe.distance) = (slop ?? swipe.slop, distance ?? swipe.distance)
      swipe.durationMilliseconds = duration_ms ?? swipe.durationMilliseconds
      swipe.gatherMilliseconds = gather_ms ?? swipe.gatherMilliseconds
      return .swipe(swipe)
    case "pinch":
      var pinch = GestureKind.Pinch()
      pinch.slop = slop ?? pinch.slop
      return .pinch(pinch)
    case "rotation":
      var rotation = GestureKind.Rotation()
      rotation.slop = slop ?? rotation.slop
      rotation.slopDegrees = slop_degrees ?? rotation.slopDegrees
      return .rotation(rotation)
    case "edge_pan":
      guard let edge = edge.flatMap(Edge.init) else { return nil }
      var pan = GestureKind.EdgePan(edge)
      (pan.slop, pan.margin) = (slop ?? pan.slop, margin ?? pan.margin)
      return .edgePan(pan)
    default: return nil
    }
  }

  private func with<Kind: TapSettings>(_ kind: Kind) -> Kind {
    var kind = kind
    kind.taps = taps ?? kind.taps
    kind.slop = slop ?? kind.slop
    kind.distance = distance ?? kind.distance
    kind.durationMilliseconds = duration_ms ?? kind.durationMilliseconds
    kind.intervalMilliseconds = interval_ms ?? kind.intervalMilliseconds
    kind.gatherMilliseconds = gather_ms ?? kind.gatherMilliseconds
    return kind
  }
}
