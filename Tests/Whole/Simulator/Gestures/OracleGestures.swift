import Layout
import TouchModel

/// Which recognizers win, and what they tell: rules G2 to G8 in the plainest way.
final class OracleGestures {
  /// What a recognizer tells.
  struct Event {
    var recognizer: OracleRecognizer
    /// `began`, `failed` and so on, or `cancelled` with its reason.
    var change: String
    /// Of a failure: words of the reasons that it may have.
    var reasons: [String] = []
    var time: Timestamp
    var values = Values()
    /// Whether it could go on as others were put or replaced. Rule G7.
    var isReconsidered = false
    /// Who is told, as of then.
    let receiver: Int?

    init(
      _ recognizer: OracleRecognizer, _ change: String, reasons: [String] = [],
      at time: Timestamp, values: Values = Values()
    ) {
      self.recognizer = recognizer
      self.change = change
      self.reasons = reasons
      self.time = time
      self.values = values
      receiver = recognizer.receiver
    }
  }

  /// Rule G16.
  struct Values {
    var location = Point.zero
    var touches = 0
    var translation = Point.zero
    var velocity = Point.zero
    var scale = 1.0
    var scaleVelocity = 0.0
    var rotation = 0.0
    var rotationVelocity = 0.0
  }

  /// By rank. Rule G5.
  private(set) var recognizers: [OracleRecognizer] = []
  /// In the order in which they were declared and added.
  private var declared: [OracleRecognizer]
  /// What was told since it was taken last.
  private(set) var events: [Event] = []
  /// The touches that recognizers have just taken from their clients. Rule G9.
  private(set) var cancelled: Set<TouchID> = []

  /// The longest that one may hold back others' touches, in milliseconds. Rule G17.
  private let holdLimit: Int

  init(_ recognizers: [OracleRecognizer], holdLimit: Int) {
    declared = recognizers
    self.holdLimit = holdLimit
    sort()
  }

  private func sort() {
    recognizers = declared.enumerated().sorted {
      Self.rank($0.element.gesture, $0.offset, declared)
        .lexicographicallyPrecedes(Self.rank($1.element.gesture, $1.offset, declared))
    }.map(\.element)
  }

  /// Adds one behind those that there are. Rule G1.
  func add(_ recognizer: OracleRecognizer) {
    declared.append(recognizer)
    sort()
  }

  /// Takes one away, with what it has begun. Rule G12.
  func remove(_ recognizer: OracleRecognizer, at time: Timestamp) {
    interrupt([recognizer], .targetRemoved, at: time)
    declared.removeAll { $0 === recognizer }
    sort()
  }

  /// Those whose view is gone know nothing of their touches any more once it is back.
  func forget(_ gone: [OracleRecognizer]) {
    for index in declared.indices where gone.contains(where: { $0 === declared[index] }) {
      declared[index] = OracleRecognizer(declared[index].gesture, declared[index].space)
    }
    sort()
  }

  /// Cuts some short whose fingers stay. Rule G12.
  func interrupt(
    _ interrupted: [OracleRecognizer], _ reason: CancelReason, at time: Timestamp
  ) {
    for recognizer in interrupted where recognizer.isActive { recognizer.interrupt(reason) }
    decide(at: time)
  }

  /// Another configuration has those: what stays what it is goes on, however it is ranked and
  /// whomever it names; all else begins anew. What goes has been cut short. Rule G1.
  func replace(_ gestures: [SimulatedGesture], _ space: (SimulatedGesture) -> OracleSpace) {
    let before = declared
    declared = gestures.map { gesture in
      renewed(before.first { $0.gesture.path == gesture.path }, gesture, space)
    }
    sort()
  }

  /// One is another one from now on, in its place. Rule G1.
  func replace(_ gesture: SimulatedGesture, _ space: (SimulatedGesture) -> OracleSpace) {
    guard let index = declared.firstIndex(where: { $0.gesture.path == gesture.path }) else {
      return
    }
    declared[index] = renewed(declared[index], gesture, space)
    sort()
  }

  private func renewed(
    _ known: OracleRecognizer?, _ gesture: SimulatedGesture,
    _ space: (SimulatedGesture) -> OracleSpace
  ) -> OracleRecognizer {
    guard let known, known.gesture.isSame(as: gesture) else {
      return OracleRecognizer(gesture, space(gesture))
    }
    known.become(gesture)
    return known
  }

  /// Cuts short what is gone, and what is made another one. Rules G1 and G12.
  func interrupt(
    _ gone: [OracleRecognizer], changing changed: [OracleRecognizer], at time: Timestamp
  ) {
    for recognizer in gone where recognizer.isActive { recognizer.interrupt(.targetRemoved) }
    for recognizer in changed where recognizer.isActive { recognizer.disable() }
    decide(at: time)
  }

  /// Forgets what a program would have been told, who is gone.
  func dropEvents(of program: Int) { events.removeAll { $0.receiver == program } }

  static func depth(_ gesture: SimulatedGesture) -> Int {
    gesture.view.map { $0.split(separator: "/").count } ?? 0
  }

  private static func rank(
    _ gesture: SimulatedGesture, _ offset: Int, _ all: [OracleRecognizer]
  ) -> [Int] {
    let depth = depth(gesture)
    return [
      gesture.hasPriority ? 0 : 1, gesture.hasPriority ? depth : -depth,
      place(of: gesture, offset, all),
    ]
  }

  /// Where it stands in the order of the configuration. The taps of a view that need more taps have
  /// the places of those that need fewer.
  private static func place(
    of gesture: SimulatedGesture, _ offset: Int, _ all: [OracleRecognizer]
  ) -> Int {
    guard gesture.kind == .tap else { return offset }
    let places = all.indices.filter {
      all[$0].gesture.kind == .tap && all[$0].gesture.view == gesture.view
    }
    let isBehind = places.map { all[$0].gesture.taps }.enumerated().count {
      $1 > gesture.taps || $1 == gesture.taps && places[$0] < offset
    }
    return places[isBehind]
  }

  func takeEvents() -> [Event] {
    defer { events = [] }
    return events
  }

  func takeCancelled() -> Set<TouchID> {
    defer { cancelled = [] }
    return cancelled
  }

  // MARK: What happens

  func lose(_ touch: TouchID, _ reason: CancelReason?, at time: Timestamp) {
    for recognizer in recognizers { recognizer.lose(touch, reason, at: time) }
  }

  func move(_ moves: [(TouchID, Point)], at time: Timestamp) {
    for recognizer in recognizers { recognizer.move(moves, at: time) }
  }

  /// Cuts all short. Rule G12.
  func cut(_ reason: CancelReason, at time: Timestamp) {
    for recognizer in recognizers where recognizer.isActive {
      recognizer.cut(short: reason, at: time)
    }
  }

  /// Lets all decide on what has happened.
  func decide(at time: Timestamp) { decide(at: time, due: false) }

  /// Nobody waits for those that are not named any more. Rule G7.
  func reconsider(at time: Timestamp) {
    let first = events.count
    decide(at: time)
    for index in first..<events.count { events[index].isReconsidered = true }
  }

  /// When time alone will change something. Rule G15.
  var deadline: Timestamp? {
    recognizers.flatMap { [$0.due?.time, $0.holdEnd(holdLimit)] }.compactMap(\.self).min()
  }

  /// Lets those decide whose time has come; then those fail that have held back for too long. Rule
  /// G17.
  func advance(to time: Timestamp) {
    while recognizers.contains(where: { $0.due.map { $0.time <= time } ?? false }) {
      decide(at: time, due: true)
    }
    let late = recognizers.filter { $0.holdEnd(holdLimit).map { $0 <= time } ?? false }
    if late.isEmpty { return }
    for recognizer in late { fail(recognizer, ["held touches of others back"], at: time) }
    decide(at: time)
  }

  /// Rule G8.
  func accept(_ touch: TouchID, at time: Timestamp) {
    for recognizer in recognizers
    where recognizer.state == .possible && recognizer.touches.contains(touch)
      && !recognizer.gesture.hasPriority
    {
      fail(recognizer, ["its touch was accepted"], at: time)
    }
    decide(at: time)
  }

  private func decide(at time: Timestamp, due isDue: Bool) {
    var willing: Set<ObjectIdentifier> = []
    for recognizer in recognizers where recognizer.state == .possible && recognizer.isActive {
      let due = recognizer.due.flatMap { isDue && $0.time <= time ? $0.verdict : nil }
      var reasons = recognizer.cut == nil ? [] : ["its touch was cancelled"]
      if recognizer.isDisabled { reasons.append("disabled") }
      let verdict = due ?? recognizer.verdict
      if case .fails(let own) = verdict { reasons += own }
      if !reasons.isEmpty {
        fail(recognizer, reasons, at: time)
      } else if verdict.recognizes {
        willing.insert(ObjectIdentifier(recognizer))
      }
    }
    var told: Set<ObjectIdentifier> = []
    while let next = recognizers.first(where: {
      !told.contains(ObjectIdentifier($0))
        && ($0.state == .began ? change(of: $0) != nil : false)
        || willing.contains(ObjectIdentifier($0)) && $0.state == .possible && !isBlocked($0)
    }) {
      told.insert(ObjectIdentifier(next))
      guard let change = next.state == .began ? change(of: next) : nil else {
        letWin(next, at: time)
        continue
      }
      tell(next, change, at: time)
      if change != "changed" { next.end() }
    }
    for recognizer in recognizers where recognizer.state == .possible && recognizer.isActive {
      recognizer.wait(willing.contains(ObjectIdentifier(recognizer)))
    }
    let activeCount = recognizers.count(where: \.isActive)
    for recognizer in recognizers { recognizer.settle() }
    // Others may have waited for one that has nothing left. Rule G7.
    if recognizers.count(where: \.isActive) < activeCount { decide(at: time, due: false) }
  }

  /// What one that has begun tells of the frame at hand.
  private func change(of recognizer: OracleRecognizer) -> String? {
    if let reason = recognizer.cut { return "cancelled \(reason)" }
    if recognizer.onGlass.isEmpty { return "ended" }
    return recognizer.hasMoved && recognizer.measure.isMeasured ? "changed" : nil
  }

  private func letWin(_ recognizer: OracleRecognizer, at time: Timestamp) {
    let earlier = recognizers.first { other in
      let hasWon = [.recognized, .began, .over].contains(other.state)
      return other !== recognizer && hasWon && share(other, recognizer)
        && !isExcused(recognizer, from: other)
    }
    if let earlier {
      return fail(recognizer, ["\(earlier.gesture.path) recognized"], at: time)
    }
    recognizer.recognize()
    if recognizer.gesture.cancelsTouches { cancelled.formUnion(recognizer.touches) }
    tell(recognizer, recognizer.gesture.isDiscrete ? "recognized" : "began", at: time)
    for other in recognizers where other !== recognizer && other.state == .possible {
      if share(other, recognizer), !isExcused(other, from: recognizer) {
        fail(other, ["\(recognizer.gesture.path) recognized"], at: time)
      }
    }
  }

  // MARK: Who wins

  private func share(_ one: OracleRecognizer, _ other: OracleRecognizer) -> Bool {
    !Set(one.touches).isDisjoint(with: other.touches)
  }

  /// Whether one does not fail because another recognizes. Rules G6 and G7.
  private func isExcused(_ loser: OracleRecognizer, from winner: OracleRecognizer) -> Bool {
    if loser.gesture.after.contains(winner.gesture.path) { return false }
    if loser.gesture.simultaneous.contains(winner.gesture.path)
      || winner.gesture.simultaneous.contains(loser.gesture.path)
    {
      return true
    }
    return winner.gesture.kind == .tap
      && (loser.gesture.kind == .tap || loser.gesture.kind == .longPress)
      && loser.gesture.taps > winner.gesture.taps
  }

  /// Whether it waits for one that may still recognize. Rule G7.
  func isBlocked(_ recognizer: OracleRecognizer) -> Bool {
    recognizers.contains { other in
      recognizer.gesture.after.contains(other.gesture.path) && other.state == .possible
        && share(other, recognizer)
    }
  }

  // MARK: What is told

  private func fail(_ recognizer: OracleRecognizer, _ reasons: [String], at time: Timestamp) {
    recognizer.fail()
    events.append(
      Event(recognizer, "failed", reasons: reasons, at: time))
  }

  private func tell(_ recognizer: OracleRecognizer, _ change: String, at time: Timestamp) {
    let (measure, space) = (recognizer.measure, recognizer.space)
    var values = Values()
    values.location = space.convert(measure.location)
    let isOver = change == "recognized" || change == "ended"
    values.touches = isOver ? recognizer.mostTogether : recognizer.onGlass.count
    switch recognizer.gesture.kind {
    case .pan, .edgePan:
      values.translation = space.displacement(measure.translation)
      values.velocity = space.displacement(
        Point(
          x: measure.slope(at: time) { $0.translation.x },
          y: measure.slope(at: time) { $0.translation.y }))
    case .pinch:
      values.scale = measure.scale
      values.scaleVelocity = measure.slope(at: time) { $0.scale }
    case .rotation:
      values.rotation = measure.rotation
      values.rotationVelocity = measure.slope(at: time) { $0.rotation }
    case .tap, .longPress, .swipe: break
    }
    events.append(Event(recognizer, change, at: time, values: values))
  }
}
