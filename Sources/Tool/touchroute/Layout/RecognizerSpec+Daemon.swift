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
    switch what.kind {
    case .tap: self = .tap(Tap().with(what))
    case .longPress: self = .longPress(LongPress().with(what))
    case .pan:
      var pan = Pan(what.direction.axis)
      pan.slop = what.slop ?? pan.slop
      self = .pan(pan)
    case .swipe: self = .swipe(Swipe(what))
    case .pinch:
      var pinch = Pinch()
      pinch.slop = what.slop ?? pinch.slop
      self = .pinch(pinch)
    case .rotation:
      var rotation = Rotation()
      rotation.slop = what.slop ?? rotation.slop
      rotation.slopDegrees = what.slopDegrees ?? rotation.slopDegrees
      self = .rotation(rotation)
    case .edgePan:
      var pan = EdgePan(what.edge.side)
      pan.slop = what.slop ?? pan.slop
      pan.margin = what.margin ?? pan.margin
      self = .edgePan(pan)
    }
  }
}

extension TapSettings {
  fileprivate func with(_ what: GestureRecognizer) -> Self {
    var kind = self
    kind.taps = what.taps ?? taps
    kind.slop = what.slop ?? slop
    kind.distance = what.distance ?? distance
    kind.durationMilliseconds = time(what.durationMilliseconds, durationMilliseconds)
    kind.intervalMilliseconds = time(what.intervalMilliseconds, intervalMilliseconds)
    kind.gatherMilliseconds = time(what.gatherMilliseconds, gatherMilliseconds)
    return kind
  }
}

extension GestureKind.Swipe {
  fileprivate init(_ what: GestureRecognizer) {
    self.init(what.direction.way)
    slop = what.slop ?? slop
    distance = what.distance ?? distance
    durationMilliseconds = time(what.durationMilliseconds, durationMilliseconds)
    gatherMilliseconds = time(what.gatherMilliseconds, gatherMilliseconds)
  }
}

private func time(_ milliseconds: Int?, _ usual: UInt64) -> UInt64 {
  milliseconds.flatMap { UInt64(exactly: $0) } ?? usual
}

extension Gesture.Direction {
  fileprivate var axis: Axis? {
    switch self {
    case .horizontal: .horizontal
    case .vertical: .vertical
    case .any, .left, .right, .up, .down: nil
    }
  }

  fileprivate var way: Direction {
    switch self {
    case .right: .right
    case .up: .up
    case .down: .down
    case .left, .any, .horizontal, .vertical: .left
    }
  }
}

extension GestureRecognizer.Edge {
  fileprivate var side: Edge {
    switch self {
    case .right: .right
    case .top: .top
    case .bottom: .bottom
    case .left, .none: .left
    }
  }
}
