import TouchModel

/// One recognizer: its fingers, its state, and what its kind makes of them. Rule G3.
///
/// It decides what it would do; whether it may is for the ``Arbiter``.
struct Recognizer {
  /// How far it is; `possible` again once its fingers are gone. Rule G3.
  enum State: BitwiseCopyable {
    case possible
    case failed
    /// A discrete kind has recognized.
    case recognized
    /// A continuous kind has begun.
    case began
    /// A continuous kind has ended, or was cancelled.
    case over
  }

  let id: RecognizerID
  let description: RecognizerDescription
  private(set) var state = State.possible
  /// Whose touches it has, or had last.
  private(set) var device = DeviceID(0)
  private(set) var fingers: Fingers
  /// How its view lies, in the layout in force.
  private(set) var orientation: Orientation
  /// When something last happened to it.
  private(set) var time = Timestamp(microseconds: 0)
  /// Why it fails with the frame at hand.
  private(set) var failure: FailureReason?
  /// Why it is cut short with the frame at hand.
  private(set) var interruption: CancelReason?
  /// Whether one of its fingers moved with the frame at hand, so that there is a change to tell.
  private(set) var hasMoved = false
  /// When it must be asked again, though nothing happens.
  private(set) var deadline: Timestamp?
  private var hold = TouchHold()
  private var progress = Progress()
  private var velocities: VelocityTracker?

  init(_ description: RecognizerDescription, id: RecognizerID, orientation: Orientation) {
    self.id = id
    self.description = description
    self.orientation = orientation
    let kind = description.kind
    fingers = Fingers(fewest: description.touches.fewest, hasTurns: kind.measuresTurns)
    velocities = description.kind.hasVelocity ? VelocityTracker() : nil
  }

  // MARK: What it would do

  var isPossible: Bool { state == .possible }

  /// Whether it has a touch, or waits for a further tap.
  var isActive: Bool { !fingers.all.isEmpty }

  /// Whether it would recognize now. A continuous kind can't without the fingers it asks for.
  var wouldRecognize: Bool {
    isPossible && failure == nil && progress.wouldRecognize
      && (fingers.areEnough || !description.kind.isContinuous)
  }

  /// Whether it has begun, and is cut short, or all its fingers are lifted.
  var wouldEnd: Bool { state == .began && (fingers.count == 0 || interruption != nil) }

  /// Whether there is something to decide.
  var hasNews: Bool { failure != nil || wouldRecognize || wouldEnd || wouldChange }

  /// Whether it has begun, and there is a change to tell.
  var wouldChange: Bool { state == .began && hasMoved && fingers.areEnough }

  /// When it has held back others' touches for so long that it fails. Rule G17.
  var holdDeadline: Timestamp? {
    guard let deadline = hold.deadline, isPossible, failure == nil else { return nil }
    return deadline
  }

  // MARK: What happens to it

  /// Takes in that other clients than its own may hear of one of its touches, which has just begun.
  mutating func share(_ index: Int, upTo limit: UInt64) {
    guard fingers.down.contains(index) else { return }
    hold.share(index, upTo: limit)
    if isPossible && description.delaysBegan { hold.begin(index, at: time) }
  }

  /// Fails with what it holds back, as it has held that back for too long. Rule G17.
  mutating func letGo(at time: Timestamp) {
    self.time = time
    fail(.heldTooLong(milliseconds: hold.limit))
  }

  /// Takes a touch that begins, unless it has as many as it takes. Rule G2.
  ///
  /// - Parameter measure: How its fingers lie with that of it.
  mutating func land(
    _ index: Int, _ measure: Measure, in touches: borrowing TrackedTouches, at time: Timestamp
  ) {
    guard fingers.count < description.touches.most else {
      if isPossible { fail(.tooMany(most: description.touches.most)) }
      return
    }
    device = touches.device
    self.time = time
    fingers.land(index, measure, in: touches.frame)
    if isPossible {
      judge(.landed(touches[index].location))
    }
    sample()
  }

  /// Loses a touch to its lift.
  ///
  /// - Parameters:
  ///   - measure: How its other fingers on the glass lie; nil where it has none.
  ///   - frame: The frame at hand.
  mutating func lift(_ index: Int, _ measure: Measure?, in frame: UInt64, at time: Timestamp) {
    self.time = time
    fingers.lift(index, measure, in: frame)
    if isPossible {
      if description.delaysEnded { hold.begin(index, at: time) }
      judge(.lifted)
    }
  }

  /// Takes in that some of its touches moved.
  @inline(__always)
  mutating func move(_ measure: Measure, at time: Timestamp) {
    guard state == .possible || state == .began else { return }
    self.time = time
    hasMoved = fingers.areEnough
    fingers.move(measure)
    if velocities != nil { sample() }
    if isPossible { judge(.moved, farthest: measure.farthest) }
  }

  /// Takes in that its deadline has come.
  mutating func advance(to time: Timestamp) {
    self.time = time
    judge(.due)
  }

  /// Goes over to how its view lies in another layout.
  mutating func turn(to orientation: Orientation) { self.orientation = orientation }

  // MARK: What becomes of it

  /// Says that it fails with the frame at hand.
  mutating func fail(_ reason: FailureReason) {
    failure = failure ?? reason
    deadline = nil
  }

  /// Is cut short: it fails, or is cancelled where it has begun. Rule G12.
  mutating func interrupt(_ failure: FailureReason, _ reason: CancelReason) {
    if isPossible { fail(failure) }
    if state == .began { interruption = interruption ?? reason }
  }

  /// Has recognized: a discrete kind for good, a continuous one until its last finger is lifted.
  ///
  /// - Parameter index: Where it is.
  mutating func recognize(at time: Timestamp, index: Int) -> GestureEvent {
    hasMoved = false
    deadline = nil
    guard description.kind.isContinuous else {
      state = .recognized
      return event(.recognized, at: time, index)
    }
    state = .began
    fingers.countAnew()
    return event(.began, at: time, index)
  }

  /// Tells its change, or its end.
  mutating func goOn(at time: Timestamp, index: Int) -> GestureEvent {
    guard wouldEnd else {
      hasMoved = false
      return event(.changed, at: time, index)
    }
    state = .over
    return event(interruption.map { .cancelled($0) } ?? .ended, at: time, index)
  }

  /// Has failed.
  mutating func settle(_ reason: FailureReason, at time: Timestamp, index: Int) -> GestureEvent {
    failure = nil
    deadline = nil
    state = .failed
    return GestureEvent(
      recognizer: id, at: index, change: .failed(reason), time: time, values: GestureValues())
  }

  private mutating func event(_ change: GestureEvent.Change, at time: Timestamp, _ index: Int)
    -> GestureEvent
  {
    GestureEvent(recognizer: id, at: index, change: change, time: time, values: values(at: time))
  }

  /// Is `possible` anew, where nothing keeps it: its touches are gone, and it waits for no further
  /// tap and for no other recognizer. Returns whether it is.
  mutating func resetIfIdle() -> Bool {
    guard fingers.count == 0 else { return false }
    if isPossible && (progress.waitsForFinger || wouldRecognize) { return false }
    forget()
    return true
  }

  /// Forgets its touches, and is `possible`.
  mutating func forget() {
    state = .possible
    failure = nil
    interruption = nil
    hasMoved = false
    fingers.reset()
    hold = TouchHold()
    progress = Progress()
    deadline = nil
    velocities?.reset()
  }

  // MARK: Values, rule G16

  /// Its values now.
  private mutating func values(at time: Timestamp) -> GestureValues {
    let isOver = (wouldEnd || state == .recognized || state == .over) && interruption == nil
    var values = GestureValues(
      location: orientation.point(fingers.centroid),
      touches: isOver ? fingers.mostTogether : fingers.count)
    let velocity = velocities?.velocity(at: time) ?? .zero
    switch description.kind {
    case .tap, .longPress, .swipe: break
    case .pan, .edgePan:
      values.translation = orientation.vector(fingers.translation)
      values.velocity = orientation.vector(velocity)
    case .pinch:
      values.scale = fingers.scale
      values.scaleVelocity = velocity.x
    case .rotation:
      let sense = orientation.isMirrored ? -1.0 : 1.0
      values.rotation = sense * fingers.rotation
      values.rotationVelocity = sense * velocity.x
    }
    return values
  }

  /// Adds a sample of what it measures, where there are enough fingers.
  private mutating func sample() {
    guard fingers.areEnough else { return }
    switch description.kind {
    case .tap, .longPress, .swipe: break
    case .pan, .edgePan:
      velocities?.add(fingers.translation.x, fingers.translation.y, at: time)
    case .pinch: velocities?.add(fingers.scale, 0, at: time)
    case .rotation: velocities?.add(fingers.rotation, 0, at: time)
    }
  }

  @inline(__always)
  private mutating func judge(_ input: GestureInput, farthest: Double = 0) {
    let hand = Hand(
      fingers, description.touches, orientation, farthest: farthest, at: time)
    if let reason = description.kind.take(input, hand, &progress) { fail(reason) }
    deadline = failure == nil ? description.kind.deadline(hand, progress) : nil
  }
}

extension GestureKind {
  /// Whether it has a velocity.
  fileprivate var hasVelocity: Bool {
    switch self {
    case .tap, .longPress, .swipe: false
    case .pan, .pinch, .rotation, .edgePan: true
    }
  }

  /// Whether it looks at how its fingers lie to each other.
  var measuresTurns: Bool {
    switch self {
    case .pinch, .rotation: true
    case .tap, .longPress, .pan, .swipe, .edgePan: false
    }
  }

  /// How many taps it needs, of those kinds that need any.
  package var neededTaps: Int? {
    switch self {
    case .tap(let tap): tap.taps
    case .longPress(let press): press.taps
    case .pan, .swipe, .pinch, .rotation, .edgePan: nil
    }
  }
}
