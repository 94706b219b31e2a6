import Gestures
import TouchClient

extension RecognizerSpec {
  /// A recognizer as the daemon describes it.
  init(_ gesture: DescribedGesture) {
    let what = gesture.recognizer
    let owner = gesture.path.prefix { $0 != "#" }
    let screen = "screen:"
    self.init(
      owner.hasPrefix(screen)
        ? .screen(String(owner.dropFirst(screen.count))) : .view(String(owner)),
      what.name, RecognizerDescription(GestureKind(what)))
    if let touches = what.touches {
      description.touches = FingerCount(touches.lowerBound, touches.upperBound)
    }
    description.isEnabled = gesture.isEnabled
    description.cancelsTouches = !what.options.contains(.keepsTouches)
    description.delaysEnded = !what.options.contains(.passesEnded)
    description.delaysBegan = what.options.contains(.delaysBegan)
    description.hasPriority = what.options.contains(.hasPriority)
    after = what.after
    simultaneous = what.simultaneous
    to = what.responder
  }
}

extension GestureKind {
  /// The daemon says all that a kind has; what it did not say would be the kind's own.
  fileprivate init(_ what: GestureRecognizer) {
    var settings = GestureSettings()
    (settings.taps, settings.slop) = (what.taps, what.slop)
    (settings.slopDegrees, settings.distance) = (what.slopDegrees, what.distance)
    settings.margin = what.margin
    settings.durationMilliseconds = what.durationMilliseconds.flatMap(UInt64.init(exactly:))
    settings.intervalMilliseconds = what.intervalMilliseconds.flatMap(UInt64.init(exactly:))
    settings.gatherMilliseconds = what.gatherMilliseconds.flatMap(UInt64.init(exactly:))
    settings.direction = what.direction.way
    settings.edge = what.edge.side
    self = what.kind.usual
    take(settings)
  }
}

extension Gesture.Kind {
  fileprivate var usual: GestureKind {
    switch self {
    case .tap: .tap(.init())
    case .longPress: .longPress(.init())
    case .pan: .pan(.init())
    case .swipe: .swipe(.init(.left))
    case .pinch: .pinch(.init())
    case .rotation: .rotation(.init())
    case .edgePan: .edgePan(.init(.left))
    }
  }
}

extension Gesture.Direction {
  fileprivate var way: GestureDirection {
    switch self {
    case .any: .any
    case .horizontal: .horizontal
    case .vertical: .vertical
    case .left: .left
    case .right: .right
    case .up: .up
    case .down: .down
    }
  }
}

extension GestureRecognizer.Edge {
  fileprivate var side: Edge? {
    switch self {
    case .none: nil
    case .left: .left
    case .right: .right
    case .top: .top
    case .bottom: .bottom
    }
  }
}
