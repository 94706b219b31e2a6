import Layout
import TouchModel

/// Who gets which touch where recognizers have a say: rules G2 and G9 to G13, with R3 to R5, R7 and
/// R8 as far as they are about touches.
final class OracleGestureRouter {
  /// A touch, as a program gets it.
  struct Record: Equatable {
    var program: Int
    var touch: TouchID
    var phase: TouchPhase
    var reason: CancelReason?
    var isReplayed: Bool
    var time: Timestamp
    /// In points of the screen.
    var place: Point
  }

  private struct Finger {
    let id: TouchID
    let device: Int
    let slot: Int32
    /// The path of the view that it hit.
    let target: String?
    /// The programs up its chain; none where nobody handles `began`.
    var parts: [GesturePart]
    var place: Point
    /// What happened to it until now.
    var history: [(phase: TouchPhase, place: Point, time: Timestamp)] = []
    /// How much of that programs have got.
    var given = 0
    var isDown = true
    /// Whether no program gets any more of it.
    var isOver = false

    /// Whether programs have got the end of it.
    var isFinished: Bool { given > 0 && history[given - 1].phase.isFinal }
  }

  let gestures: OracleGestures
  private(set) var records: [Record] = []
  private let world: GestureWorld
  private var layout: Layout
  private var hitTester: HitTester
  /// The programs that hold their view.
  private var attached: Set<Int>
  /// Those that read nothing. Rule F3.
  private var unresponsive: Set<Int> = []
  private var fingers: [Finger] = []
  private var nextTouch: UInt64 = 1

  init(_ world: GestureWorld, _ layout: Layout) {
    self.world = world
    self.layout = layout
    hitTester = HitTester(layout)
    attached = Set(world.programs.indices)
    gestures = OracleGestures(
      world.gestures.map { OracleRecognizer($0, OracleSpace(of: $0, in: layout)) },
      holdLimit: world.holdLimit)
  }

  private var present: Set<Int> { attached.subtracting(unresponsive) }

  func takeRecords() -> [Record] {
    defer { records = [] }
    return records
  }

  /// Whether a finger is down in a slot.
  func isDown(_ slot: Int32, of device: Int) -> Bool {
    fingers.contains { $0.device == device && $0.slot == slot && $0.isDown }
  }

  // MARK: What happens

  func frame(
    _ contacts: [GestureStep.Contact], of device: Int, _ reason: CancelReason = .palm,
    at time: Timestamp
  ) {
    var changed: [TouchID] = []
    var moves: [(TouchID, Point)] = []
    for contact in contacts where contact.change != .began {
      guard
        let index = fingers.firstIndex(where: {
          $0.device == device && $0.slot == contact.slot && $0.isDown
        })
      else { continue }
      let id = fingers[index].id
      changed.append(id)
      switch contact.change {
      case .ended, .cancelled:
        fingers[index].isDown = false
        let isCancelled = contact.change == .cancelled
        gestures.lose(id, isCancelled ? reason : nil, at: time)
        add(isCancelled ? .cancelled : .ended, to: index, at: time)
      case .moved, .began:
        fingers[index].place = contact.place
        moves.append((id, contact.place))
        add(.moved, to: index, at: time)
      }
    }
    gestures.move(moves, at: time)
    gestures.decide(at: time)
    begin(contacts.filter { $0.change == .began }, of: device, at: time, &changed)
    deliver(of: changed, reason, at: time)
  }

  /// A touchscreen is gone. Rule T7.
  func lose(_ device: Int, _ reason: CancelReason, at time: Timestamp) {
    let contacts = fingers.filter { $0.device == device && $0.isDown }
      .map { GestureStep.Contact(slot: $0.slot, change: .cancelled) }
    if !contacts.isEmpty { frame(contacts, of: device, reason, at: time) }
  }

  private func begin(
    _ contacts: [GestureStep.Contact], of device: Int, at time: Timestamp,
    _ changed: inout [TouchID]
  ) {
    var refused: [(OracleRecognizer, TouchID, Point)] = []
    for contact in contacts {
      let id = TouchID(nextTouch)
      nextTouch += 1
      let isOutside = contact.place.x >= 800 || contact.place.y >= 480
      let target = hitTester.hitTest(contact.place, on: ScreenIndex(0)).map { layout.path(of: $0) }
      let chain = isOutside ? [] : target.map { world.chain(of: $0, present) } ?? []
      var finger = Finger(
        id: id, device: device, slot: contact.slot, target: target,
        parts: GesturePart.parts(of: chain.map { ($0, world.programs[$0]) }),
        place: contact.place)
      for recognizer in gestures.recognizers where !isOutside && takesPart(recognizer, at: target) {
        let isBlocked = gestures.isBlocked(recognizer)
        if !recognizer.take(id, contact.place, of: device, isBlocked: isBlocked, at: time) {
          if recognizer.isWaiting, recognizer.device == device {
            refused.append((recognizer, id, contact.place))
          }
        } else {
          share(id, on: target, with: recognizer, at: time)
          if recognizer.state == .began, recognizer.gesture.cancelsTouches { finger.isOver = true }
        }
      }
      fingers.append(finger)
      changed.append(id)
      add(.began, to: fingers.count - 1, at: time)
    }
    gestures.decide(at: time)
    // It waits no more, and is possible again. Rule G7.
    let late = refused.filter { !$0.0.isActive }
    for (recognizer, touch, place) in late {
      if !recognizer.isActive {
        recognizer.receiver = world.receiver(of: recognizer.gesture, present)
      }
      if recognizer.receiver != nil,
        recognizer.take(touch, place, of: device, isBlocked: false, at: time)
      {
        let target = fingers.first { $0.id == touch }?.target
        share(touch, on: target, with: recognizer, at: time)
      }
    }
    if !late.isEmpty { gestures.decide(at: time) }
  }

  /// Others than its receiver may hear of a touch where they hold something that its target lies
  /// in. Rule G17.
  private func share(
    _ touch: TouchID, on target: String?, with recognizer: OracleRecognizer, at time: Timestamp
  ) {
    guard let target else { return }
    let others = world.chain(of: target, attached).filter { $0 != recognizer.receiver }
    if !others.isEmpty { recognizer.share(touch, at: time) }
  }

  /// Whether touches of a target are given to a recognizer. Rule G2.
  private func takesPart(_ recognizer: OracleRecognizer, at target: String?) -> Bool {
    if !recognizer.isActive {
      recognizer.receiver = world.receiver(of: recognizer.gesture, present)
    }
    guard recognizer.gesture.isEnabled, recognizer.receiver != nil else { return false }
    guard let view = recognizer.gesture.view else { return true }
    guard let target else { return false }
    return target == view || target.hasPrefix(view + "/")
  }

  func advance(to time: Timestamp) {
    gestures.advance(to: time)
    deliver(of: [], nil, at: time)
  }

  /// Rule G8.
  func accept(_ program: Int, _ slot: Int32, at time: Timestamp) -> TouchID? {
    guard let (index, part) = touch(of: program, slot), !fingers[index].isFinished else {
      return nil
    }
    fingers[index].parts[part].standing = .accepted
    gestures.accept(fingers[index].id, at: time)
    deliver(of: [], nil, at: time)
    return fingers[index].id
  }

  /// Rule R5; nil where it is too late for that.
  func decline(_ program: Int, _ slot: Int32, at time: Timestamp) -> TouchID? {
    guard let (index, part) = touch(of: program, slot),
      case .undecided(let deadline) = fingers[index].parts[part].standing, time < deadline
    else { return nil }
    fingers[index].parts[part].standing = .declined
    let finger = fingers[index]
    let gained = GesturePart.grant(&fingers[index].parts, isFinished: finger.isFinished, at: time)
    for (program, phases) in gained {
      for (phase, place, own) in finger.history.prefix(finger.given)
      where phases.contains(TouchPhases(phase)) {
        var before = finger
        before.place = place
        add(phase, nil, true, own, of: before, to: program)
      }
    }
    endIfNobodyHas(index)
    return finger.id
  }

  /// The touch that a slot has, or had last, and the program's part in it, if it has one.
  private func touch(of program: Int, _ slot: Int32) -> (Int, Int)? {
    guard let index = fingers.lastIndex(where: { $0.device == 0 && $0.slot == slot }) else {
      return nil
    }
    let finger = fingers[index]
    guard finger.given > 0, !finger.isOver, finger.history[finger.given - 1].phase != .cancelled,
      let part = finger.parts.firstIndex(where: { $0.program == program && $0.isActive })
    else { return nil }
    return (index, part)
  }

  // MARK: Programs, recognizers and layouts

  /// Rules R7 and G12; whether it was there.
  func go(_ program: Int, at time: Timestamp) -> Bool {
    guard attached.remove(program) != nil else { return false }
    unresponsive.remove(program)
    loseTouches(of: program, nil, at: time)
    gestures.interrupt(recognizers(of: program), .requested, at: time)
    gestures.dropEvents(of: program)
    deliver(of: [], nil, at: time)
    return true
  }

  func come(_ program: Int) -> Bool {
    layout.view(at: world.programs[program].path) != nil && attached.insert(program).inserted
  }

  /// Rule F3.
  func stopReading(_ program: Int, at time: Timestamp) -> Bool {
    guard unresponsive.insert(program).inserted else { return false }
    loseTouches(of: program, .clientUnresponsive, at: time)
    gestures.interrupt(recognizers(of: program), .clientUnresponsive, at: time)
    deliver(of: [], nil, at: time)
    return true
  }

  func read(_ program: Int) -> Bool { unresponsive.remove(program) != nil }

  private func recognizers(of program: Int) -> [OracleRecognizer] {
    gestures.recognizers.filter { $0.isActive && $0.receiver == program }
  }

  /// A program loses its touches, which nobody inherits; where it may hear of it, with the reason.
  private func loseTouches(of program: Int, _ reason: CancelReason?, at time: Timestamp) {
    for index in fingers.indices {
      for part in fingers[index].parts.indices
      where fingers[index].parts[part].program == program {
        lose(index, part, reason, at: time)
      }
    }
  }

  /// All programs lose a touch.
  private func loseAll(of index: Int, _ reason: CancelReason, at time: Timestamp) {
    for part in fingers[index].parts.indices { lose(index, part, reason, at: time) }
  }

  /// A program loses its part in a touch.
  private func lose(_ index: Int, _ part: Int, _ reason: CancelReason?, at time: Timestamp) {
    let finger = fingers[index]
    let lost = finger.parts[part]
    if let reason, lost.isActive, lost.phases.contains(.cancelled), finger.given > 0,
      !finger.isFinished, !finger.isOver
    {
      add(.cancelled, reason, false, time, of: finger, to: lost.program)
    }
    fingers[index].parts[part].drop()
    endIfNobodyHas(index)
  }

  /// Ends a touch that no program has any more.
  private func endIfNobodyHas(_ index: Int) {
    if !fingers[index].parts.contains(where: \.isActive) { fingers[index].isOver = true }
  }

  func remove(_ path: String, at time: Timestamp) -> Bool {
    guard let recognizer = gestures.recognizers.first(where: { $0.gesture.path == path }) else {
      return false
    }
    gestures.remove(recognizer, at: time)
    deliver(of: [], nil, at: time)
    return true
  }

  func add(_ path: String) -> Bool {
    guard !gestures.recognizers.contains(where: { $0.gesture.path == path }),
      let gesture = world.gestures.first(where: { $0.path == path })
    else { return false }
    gestures.add(OracleRecognizer(gesture, OracleSpace(of: gesture, in: layout)))
    return true
  }

  /// Another layout, which may lack views of the one before, and where they are given other
  /// recognizers. Rules T9, R8, G1, G12 and G16.
  func arrange(_ new: Layout, _ other: [SimulatedGesture]? = nil, at time: Timestamp) {
    let gone = gestures.recognizers.filter { recognizer in
      let isKept = other?.contains { $0.path == recognizer.gesture.path } ?? true
      return !isKept || (recognizer.gesture.view.map { new.view(at: $0) == nil } ?? false)
    }
    let changed = gestures.recognizers.filter { recognizer in
      guard !gone.contains(where: { $0 === recognizer }) else { return false }
      let next = other?.first { $0.path == recognizer.gesture.path }
      return next.map { !$0.isSame(as: recognizer.gesture) } ?? false
    }
    gestures.interrupt(gone, changing: changed, at: time)
    cancel(gestures.takeCancelled(), at: time)
    let programs = attached.filter { new.view(at: world.programs[$0].path) == nil }
    for index in fingers.indices {
      let isLost = fingers[index].target.map { new.view(at: $0) == nil } ?? false
      let isLeft = fingers[index].parts.contains { $0.isActive && programs.contains($0.program) }
      if isLost || isLeft { loseAll(of: index, .targetRemoved, at: time) }
    }
    for program in programs { loseTouches(of: program, .targetRemoved, at: time) }
    gestures.interrupt(programs.flatMap(recognizers(of:)), .targetRemoved, at: time)
    attached.subtract(programs)
    deliver(of: [], nil, at: time)
    gestures.forget(gone)
    layout = new
    hitTester = HitTester(new)
    if let other { gestures.replace(other) { OracleSpace(of: $0, in: new) } }
    for recognizer in gestures.recognizers
    where recognizer.gesture.view.map({ new.view(at: $0) != nil }) ?? true {
      recognizer.space = OracleSpace(of: recognizer.gesture, in: new)
    }
    if other != nil { reconsider(at: time) }
  }

  private func reconsider(at time: Timestamp) {
    gestures.reconsider(at: time)
    deliver(of: [], nil, at: time)
  }

  /// A recognizer is another one from now on, as where it is disabled; whether it is there. Rule
  /// G1.
  func change(_ next: SimulatedGesture, at time: Timestamp) -> Bool {
    guard let known = gestures.recognizers.first(where: { $0.gesture.path == next.path }) else {
      return false
    }
    if !known.gesture.isSame(as: next) { gestures.interrupt([], changing: [known], at: time) }
    cancel(gestures.takeCancelled(), at: time)
    deliver(of: [], nil, at: time)
    gestures.replace(next) { OracleSpace(of: $0, in: layout) }
    reconsider(at: time)
    return true
  }

  func cancelAll(at time: Timestamp) {
    gestures.cut(.requested, at: time)
    gestures.decide(at: time)
    let down = fingers.indices.filter { fingers[$0].isDown }
    for index in down {
      fingers[index].isDown = false
      add(.cancelled, to: index, at: time)
    }
    deliver(of: down.map { fingers[$0].id }, .requested, at: time)
  }

  // MARK: What programs get

  private func add(_ phase: TouchPhase, to index: Int, at time: Timestamp) {
    fingers[index].history.append((phase, fingers[index].place, time))
  }

  /// Takes touches from their programs for good. Rule G9.
  private func cancel(_ cancelled: Set<TouchID>, at time: Timestamp) {
    for index in fingers.indices where cancelled.contains(fingers[index].id) {
      loseAll(of: index, .gesture, at: time)
    }
  }

  /// Gives programs what is theirs and nobody holds back.
  private func deliver(of changed: [TouchID], _ reason: CancelReason?, at time: Timestamp) {
    cancel(gestures.takeCancelled(), at: time)
    for index in fingers.indices where !fingers[index].isOver {
      let finger = fingers[index]
      if finger.parts.isEmpty { continue }
      let isOurs = changed.contains(finger.id)
      if finger.given == 0, isHeld(finger, \.delaysBegan) { continue }
      let isReplay = finger.given == 0
      for number in finger.given..<finger.history.count {
        let (phase, place, own) = finger.history[number]
        if phase == .ended, isHeld(finger, \.delaysEnded) { break }
        let isNow = isOurs && number == finger.history.count - 1
        var moved = finger
        moved.place = place
        let why = phase == .cancelled ? reason : nil
        for part in finger.parts
        where part.isActive && part.phases.contains(TouchPhases(phase)) {
          add(phase, why, isReplay && !isNow, own, of: moved, to: part.program)
        }
        fingers[index].given = number + 1
      }
      if isReplay { GesturePart.open(&fingers[index].parts, at: time) }
    }
  }

  private func isHeld(_ finger: Finger, _ holds: (SimulatedGesture) -> Bool) -> Bool {
    gestures.recognizers.contains {
      $0.state == .possible && $0.touches.contains(finger.id) && holds($0.gesture)
    }
  }

  private func add(
    _ phase: TouchPhase, _ reason: CancelReason?, _ isReplayed: Bool, _ time: Timestamp,
    of finger: Finger, to program: Int
  ) {
    records.append(
      Record(
        program: program, touch: finger.id, phase: phase, reason: reason, isReplayed: isReplayed,
        time: time, place: finger.place))
  }
}
