import TouchModel

/// A recognizer as the oracle keeps it: what happened to its touches since it was possible last
/// without any; all else is worked out from that each time. Rule G3 and the table of kinds.
final class OracleRecognizer {
  enum State { case possible, failed, recognized, began, over }

  /// What it would do by itself.
  enum Verdict {
    case nothing
    case recognizes
    /// For one of these reasons.
    case fails([String])
  }

  /// A tap, or the press that follows taps.
  struct Tap {
    var first: Timestamp
    var latest: Timestamp
    var end: Timestamp?
    var places: [Point]
    var isLifted = false
    var onGlass = 1
    var together = 1
  }

  /// What it is; whom it names may change while it has touches.
  private(set) var gesture: SimulatedGesture
  /// How its view lies by now.
  var space: OracleSpace
  /// The program that gets its events; nil where nobody does, so that it takes no part. Fixed when
  /// it gets its first touch. Rule G13.
  var receiver: Int?
  /// The touchscreen that its touches are of. Rule G2.
  private(set) var device = 0
  private(set) var state = State.possible
  private(set) var log: [(time: Timestamp, what: OracleHappening)] = []
  /// All its touches, with those that were lifted.
  private(set) var touches: [TouchID] = []
  private(set) var onGlass: [TouchID] = []
  /// Whether it would have recognized, and waits for others. Rule G7.
  private(set) var isWaiting = false
  /// The most fingers together since it began.
  private(set) var mostTogether = 0
  /// Why it ends with the frame at hand.
  private(set) var cut: CancelReason?
  /// Whether that is for its being disabled, or made another one. Rule G1.
  private(set) var isDisabled = false
  private(set) var hasMoved = false
  private var hadTooMany = false
  /// Whether it lost a touch in the frame at hand.
  private var hasLost = false
  private var isOffEdge = false
  /// Those of its touches that other programs may hear of. Rule G17.
  private var shared: Set<TouchID> = []
  /// Since when it has held something of these back.
  private var heldSince: Timestamp?

  init(_ gesture: SimulatedGesture, _ space: OracleSpace) {
    self.gesture = gesture
    self.space = space
  }

  var isActive: Bool { state != .possible || !touches.isEmpty }
  var measure: OracleMeasure { OracleMeasure(log, fewest: gesture.fewest) }

  // MARK: What happens

  /// Takes a touch that begins; false where it does not. Rules G2, G3 and G7.
  ///
  /// - Parameter isBlocked: Whether one that it names in `after` may still recognize.
  func take(
    _ touch: TouchID, _ place: Point, of device: Int, isBlocked: Bool, at time: Timestamp
  ) -> Bool {
    if isActive, device != self.device { return false }
    if state == .possible, isWaiting, isBlocked, verdict.recognizes { return false }
    guard onGlass.count < gesture.most else {
      if state == .possible { hadTooMany = true }
      return false
    }
    self.device = device
    if gesture.kind == .edgePan, exceeds(space.depth(of: place, from: gesture.way), gesture.margin)
    {
      isOffEdge = true
    }
    touches.append(touch)
    onGlass.append(touch)
    if state == .began { mostTogether = max(mostTogether, onGlass.count) }
    log.append((time, .came(touch, place)))
    // With all its fingers a press is pressed anew.
    if gesture.kind == .longPress, onGlass.count >= gesture.fewest { isWaiting = false }
    return true
  }

  /// Takes in that other programs may hear of a touch that it has just taken.
  func share(_ touch: TouchID, at time: Timestamp) {
    shared.insert(touch)
    if state == .possible, gesture.delaysBegan { heldSince = heldSince ?? time }
  }

  /// When it has held back for so long that it fails. Rule G17.
  func holdEnd(_ limit: Int) -> Timestamp? {
    state == .possible ? heldSince?.adding(milliseconds: UInt64(limit)) : nil
  }

  func lose(_ touch: TouchID, _ reason: CancelReason?, at time: Timestamp) {
    guard onGlass.contains(touch) else { return }
    if state == .possible, gesture.delaysEnded, shared.contains(touch) {
      heldSince = heldSince ?? time
    }
    onGlass.removeAll { $0 == touch }
    log.append((time, .left(touch)))
    hasLost = true
    cut = reason ?? cut
  }

  func move(_ moves: [(TouchID, Point)], at time: Timestamp) {
    let moves = moves.filter { onGlass.contains($0.0) }
    guard !moves.isEmpty else { return }
    log.append((time, .moved(moves)))
    hasMoved = true
  }

  /// Is cut short while its fingers stay. Rule G12.
  func interrupt(_ reason: CancelReason) { cut = cut ?? reason }

  /// Is disabled, or made another one. Rule G1.
  func disable() {
    isDisabled = true
    interrupt(.requested)
  }

  /// Names others from now on, and is the same as before else.
  func become(_ gesture: SimulatedGesture) { self.gesture = gesture }

  func cut(short reason: CancelReason, at time: Timestamp) {
    for touch in onGlass { lose(touch, reason, at: time) }
    cut = reason
  }

  /// Waits, or waits no more; with too few fingers nothing is said of that.
  func wait(_ waits: Bool) {
    if waits || onGlass.count >= gesture.fewest { isWaiting = waits }
  }

  func recognize() {
    isWaiting = false
    state = gesture.isDiscrete ? .recognized : .began
    mostTogether = gesture.isDiscrete ? gesture.fewest : onGlass.count
  }

  func fail() { state = .failed }

  func end() { state = .over }

  /// Is possible again, if nothing keeps it. Rule G3.
  func settle() {
    (hasMoved, hadTooMany, cut) = (false, false, nil)
    if hasLost, let time = log.last?.time { log.append((time, .rested)) }
    hasLost = false
    guard onGlass.isEmpty else { return }
    // It waits for a further tap, or for others. Where its fingers are gone, a pan or a press can't
    // begin any more, and waits for nothing.
    let waits =
      gesture.gathers
      && (isWaiting && gesture.isDiscrete || taps.last?.end != nil && !isPressLifted)
    if state == .possible, touches.isEmpty || waits { return }
    state = .possible
    isWaiting = false
    isOffEdge = false
    shared = []
    heldSince = nil
    log.removeAll()
    touches.removeAll()
  }

  /// Whether a press that waited for others was lifted.
  private var isPressLifted: Bool {
    gesture.kind == .longPress && taps.count == gesture.taps + 1
  }

  // MARK: What it makes of that

  /// What it would do with what has happened, time left aside.
  var verdict: Verdict {
    if isWaiting, gesture.isDiscrete { return .recognizes }
    guard hadTooMany else { return ownVerdict }
    let tooMany = "more fingers than \(gesture.most)"
    if case .fails(let reasons) = ownVerdict { return .fails(reasons + [tooMany]) }
    return .fails([tooMany])
  }

  private var ownVerdict: Verdict {
    switch gesture.kind {
    case .tap, .longPress: return tapVerdict
    case .swipe: return swipeVerdict
    case .pan, .edgePan: return panVerdict
    case .pinch:
      if let lifted { return lifted }
      let measure = measure
      let isEnough = reaches(measure.distanceChange.magnitude, gesture.slop)
      return isMeasured(measure) && isEnough ? .recognizes : .nothing
    case .rotation:
      if let lifted { return lifted }
      let measure = measure
      let arc = measure.rotation.magnitude / 180 * .pi * measure.meanDistance
      let isEnough =
        reaches(measure.rotation.magnitude, gesture.slopDegrees) && reaches(arc, gesture.slop)
      return isMeasured(measure) && isEnough ? .recognizes : .nothing
    }
  }

  /// Whether its fingers move, or what they did still holds: a finger that comes or goes is no
  /// movement.
  private func isMeasured(_ measure: OracleMeasure) -> Bool {
    measure.isMeasured && measure.hasMoved && (hasMoved || isWaiting)
  }

  /// Whether it is a limit or more; what is a millionth short of it reaches it.
  private func reaches(_ value: Double, _ limit: Double) -> Bool { value >= limit - 1e-6 }

  private func exceeds(_ value: Double, _ limit: Double) -> Bool { value > limit + 1e-6 }

  /// All lifted before it began; one that waits stays as it is. Rule G7.
  private var lifted: Verdict? {
    if !onGlass.isEmpty { return nil }
    return isWaiting ? .nothing : .fails(["lifted before"])
  }

  private var panVerdict: Verdict {
    if let lifted { return lifted }
    if isOffEdge { return .fails(["from the edge"]) }
    let measure = measure
    guard isMeasured(measure) else { return .nothing }
    if gesture.way == "any" {
      return reaches(OracleMeasure.distance(measure.translation, .zero), gesture.slop)
        ? .recognizes : .nothing
    }
    let isEdge = gesture.kind == .edgePan
    let way = isEdge ? OracleSpace.inwards(from: gesture.way) : gesture.way
    let (along, across) = space.go(measure.translation, way)
    if reaches(along, gesture.slop), reaches(along, across) { return .recognizes }
    if reaches(across, gesture.slop), exceeds(across, along) {
      return .fails(["points across", "the other way"])
    }
    if isEdge, reaches(-along, gesture.slop) { return .fails(["the other way", "points across"]) }
    return .nothing
  }

  private var swipeVerdict: Verdict {
    if let reason = gatherFailure { return .fails(reason) }
    if log.contains(where: { if case .left = $0.what { true } else { false } }) {
      return .fails(["lifted before"])
    }
    let measure = measure
    guard isMeasured(measure) else { return .nothing }
    let (along, across) = space.go(measure.translation, gesture.way)
    if reaches(along, gesture.distance), reaches(along, 2 * across) { return .recognizes }
    if reaches(-along, gesture.slop) { return .fails(["the other way"]) }
    return .nothing
  }

  private var tapVerdict: Verdict {
    if isWaiting, onGlass.isEmpty { return .nothing }
    // Where several hold in one frame, any of them may be told.
    let reasons = (slopFailure ?? []) + (gatherFailure ?? [])
    let others = isWaiting ? [] : tapFailure ?? []
    if !reasons.isEmpty { return .fails(reasons + others) }
    if isWaiting { return onGlass.count >= gesture.fewest ? .recognizes : .nothing }
    if let reasons = tapFailure { return .fails(reasons) }
    let ended = taps.filter { $0.end != nil }
    return gesture.kind == .tap && ended.count == gesture.taps ? .recognizes : .nothing
  }

  /// A tap was too far from the one before, or lifted too early.
  private var tapFailure: [String]? {
    let taps = self.taps
    for (before, tap) in zip(taps, taps.dropFirst()) where tap.together >= gesture.fewest {
      guard let one = OracleMeasure.centroid(before.places),
        let other = OracleMeasure.centroid(tap.places)
      else { continue }
      if exceeds(OracleMeasure.distance(one, other), gesture.distance) {
        return ["points from the tap before"]
      }
    }
    // A press is lifted when all are; a tap's fingers were down together, or it is none.
    for (index, tap) in taps.enumerated() {
      let isPress = gesture.kind == .longPress && index == gesture.taps
      if tap.isLifted, tap.together < gesture.fewest, !isPress || tap.end != nil {
        return ["lifted before"]
      }
      if isPress, tap.end != nil { return ["lifted before"] }
      if isPress, tap.isLifted, tap.onGlass < gesture.fewest, let now = log.last?.time,
        now > tap.first.adding(milliseconds: UInt64(gesture.gather))
      {
        return ["lifted before", "fingers within"]
      }
    }
    return nil
  }

  /// A finger went further than it may from where it came down.
  private var slopFailure: [String]? {
    var starts: [TouchID: Point] = [:]
    for (_, what) in log {
      if case .came(let id, let place) = what { starts[id] = place }
      guard case .moved(let moves) = what else { continue }
      for (id, place) in moves {
        guard let start = starts[id] else { continue }
        if exceeds(OracleMeasure.distance(start, place), gesture.slop) { return ["slop is"] }
      }
    }
    return nil
  }

  /// A finger came too late, or after one had gone.
  private var gatherFailure: [String]? {
    var reasons: [String] = []
    for (index, tap) in taps.enumerated() {
      if tap.latest > tap.first.adding(milliseconds: UInt64(gesture.gather)) {
        reasons.append("a finger came later than")
      }
      let isTap = gesture.kind == .tap || gesture.kind == .longPress && index < gesture.taps
      if tap.places.count > tap.together, isTap || !reasons.isEmpty {
        reasons.append("a finger came after another was lifted")
      }
    }
    return reasons.isEmpty ? nil : reasons
  }

  /// The taps until now, the one at hand with them.
  var taps: [Tap] {
    var taps: [Tap] = []
    for (time, what) in log {
      switch what {
      case .came(_, let place):
        if let last = taps.indices.last, taps[last].end == nil {
          taps[last].latest = time
          taps[last].places.append(place)
          taps[last].onGlass += 1
          taps[last].together = max(taps[last].together, taps[last].onGlass)
        } else {
          taps.append(Tap(first: time, latest: time, places: [place]))
        }
      case .left:
        guard let last = taps.indices.last else { continue }
        taps[last].isLifted = true
        taps[last].onGlass -= 1
        if taps[last].onGlass == 0 { taps[last].end = time }
      case .moved, .rested: break
      }
    }
    return taps
  }

  // MARK: Time

  /// What it will do by itself at a time, though nothing happens: the earliest. Rule G15.
  var due: (time: Timestamp, verdict: Verdict)? {
    guard state == .possible, gesture.gathers, let tap = taps.last,
      !(isWaiting && gesture.isDiscrete)
    else { return nil }
    func after(_ time: Timestamp, _ milliseconds: Int) -> Timestamp {
      time.adding(milliseconds: UInt64(milliseconds))
    }
    var all: [(time: Timestamp, verdict: Verdict)] = []
    let isPress = gesture.kind == .longPress && taps.count == gesture.taps + 1
    guard tap.end == nil else {
      return (after(tap.end ?? tap.latest, gesture.interval), .fails(["no further tap within"]))
    }
    let count = isPress ? tap.onGlass : tap.together
    // A press that waits for others does not fail with its fingers gone. Rule G7.
    if count < gesture.fewest, !isWaiting {
      all.append((after(tap.first, gesture.gather), .fails(["fingers within", "lifted before"])))
    }
    switch gesture.kind {
    case .swipe:
      if count >= gesture.fewest {
        all.append((after(tap.latest, gesture.duration), .fails(["took longer than"])))
      }
    case .longPress where isPress:
      if count >= gesture.fewest, !isWaiting {
        all.append((after(tap.latest, gesture.duration), .recognizes))
      }
    default:
      let limit = gesture.kind == .tap ? gesture.duration : 750
      all.append((after(tap.first, limit), .fails(["took longer than"])))
    }
    return all.min { $0.time < $1.time }
  }
}

extension OracleRecognizer.Verdict {
  var recognizes: Bool { if case .recognizes = self { true } else { false } }
}
