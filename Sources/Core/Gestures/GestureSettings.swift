/// What a kind of gesture asks for, setting by setting: configurations, the wire, the tool and
/// recordings all say it in these terms. Nil is what a kind does not have. Distances are in points
/// of the screen.
package struct GestureSettings: Equatable, Sendable {
  /// How many taps.
  package var taps: Int?
  /// How far a finger, or the fingers' centroid, may or must go.
  package var slop: Double?
  /// How far the fingers must turn.
  package var slopDegrees: Double?
  /// How far a tap may be from the one before, or how far a swipe must go.
  package var distance: Double?
  /// How far inside of the edge each finger may begin.
  package var margin: Double?
  /// How long it may take, or must be held.
  package var durationMilliseconds: UInt64?
  /// How long after a tap's end the next one may begin.
  package var intervalMilliseconds: UInt64?
  /// How long after the first finger the others may come.
  package var gatherMilliseconds: UInt64?
  /// Which way.
  package var direction: GestureDirection?
  /// The edge that it begins at.
  package var edge: Edge?

  /// Nothing is asked for.
  package init() {}
}

/// Which way a pan or a swipe goes. The raw values are the words of configurations.
package enum GestureDirection: String, Sendable, CaseIterable, BitwiseCopyable {
  case any, horizontal, vertical, left, right, up, down

  fileprivate init(_ axis: Axis?) {
    switch axis {
    case nil: self = .any
    case .horizontal: self = .horizontal
    case .vertical: self = .vertical
    }
  }

  fileprivate var axis: Axis? { Axis(rawValue: rawValue) }
}

extension GestureKind {
  /// One of each kind, with its defaults: a swipe to the left, a pan from the left edge.
  package static let all: [GestureKind] = [
    .tap(Tap()), .longPress(LongPress()), .pan(Pan()), .swipe(Swipe(.left)), .pinch(Pinch()),
    .rotation(Rotation()), .edgePan(EdgePan(.left)),
  ]

  /// The kind of a name, with what is said of it; nil where there is no such kind, or it needs a
  /// direction or an edge that is not said.
  ///
  /// - Parameter settings: What is nil is as by default.
  package init?(named name: String, _ settings: GestureSettings) {
    guard let kind = Self.all.first(where: { $0.name == name }) else { return nil }
    if !kind.directions.isEmpty {
      guard let direction = settings.direction, kind.directions.contains(direction) else {
        return nil
      }
    }
    if case .edgePan = kind, settings.edge == nil { return nil }
    self = kind
    take(settings)
  }

  /// The directions that it may have.
  package var directions: [GestureDirection] {
    switch self {
    case .pan: [.any, .horizontal, .vertical]
    case .swipe: [.left, .right, .up, .down]
    case .tap, .longPress, .pinch, .rotation, .edgePan: []
    }
  }

  /// How many taps it may ask for.
  package var possibleTaps: ClosedRange<Int> {
    if case .tap = self { 1...GestureRange.taps.upperBound } else { GestureRange.taps }
  }

  /// All that it asks for.
  package var settings: GestureSettings {
    var settings = GestureSettings()
    switch self {
    case .tap(let kind): settings.take(kind)
    case .longPress(let kind): settings.take(kind)
    case .pan(let kind):
      (settings.slop, settings.direction) = (kind.slop, GestureDirection(kind.axis))
    case .swipe(let kind):
      (settings.slop, settings.distance) = (kind.slop, kind.distance)
      settings.durationMilliseconds = kind.durationMilliseconds
      settings.gatherMilliseconds = kind.gatherMilliseconds
      settings.direction = GestureDirection(rawValue: kind.direction.rawValue)
    case .pinch(let kind): settings.slop = kind.slop
    case .rotation(let kind): (settings.slop, settings.slopDegrees) = (kind.slop, kind.slopDegrees)
    case .edgePan(let kind):
      (settings.slop, settings.margin, settings.edge) = (kind.slop, kind.margin, kind.edge)
    }
    return settings
  }

  /// Takes what is said of it; what is nil stays, and what it does not have is ignored.
  package mutating func take(_ settings: GestureSettings) {
    switch self {
    case .tap(var kind):
      kind.take(settings)
      self = .tap(kind)
    case .longPress(var kind):
      kind.take(settings)
      self = .longPress(kind)
    case .pan(var kind):
      kind.slop = settings.slop ?? kind.slop
      if let direction = settings.direction { kind.axis = direction.axis }
      self = .pan(kind)
    case .swipe(var kind):
      kind.slop = settings.slop ?? kind.slop
      kind.distance = settings.distance ?? kind.distance
      kind.durationMilliseconds = settings.durationMilliseconds ?? kind.durationMilliseconds
      kind.gatherMilliseconds = settings.gatherMilliseconds ?? kind.gatherMilliseconds
      let direction = settings.direction.flatMap { Direction(rawValue: $0.rawValue) }
      kind.direction = direction ?? kind.direction
      self = .swipe(kind)
    case .pinch(var kind):
      kind.slop = settings.slop ?? kind.slop
      self = .pinch(kind)
    case .rotation(var kind):
      kind.slop = settings.slop ?? kind.slop
      kind.slopDegrees = settings.slopDegrees ?? kind.slopDegrees
      self = .rotation(kind)
    case .edgePan(var kind):
      kind.slop = settings.slop ?? kind.slop
      kind.margin = settings.margin ?? kind.margin
      kind.edge = settings.edge ?? kind.edge
      self = .edgePan(kind)
    }
  }
}

extension GestureSettings {
  fileprivate mutating func take(_ kind: some TapSettings) {
    (taps, slop, distance) = (kind.taps, kind.slop, kind.distance)
    (durationMilliseconds, intervalMilliseconds) =
      (kind.durationMilliseconds, kind.intervalMilliseconds)
    gatherMilliseconds = kind.gatherMilliseconds
  }
}

extension TapSettings {
  fileprivate mutating func take(_ settings: GestureSettings) {
    taps = settings.taps ?? taps
    slop = settings.slop ?? slop
    distance = settings.distance ?? distance
    durationMilliseconds = settings.durationMilliseconds ?? durationMilliseconds
    intervalMilliseconds = settings.intervalMilliseconds ?? intervalMilliseconds
    gatherMilliseconds = settings.gatherMilliseconds ?? gatherMilliseconds
  }
}
