import Gestures
import Layout
import TouchModel

/// Reads one `[[gesture]]`. Rules G1 and G5 to G13.
struct GestureReader {
  /// A recognizer, and where the paths stand that it names.
  struct Gesture {
    var spec: RecognizerSpec
    let location: SourceLocation
    var ownerLocation: SourceLocation
    var toLocation: SourceLocation?
    var afterLocations: [SourceLocation] = []
    var simultaneousLocations: [SourceLocation] = []
  }

  private let scope: Scope
  private var gesture: Gesture
  private var owner: RecognizerSpec.Owner?
  private var name: String?

  /// The recognizer that a table says; nil where it has no kind, no name, or lies nowhere.
  static func read(_ scope: Scope) -> Gesture? {
    guard let kind = kind(scope) else { return nil }
    var reader = GestureReader(scope, kind)
    let keys = GestureKey.common + kind.word.keys
    scope.read(known: keys.map(\.rawValue)) { field in
      guard let key = GestureKey(rawValue: field.key), keys.contains(key) else { return false }
      reader.read(key, field)
      return true
    }
    return reader.finish()
  }

  private init(_ scope: Scope, _ kind: GestureKind) {
    self.scope = scope
    gesture = Gesture(
      spec: RecognizerSpec(.view(""), "", RecognizerDescription(kind)),
      location: scope.table.location, ownerLocation: scope.table.location)
  }

  /// The kind, with what must be said of it.
  private static func kind(_ scope: Scope) -> GestureKind? {
    let words = GestureWord.names
    let list = words.map { "\"\($0)\"" }.joined(separator: ", ")
    guard let entry = scope.table.entries.first(where: { $0.key == "kind" }) else {
      scope.requires("kind", "one of \(list)")
      return nil
    }
    let field = Field(scope: scope, entry)
    guard let word = field.value.string.flatMap(GestureWord.init(rawValue:)) else {
      field.mustBe("one of \(list)", words: words)
      return nil
    }
    switch word {
    case .tap: return .tap(.init())
    case .longPress: return .longPress(.init())
    case .pan: return .pan(.init())
    case .pinch: return .pinch(.init())
    case .rotation: return .rotation(.init())
    case .swipe:
      guard scope.table.find("direction") != nil else {
        scope.requires("direction", "which way: \"left\", \"right\", \"up\" or \"down\"")
        return nil
      }
      return .swipe(.init(.left))
    case .edgePan:
      guard scope.table.find("edge") != nil else {
        scope.requires("edge", "which one: \"left\", \"right\", \"top\" or \"bottom\"")
        return nil
      }
      return .edgePan(.init(.left))
    }
  }

  private mutating func read(_ key: GestureKey, _ field: Field) {
    switch key {
    case .kind: break
    case .view, .screen: readOwner(key, field)
    case .name: name = field.identifier()
    case .touches: gesture.spec.description.touches = touches(field)
    case .after:
      (gesture.spec.after, gesture.afterLocations) = paths(field)
    case .simultaneous:
      (gesture.spec.simultaneous, gesture.simultaneousLocations) = paths(field)
    case .to:
      gesture.spec.to = field.string()
      gesture.toLocation = field.value.location
    case .enabled: gesture.spec.description.isEnabled = field.boolean() ?? true
    case .cancelsTouches: gesture.spec.description.cancelsTouches = field.boolean() ?? true
    case .delaysEnded: gesture.spec.description.delaysEnded = field.boolean() ?? true
    case .delaysBegan: gesture.spec.description.delaysBegan = field.boolean() ?? false
    case .priority: gesture.spec.description.hasPriority = field.boolean() ?? false
    case .feedback: gesture.spec.feedback = field.text(of: .feedback) ?? ""
    case .level:
      gesture.spec.level =
        field.integer(in: ViewChange.Property.levels) ?? RecognizerSpec.screenLevel
      refuseOfView(field)
    case .secure:
      gesture.spec.seesSecure = field.boolean() ?? false
      refuseOfView(field)
    case .taps, .slop, .slopDegrees, .duration, .interval, .distance, .gather, .direction, .edge,
      .margin:
      gesture.spec.description.kind.read(key, field)
    }
  }

  /// Reports a key that only a screen's gesture has.
  private func refuseOfView(_ field: Field) {
    guard scope.table.find(GestureKey.screen.rawValue) == nil else { return }
    field.refuse(
      "only a screen's gesture has a \(field.key): a view's is told of the touches that its window "
        + "is", at: field.keyLocation)
  }

  private mutating func readOwner(_ key: GestureKey, _ field: Field) {
    if owner != nil {
      return field.refuse(
        "a gesture is of a view or of a screen: give one", at: field.keyLocation)
    }
    guard let text = field.string() else { return }
    owner = key == .view ? .view(text) : .screen(text)
    gesture.ownerLocation = field.value.location
  }

  /// How many fingers: a number, or the fewest and the most.
  private func touches(_ field: Field) -> FingerCount {
    let fallback = gesture.spec.description.touches
    let range = gesture.spec.description.kind.possibleTouches
    let expected =
      "an integer from \(range.lowerBound) to \(range.upperBound), or the fewest and "
      + "the most as [FEWEST, MOST]"
    if let count = field.value.integer, range.contains(count) { return FingerCount(count, count) }
    let counts = field.value.kind == .array ? field.value.elements.compactMap(\.integer) : []
    guard counts.count == 2, counts.count == field.value.count,
      counts.allSatisfy({ range.contains($0) }), counts[0] <= counts[1]
    else {
      field.mustBe(expected)
      return fallback
    }
    return FingerCount(counts[0], counts[1])
  }

  private func paths(_ field: Field) -> ([String], [SourceLocation]) {
    guard let paths = field.strings("paths of gestures such as \"home/list#scroll\"") else {
      return ([], [])
    }
    return (paths, field.value.elements.map(\.location))
  }

  private func finish() -> Gesture? {
    var gesture = gesture
    if name == nil, scope.table.find("name") == nil {
      scope.requires("name", "such as name = \"scroll\"")
    }
    if scope.table.find("view") == nil, scope.table.find("screen") == nil {
      scope.requires("view", "the path of a view, or screen and the name of one")
    }
    guard let name, let owner else { return nil }
    gesture.spec.name = name
    gesture.spec.owner = owner
    if case .screen = owner, scope.table.find("to") == nil {
      scope.requires("to", "a screen's gesture goes to a responder, such as to = \"shell\"")
    }
    return gesture
  }
}

extension GestureKind {
  fileprivate var word: GestureWord { GestureWord(rawValue: name) ?? .tap }
}
