import Gestures
import TouchClient

extension RecognizerSpec {
  /// A recogniser as the daemon describes it.
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
    func time(_ milliseconds: Int?, _ usual: UInt64) -> UInt64 {
      milliseconds.flatMap { UInt64(exactly: $0) } ?? usual
    }
    switch what.kind {
    case .tap:
      var tap = Tap()
      tap.taps = what.taps ?? tap.taps
      tap.slop = what.slop ?? tap.slop
      tap.distance = what.distance ?? tap.distance
      tap.durationMilliseconds = time(what.durationMilliseconds, tap.durationMilliseconds)
      tap.intervalMilliseconds = time(what.intervalMilliseconds, tap.intervalMilliseconds)
      tap.gatherMilliseconds = time(what.gatherMilliseconds, tap.gatherMilliseconds)
      self = .tap(tap)
    case .longPress:
      var press = LongPress()
      press.taps = what.taps ?? press.taps
      press.slop = what.slop ?? press.slop
      press.distance = what.distance ?? press.distance
      press.durationMilliseconds = time(what.durationMilliseconds, press.durationMilliseconds)
      press.intervalMilliseconds = time(what.intervalMilliseconds, press.intervalMilliseconds)
      press.gatherMilliseconds = time(what.gatherMilliseconds, press.gatherMilliseconds)
      self = .longPress(press)
    case .swipe:
      var swipe = Swipe(what.direction.way)
      swipe.slop = what.slop ?? swipe.slop
      swipe.distance = what.distance ?? swipe.distance
      swipe.durationMilliseconds = time(what.durationMilliseconds, swipe.durationMilliseconds)
      swipe.gatherMilliseconds = time(what.gatherMilliseconds, swipe.gatherMilliseconds)
      self = .swipe(swipe)
    case .pan, .pinch, .rotation, .edgePan: self.init(withoutTimes: what)
    }
  }

  private init(withoutTimes what: GestureRecognizer) {
    switch what.kind {
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
    case .pan, .tap, .longPress, .swipe:
      var pan = Pan(what.direction.axis)
      pan.slop = what.slop ?? pan.slop
      self = .pan(pan)
    }
  }
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
