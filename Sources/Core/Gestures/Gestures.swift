package import TouchModel

/// The recognizers of all views and screens, and the touches that they have. Rules G1 to G16.
///
/// It knows no layout, client or clock: who gets a touch to see is said as the touch begins, and
/// time comes with what happens. A frame is ``take(_:)``, then ``begin(_:at:of:for:time:)`` of each
/// touch that begins, and ``decide(_:at:)`` where one did. What there is to tell is in ``events``:
/// the owner reads it and calls ``removeEvents(at:)``, until there is nothing left.
package struct Gestures: ~Copyable {
  /// What there is to tell, in the order in which it is to be told.
  package private(set) var events: ReusableArray<GestureEvent> = []

  private var recognizers = RecognizerList()
  private var arbiter = Arbiter()
  private(set) var devices: ContiguousArray<TrackedTouches> = []
  /// Whether there may be a touch that nobody knows any longer.
  private var needsSweep = false
  /// Touches that recognizers did not take since they waited for others, of those that began since
  /// this was emptied. Rule G7.
  package private(set) var refusals: ReusableArray<Refusal> = []

  /// Without recognizers.
  package init() {}

  /// These, in the order of the configuration.
  package init(_ entries: [RecognizerEntry]) { replace(entries) }

  // MARK: Who there is

  /// Goes over to others, in the order of the configuration. By their numbers, those that stay what
  /// they are go on as they are; those that go or change must have been cut short.
  package mutating func replace(_ entries: [RecognizerEntry]) {
    let before = recognizers
    recognizers = RecognizerList()
    arbiter = Arbiter()
    for entry in entries {
      let known = before.index(of: entry.id).map { before[$0] }
      recognizers.add(entry, goingOnAs: known)
      arbiter.insert(entry.description.kind, at: entry.index)
      if recognizers[entry.index].isActive { recognizers.activate(entry.index) }
    }
    for entry in entries { link(entry) }
    needsSweep = true
  }

  /// Adds a recognizer behind all others in the order of the configuration, or puts it in the place
  /// of the one of its number: what that has begun must have been cut short, unless it stays what
  /// it is.
  ///
  /// What that costs does not depend on the others, but for those that it names or that name it,
  /// and the taps of its view.
  package mutating func put(_ entry: RecognizerEntry) {
    if let index = recognizers.index(of: entry.id) {
      recognizers.replace(entry, at: index)
      arbiter.remove(at: index)
      arbiter.insert(entry.description.kind, at: index)
    } else {
      recognizers.add(entry)
      arbiter.insert(entry.description.kind, at: entry.index)
    }
    link(entry)
    needsSweep = true
  }

  /// Puts a recognizer in the place of the one of its number, as ``put(_:)`` does, where it names
  /// the same others, and the same name it. These may be thousands, and none is linked again.
  package mutating func change(_ entry: RecognizerEntry) {
    guard let index = recognizers.index(of: entry.id) else { return }
    recognizers.replace(entry, at: index)
    arbiter.change(entry.description.kind, at: index)
    needsSweep = true
  }

  /// Takes a recognizer away, if it is there; it must have been cut short.
  package mutating func remove(_ id: RecognizerID) {
    guard let index = recognizers.remove(id) else { return }
    arbiter.remove(at: index)
    needsSweep = true
  }

  /// Takes in how the view lies by now of the recognizer that is kept there.
  package mutating func turn(at index: Int, to orientation: Orientation) {
    recognizers[index].turn(to: orientation)
  }

  /// Takes in that views and screens have other numbers by now, by which entries tell them apart.
  package mutating func renumber(_ number: (_ owner: Int) -> Int) {
    recognizers.renumber(number)
  }

  /// The numbers of those that have a touch, or wait for a further tap, by rank.
  package var activeRecognizers: [RecognizerID] { recognizers.active.map { recognizers[$0].id } }

  /// Lets those go on that wait for nobody any more, as others were put or replaced. Rule G7.
  package mutating func reconsider(at time: Timestamp) {
    arbiter.decide(recognizers.all, recognizers.active, at: time, into: &events)
  }

  private mutating func link(_ entry: RecognizerEntry) {
    guard let index = recognizers.index(of: entry.id) else { return }
    for other in entry.after.compactMap(recognizers.index(of:)) {
      arbiter.link(index, after: other)
    }
    for other in entry.before.compactMap(recognizers.index(of:)) {
      arbiter.link(other, after: index)
    }
    for other in entry.simultaneous.compactMap(recognizers.index(of:)) {
      arbiter.link(index, beside: other)
    }
  }

  // MARK: A frame

  /// Whether no recognizer has a touch, or waits for one.
  package var isIdle: Bool { recognizers.active.isEmpty }

  /// Takes what a frame says of touches that have begun before, and lets recognizers decide on it.
  package mutating func take(_ frame: TouchFrame) {
    guard let table = knownTable(of: frame.device) else { return }
    for position in frame.touches.indices {
      let touch = frame.touches[position]
      switch touch.phase {
      case .moved: devices[table].move(touch.id, to: touch.location)
      case .ended:
        if let finger = devices[table].index(of: touch.id) { lift(finger, table, at: frame.time) }
      case .cancelled:
        cancel(touch.id, table, touch.cancelReason ?? .requested, at: frame.time)
      case .began, .stationary: break
      }
    }
    decide(table, at: frame.time)
  }

  /// Gives a touch that begins to those of `recognizers` that take it. Rule G2.
  ///
  /// - Parameters:
  ///   - touch: The touch.
  ///   - location: Where, in points of the screen.
  ///   - device: Whose it is.
  ///   - indices: Where those of the target, of its superviews and of the screen are of which
  ///     somebody gets the events.
  ///   - time: When it began.
  package mutating func begin(
    _ touch: TouchID, at location: Point, of device: DeviceID, for indices: ReusableArray<Int>,
    time: Timestamp
  ) {
    let table = table(of: device)
    var finger = devices[table].index(of: touch)
    var latest: Measure?
    for position in indices.indices {
      let index = indices[position]
      guard mayTakeTouches(index, of: device) else { continue }
      let wasActive = recognizers[index].isActive
      if wasActive, arbiter.isWaiting(index, recognizers.all) {
        refusals.append(Refusal(recognizer: recognizers[index].id, touch: touch))
        continue
      }
      finger = finger ?? devices[table].add(touch, at: location)
      guard let finger else { return }
      let fingers = recognizers[index].fingers.down.inserting(finger)
      let measure = measure(fingers, table, like: &latest)
      recognizers[index].land(finger, measure, in: devices[table], at: time)
      if !wasActive { recognizers.activate(index) }
    }
    needsSweep = needsSweep || finger != nil
  }

  /// Takes in that other clients than a recognizer's own may hear of a touch that has just begun:
  /// if the recognizer has it, it may hold it back for so many milliseconds. Rule G17.
  ///
  /// - Parameter index: Where the recognizer is.
  package mutating func share(
    _ touch: TouchID, of device: DeviceID, with index: Int, upTo limit: UInt64
  ) {
    guard let table = knownTable(of: device), let finger = devices[table].index(of: touch),
      recognizers[index].device == device
    else { return }
    recognizers[index].share(finger, upTo: limit)
  }

  /// Forgets which touches were not taken.
  package mutating func removeRefusals() { refusals.removeAll() }

  /// Takes a touch from the glass that no longer is one: what has begun with it is cancelled,
  /// what is possible fails. Rule G12.
  package mutating func cancel(
    _ touch: TouchID, of device: DeviceID, _ reason: CancelReason, at time: Timestamp
  ) {
    if let table = knownTable(of: device) { cancel(touch, table, reason, at: time) }
  }

  private mutating func cancel(
    _ touch: TouchID, _ table: Int, _ reason: CancelReason, at time: Timestamp
  ) {
    guard let finger = devices[table].index(of: touch) else { return }
    for index in recognizers.active where has(index, finger, of: devices[table].device) {
      recognizers[index].interrupt(.cancelled(reason), reason)
    }
    lift(finger, table, at: time)
  }

  /// Lets those recognize, change, end and fail that do with what happened to the touches of a
  /// device. Rules G5 to G7.
  package mutating func decide(_ device: DeviceID, at time: Timestamp) {
    if let table = knownTable(of: device) { decide(table, at: time) }
  }

  private mutating func decide(_ table: Int, at time: Timestamp) {
    if !devices[table].moved.isEmpty { move(table, at: time) }
    devices[table].rest()
    decide(at: time)
  }

  /// Shows the recognizers of a device how their fingers moved. Those of one chain mostly have the
  /// same fingers, which are measured once.
  private mutating func move(_ table: Int, at time: Timestamp) {
    let device = devices[table].device
    let moved = devices[table].moved
    var latest: Measure?
    for position in recognizers.active.indices {
      let index = recognizers.active[position]
      guard recognizers[index].device == device,
        recognizers[index].fingers.down.intersects(moved)
      else { continue }
      let measure = measure(recognizers[index].fingers.down, table, like: &latest)
      recognizers[index].move(measure, at: time)
    }
  }

  /// How fingers lie; the same ones as before are measured once.
  @inline(__always)
  private func measure(_ fingers: FingerSet, _ table: Int, like latest: inout Measure?) -> Measure {
    if let latest, latest.fingers == fingers { return latest }
    let measure = devices[table].measure(fingers, withTurns: recognizers.measuresTurns)
    latest = measure
    return measure
  }

  // MARK: Time and clients

  /// When ``advance(to:)`` must be called, though nothing happens; nil where time changes nothing.
  /// Rule G15.
  package var nextDeadline: Timestamp? {
    var next: Timestamp?
    for index in recognizers.active {
      if let deadline = recognizers[index].deadline {
        next = next.map { min($0, deadline) } ?? deadline
      }
      if let deadline = recognizers[index].holdDeadline {
        next = next.map { min($0, deadline) } ?? deadline
      }
    }
    return next
  }

  /// Takes in that it is that time, and that all events up to it have come. Rule G15. Where there
  /// is something to tell before others let go of what they hold back, it stops there: then
  /// ``nextDeadline`` is not beyond that time. Rule G17.
  package mutating func advance(to time: Timestamp) {
    while let deadline = nextDeadline, deadline <= time {
      var isDue = false
      for index in recognizers.active where recognizers[index].deadline == deadline {
        recognizers[index].advance(to: deadline)
        isDue = true
      }
      if !isDue {
        guard events.isEmpty else { return }
        letGo(at: deadline)
      }
      decide(at: deadline)
    }
  }

  /// Lets those fail that have held back others' touches for as long as they may. Rule G17.
  private mutating func letGo(at time: Timestamp) {
    for index in recognizers.active where recognizers[index].holdDeadline == time {
      recognizers[index].letGo(at: time)
    }
  }

  /// Cuts a recognizer short, as of ``decide(at:)``: it is cancelled where it has begun, and fails
  /// where it is possible. Of several none gains by the end of another. Rule G12.
  package mutating func interrupt(_ recognizer: RecognizerID, _ reason: CancelReason) {
    guard let index = recognizers.index(of: recognizer), recognizers[index].isActive else { return }
    recognizers[index].interrupt(.cancelled(reason), reason)
  }

  /// Cuts a recognizer short that is disabled, or made another one, as of ``decide(at:)``: it is
  /// cancelled, `requested`, where it has begun, and fails where it is possible.
  package mutating func disable(_ recognizer: RecognizerID) {
    guard let index = recognizers.index(of: recognizer), recognizers[index].isActive else { return }
    recognizers[index].interrupt(.disabled, .requested)
  }

  /// Cuts all short, and forgets their touches. Rule G12.
  package mutating func cancelAll(_ reason: CancelReason, at time: Timestamp) {
    for index in recognizers.active {
      recognizers[index].interrupt(.cancelled(reason), reason)
      guard let table = knownTable(of: recognizers[index].device) else { continue }
      let fingers = recognizers[index].fingers.down
      fingers.forEach { finger in
        var latest: Measure?
        lift(finger, table, from: index, like: &latest, at: time)
      }
    }
    decide(at: time)
  }

  /// Takes a client's word that it keeps a touch. Rule G8.
  package mutating func accept(_ touch: TouchID, of device: DeviceID, at time: Timestamp) {
    guard let table = knownTable(of: device), let finger = devices[table].lastIndex(of: touch)
    else { return }
    for index in recognizers.active
    where recognizers[index].device == device && recognizers[index].fingers.all.contains(finger)
      && recognizers[index].isPossible && !recognizers[index].description.hasPriority
    {
      recognizers[index].fail(.accepted)
    }
    decide(at: time)
  }

  // MARK: Asking

  /// Whether a recognizer has a touch, or waits for a further tap.
  package func isActive(_ recognizer: RecognizerID) -> Bool {
    recognizers.index(of: recognizer).map { recognizers[$0].isActive } ?? false
  }

  /// Whether the recognizer that is kept there has a touch, or waits for a further tap.
  package func isActive(at index: Int) -> Bool { recognizers[index].isActive }

  /// Calls `body` with each touch that a recognizer has: on the glass, or of the taps that led to
  /// where it is.
  package func forEachTouch(of recognizer: RecognizerID, _ body: (TouchID) -> Void) {
    guard let index = recognizers.index(of: recognizer) else { return }
    let recognizer = recognizers[index]
    guard let table = knownTable(of: recognizer.device) else { return }
    recognizer.fingers.all.forEach { body(devices[table][$0].id) }
  }

  /// One of the touches that a recognizer has; nil where it has none.
  package func firstTouch(of recognizer: RecognizerID) -> TouchID? {
    var first: TouchID?
    forEachTouch(of: recognizer) { first = first ?? $0 }
    return first
  }

  /// Whether the end of a touch is held back from clients. Rule G10.
  package func delaysEnd(of touch: TouchID, of device: DeviceID) -> Bool {
    contains(touch, of: device) { $0.isPossible && $0.description.delaysEnded }
  }

  /// Whether all of a touch is held back from clients: also for one that did not take it since it
  /// waited, and will, as its waiting has just ended. Rules G7 and G11.
  package func delaysBeginning(of touch: TouchID, of device: DeviceID) -> Bool {
    contains(touch, of: device) { $0.isPossible && $0.description.delaysBegan }
      || refusals.contains { $0.touch == touch && willDelay($0.recognizer) }
  }

  /// Whether one that did not take touches will take them with the frame at hand, and hold them
  /// back. Of more touches than it takes it fails, and holds none.
  private func willDelay(_ id: RecognizerID) -> Bool {
    guard let index = recognizers.index(of: id) else { return false }
    let recognizer = recognizers[index]
    let isOver = !recognizer.isPossible && recognizer.fingers.count == 0
    let description = recognizer.description
    guard isOver || !recognizer.isActive, description.delaysBegan, description.isEnabled else {
      return false
    }
    var count = 0
    for refusal in refusals where refusal.recognizer == id { count += 1 }
    return count <= description.touches.most
  }

  /// Whether the touch is for recognizers alone, since one of them that has it has recognized. Rule
  /// G9.
  package func isTaken(_ touch: TouchID, of device: DeviceID) -> Bool {
    contains(touch, of: device) { recognizer in
      recognizer.description.cancelsTouches && recognizer.state == .began
    }
  }

  /// Forgets what there was to tell, once it was read, and makes possible again those recognizers
  /// that nothing keeps. Where another one has waited for them there is more to tell.
  package mutating func removeEvents(at time: Timestamp) {
    events.removeAll()
    while resetIdle() {
      arbiter.decide(recognizers.all, recognizers.active, at: time, into: &events)
      if !events.isEmpty { break }
    }
    if needsSweep { sweep() }
  }

  // MARK: Inside

  /// Lets those end and fail that were cut short, and others go on for it.
  package mutating func decide(at time: Timestamp) {
    guard
      recognizers.active.contains(where: {
        recognizers[$0].hasNews || recognizers[$0].fingers.count == 0
      })
    else { return }
    arbiter.decide(recognizers.all, recognizers.active, at: time, into: &events)
  }

  /// Makes those possible again that nothing keeps. Returns whether others are left that may have
  /// waited for one of them.
  private mutating func resetIdle() -> Bool {
    var kept = 0
    for position in recognizers.active.indices {
      let index = recognizers.active[position]
      if recognizers[index].resetIfIdle() { continue }
      if kept < position { recognizers.active[kept] = index }
      kept += 1
    }
    guard kept < recognizers.active.count else { return false }
    recognizers.active.truncate(to: kept)
    needsSweep = true
    return kept > 0
  }

  /// Forgets the touches that no recognizer knows any more.
  private mutating func sweep() {
    needsSweep = false
    for table in devices.indices {
      var known = FingerSet()
      for index in recognizers.active where recognizers[index].device == devices[table].device {
        known.formUnion(recognizers[index].fingers.all)
      }
      devices[table].keep(known)
    }
  }

  private mutating func lift(_ finger: Int, _ table: Int, at time: Timestamp) {
    devices[table].lift(finger)
    var latest: Measure?
    let device = devices[table].device
    for position in recognizers.active.indices {
      let index = recognizers.active[position]
      if has(index, finger, of: device) {
        lift(finger, table, from: index, like: &latest, at: time)
      }
    }
  }

  private func lift(
    _ finger: Int, _ table: Int, from index: Int, like latest: inout Measure?, at time: Timestamp
  ) {
    let left = recognizers[index].fingers.down.removing(finger)
    let measure = left.isEmpty ? nil : measure(left, table, like: &latest)
    recognizers[index].lift(finger, measure, in: devices[table].frame, at: time)
  }

  private func has(_ index: Int, _ finger: Int, of device: DeviceID) -> Bool {
    recognizers[index].device == device && recognizers[index].fingers.down.contains(finger)
  }

  /// Whether a recognizer takes touches of a device, unless it waits. Rule G2.
  private func mayTakeTouches(_ index: Int, of device: DeviceID) -> Bool {
    recognizers[index].description.isEnabled
      && (!recognizers[index].isActive || recognizers[index].device == device)
  }

  private func contains(
    _ touch: TouchID, of device: DeviceID, where isMeant: (Recognizer) -> Bool
  ) -> Bool {
    guard let table = knownTable(of: device), let finger = devices[table].lastIndex(of: touch)
    else { return false }
    return recognizers.active.contains { index in
      recognizers[index].device == device && recognizers[index].fingers.all.contains(finger)
        && isMeant(recognizers[index])
    }
  }

  @inline(__always)
  private func knownTable(of device: DeviceID) -> Int? {
    for table in devices.indices where devices[table].device == device { return table }
    return nil
  }

  private mutating func table(of device: DeviceID) -> Int {
    if let table = knownTable(of: device) { return table }
    let isFull = devices.count >= Self.rememberedDevices
    if isFull, let idle = devices.firstIndex(where: \.isEmpty) {
      devices[idle] = TrackedTouches(of: device)
      return idle
    }
    devices.append(TrackedTouches(of: device))
    return devices.count - 1
  }

  /// Nobody tells of devices that are gone: where there are as many as this, one of which nothing
  /// is known is forgotten for a new one.
  private static let rememberedDevices = 64
}
