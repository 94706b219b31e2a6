import Wire
import Layout
import Routing
import TouchModel

/// Sections 3 and 4 of the rules as plainly as they can be written: touches and attachments in
/// dictionaries, everything looked up by path and worked out anew each time.
struct OracleRouter {
  var layout: OracleLayout
  let options: RouterOptions
  /// By path.
  var holders: [String: OracleAttachment] = [:]
  var touches: [TouchID: OracleTouch] = [:]
  /// Who asked to wait.
  var line = OracleLine()
  var stalled: Set<ClientID> = []
  /// What is dark and locked.
  var screens: OracleScreens
  /// Who is told that nobody touches anything.
  var idle = OracleIdle()
  var counters = Wire.Counters()
  /// Whether a rule or being root names a client for a path; nil where no rule is about it.
  var isNamed: (ClientID, String) -> Bool? = { _, _ in nil }
  /// In the order in which they first had a frame.
  var devices: [DeviceID] = []
  private var deviceTimes: [DeviceID: Timestamp] = [:]
  private var taps:
    [(device: DeviceID, target: String, place: Point, time: Timestamp, count: UInt16)] = []
  var nextAttachment: UInt32 = 1
  /// The number of the latest frame.
  var sequence: UInt64 = 0

  /// What each client has been told since the last time it was asked for.
  var said: [ClientID: [Said]] = [:]

  init(_ layout: OracleLayout, options: RouterOptions) {
    self.layout = layout
    self.options = options
    screens = OracleScreens(layout.layout.screens)
  }

  /// Another daemon goes on, which calls the clients by other names and knows of no touch; each is
  /// told where its responders are. Rule R9.
  mutating func restart(_ names: [ClientID: ClientID], at time: Timestamp) {
    touches = [:]
    screens.restart(names, at: time)
    idle.restart(names, at: time)
    stalled = []
    counters = Wire.Counters()
    devices = []
    deviceTimes = [:]
    taps = []
    line.rename(names)
    for (path, holder) in holders {
      holders[path]?.client = names[holder.client] ?? holder.client
    }
    for holder in holders.values.sorted(by: { $0.id.rawValue < $1.id.rawValue }) {
      said[holder.client, default: []].append(.layout(holder.id))
    }
  }

  /// Nothing was left to the daemon that goes on: its numbers begin again.
  mutating func countAnew() {
    nextAttachment = 1
    sequence = 0
  }

  // MARK: Frames

  mutating func route(_ frame: TouchFrame, flags: TouchFlags = []) {
    settle(at: frame.time)
    // What is due at the time of a frame comes behind it.
    screens.advance(to: Timestamp(microseconds: frame.time.microseconds - 1))
    screens.take(frame)
    noteActivity(frame, where: \.isFinal)
    sequence += 1
    open(frame.device, at: frame.time)
    for change in frame.touches {
      if change.phase == .began { begin(change, frame, flags) } else { apply(change) }
    }
    noteActivity(frame) { $0 == .began }
    say(of: frame.device)
    for (id, touch) in touches.sorted(by: { $0.key < $1.key }) where touch.device == frame.device {
      let lifted = touches.values.count { $0.device == frame.device && $0.isLifted }
      let isKept =
        touch.phase == .ended && touch.isOpen && !touch.isDead
        && lifted < options.maximumLiveTouches
      if touch.phase.isFinal, !isKept {
        touches[id] = nil
        continue
      }
      if touch.phase.isFinal { touches[id]?.isLifted = true }
      touches[id]?.phase = .stationary
      touches[id]?.previousPlace = touch.place
    }
  }

  private mutating func apply(_ change: Touch) {
    guard var touch = touches[change.id] else { return }
    touch.phase = change.phase
    touch.cancelReason = change.cancelReason
    touch.time = change.time
    touch.previousPlace = touch.place
    touch.place = change.location
    if change.phase == .moved, touch.isOpen {
      touch.keep(change.location, change.time, limit: options.maximumKeptMoves)
    }
    touches[change.id] = touch
    guard change.phase.isFinal, !touch.isDead else { return }
    if change.phase == .cancelled { return counters[.cancelled] += 1 }
    counters[.ended] += 1
    guard let target = touch.target, touch.discardReason == nil,
      touch.beganPlace.distance(to: touch.place) <= options.tapDistance
    else { return }
    let device = touch.device
    taps.removeAll {
      $0.device == device
        && touch.time > $0.time.adding(milliseconds: options.tapIntervalMilliseconds)
    }
    taps.append((device, target, touch.place, touch.time, touch.tapCount))
    guard taps.count(where: { $0.device == device }) > 32 else { return }
    if let oldest = taps.firstIndex(where: { $0.device == device }) { taps.remove(at: oldest) }
  }

  private mutating func begin(_ change: Touch, _ frame: TouchFrame, _ flags: TouchFlags) {
    counters[.began] += 1
    if flags.contains(.injected) { counters[.injected] += 1 }
    var touch = OracleTouch(
      id: change.id, device: frame.device, screen: frame.screen, ownFlags: flags,
      beganTime: change.time,
      beganPlace: change.location, time: change.time, place: change.location,
      previousPlace: change.location)
    let reason = reasonToKeepOut(&touch, at: frame.time) ?? reasonToDiscard(&touch, at: frame)
    touch.window = touch.target.map(layout.window(of:))
    if let reason {
      touch.discardReason = reason
      if let counter = Wire.Counter(reason) { counters[counter] += 1 }
    } else {
      counters[.delivered] += 1
      countTaps(&touch)
    }
    touches[change.id] = touch
  }

  /// Rules T8, F5, H7, T13 and R4, in this order.
  private func reasonToDiscard(
    _ touch: inout OracleTouch, at frame: TouchFrame
  ) -> DiscardReason? {
    let size = layout.layout.screens[Int(touch.screen.rawValue)].size
    if touch.place.x < 0 || touch.place.y < 0 || touch.place.x >= size.width
      || touch.place.y >= size.height
    {
      return .outsideScreen
    }
    let live = touches.values.filter(\.isLive)
    if live.count >= options.maximumLiveTouches { return .limit }
    guard let target = layout.hit(touch.place, touch.screen) else { return .noWindow }
    touch.target = target
    let view = layout.layout[layout.view(target)]
    if !view.multipleTouch, live.contains(where: { $0.target == target }) { return .singleTouch }
    for other in live.compactMap(\.target)
    where other != target && layout.window(of: other) == layout.window(of: target) {
      if view.exclusiveTouch || layout.layout[layout.view(other)].exclusiveTouch {
        return .exclusive
      }
    }
    let deadline = (deviceTimes[frame.device] ?? frame.time)
      .adding(milliseconds: options.decisionTimeoutMilliseconds)
    for path in layout.chain(of: target) {
      guard let holder = holders[path], !stalled.contains(holder.client),
        mayRead(target, holder.client)
      else { continue }
      touch.parts.append(
        OracleTouch.Part(
          attachment: holder, phases: [], standing: .waiting, deadline: deadline))
    }
    touch.grant()
    for index in touch.parts.indices where !touch.parts[index].gained.isEmpty {
      touch.parts[index].gained = []
      touch.parts[index].standing = .undecided
    }
    touch.couldGrow =
      options.decisionTimeoutMilliseconds > 0
      && touch.parts.contains { $0.phases != $0.attachment.handles }
    return touch.parts.contains { $0.phases.contains(.began) } ? nil : .unhandled
  }

  /// Whether a client may learn of a touch on a view. Rule F8.
  private func mayRead(_ target: String, _ client: ClientID) -> Bool {
    let isSecure = layout.securePaths.contains { $0 == target || target.hasPrefix($0 + "/") }
    if !isSecure { return true }
    if let isNamed = isNamed(client, target) { return isNamed }
    return holders[layout.window(of: target)]?.client == client
  }

  /// Cancels the touches for those who may no longer learn of them. Rule F8.
  mutating func reviewReaders(at time: Timestamp) {
    let before = self
    cancel(.requested, at: time) { touch, part in
      touch.target.map { !before.mayRead($0, part.attachment.client) } ?? false
    }
  }

  private mutating func countTaps(_ touch: inout OracleTouch) {
    let place = touch.place
    let (device, target, time) = (touch.device, touch.target, touch.time)
    let index = taps.lastIndex {
      $0.device == device && $0.target == target
        && time <= $0.time.adding(milliseconds: options.tapIntervalMilliseconds)
        && $0.place.distance(to: place) <= options.tapDistance
    }
    guard let index else { return }
    touch.tapCount = taps[index].count + 1
    taps.remove(at: index)
  }

  /// Forgets the taps on views that are no more.
  mutating func forgetTaps() { taps.removeAll { !layout.has($0.target) } }

  // MARK: Messages

  mutating func open(_ device: DeviceID, at time: Timestamp) {
    if !devices.contains(device) { devices.append(device) }
    deviceTimes[device] = max(deviceTimes[device] ?? time, time)
  }

  /// A record, the place of its attachment in the chain and the path of its target.
  private typealias Placed = (position: Int, record: Deliveries.Record, target: String)

  /// Rules T2 and T3: to each client for which something changed, all its live touches.
  mutating func say(of device: DeviceID) {
    let time = deviceTimes[device] ?? Timestamp(microseconds: 0)
    var records: [ClientID: [Placed]] = [:]
    for touch in touches.values where touch.device == device && !touch.isLifted {
      for (position, part) in touch.parts.enumerated() where part.isActive {
        var record = record(of: touch, part)
        if let reason = part.cancelReason {
          record.phase = .cancelled
          record.cancelReason = reason
          record.time = max(record.time, time)
        }
        guard part.phases.contains(TouchPhases(record.phase)) else { continue }
        records[part.attachment.client, default: []]
          .append((position, record, touch.target ?? ""))
      }
    }
    for (client, list) in records where list.contains(where: { $0.record.phase != .stationary }) {
      said[client, default: []].append(frame(of: device, time, list))
    }
  }

  /// The frame of the present number.
  private func frame(
    of device: DeviceID, _ time: Timestamp, _ list: [Placed]
  ) -> Said {
    let sorted = Self.sorted(list)
    return .frame(
      Said.Frame(
        sequence: sequence, device: device, time: time, records: sorted.map(\.record),
        paths: sorted.map(\.target)))
  }

  /// Rule R5: to each client that gained something of a touch, what there was of it.
  mutating func replay(_ touch: OracleTouch) {
    let time = deviceTimes[touch.device] ?? Timestamp(microseconds: 0)
    var ghost = touch
    ghost.ownFlags.insert(.replayed)
    ghost.cancelReason = nil
    var steps: [(TouchPhase, Point, Timestamp, Bool)] = [
      (.began, touch.beganPlace, touch.beganTime, false)
    ]
    steps += touch.moves.map { (.moved, $0.place, $0.time, $0.isCoalesced) }
    if touch.isLifted { steps.append((.ended, touch.place, touch.time, false)) }
    ghost.place = touch.beganPlace
    for (phase, place, stepTime, isCoalesced) in steps {
      ghost.phase = phase
      ghost.previousPlace = ghost.place
      ghost.place = place
      ghost.time = stepTime
      if isCoalesced {
        ghost.ownFlags.insert(.coalesced)
      } else {
        ghost.ownFlags.remove(.coalesced)
      }
      replay(ghost, at: time)
    }
  }

  private mutating func replay(_ ghost: OracleTouch, at time: Timestamp) {
    sequence += 1
    let bit = TouchPhases(ghost.phase)
    let gaining = Set(
      ghost.parts.filter { $0.gained.contains(bit) }.map(\.attachment.client))
    for client in gaining {
      var list: [Placed] = []
      for touch in touches.values where touch.device == ghost.device {
        for (position, part) in touch.parts.enumerated() where part.attachment.client == client {
          if touch.id == ghost.id, part.gained.contains(bit) {
            list.append((position, record(of: ghost, part), ghost.target ?? ""))
          } else if part.isActive, !touch.isLifted,
            part.phases.subtracting(part.gained).contains(.moved)
          {
            list.append((position, record(of: touch, part), touch.target ?? ""))
          }
        }
      }
      said[client, default: []].append(frame(of: ghost.device, time, list))
    }
  }

  private func record(of touch: OracleTouch, _ part: OracleTouch.Part) -> Deliveries.Record {
    let target = touch.target ?? ""
    var flags = touch.ownFlags
    if layout.isSecure(target) { flags.insert(.secure) }
    let targets = layout.targets(of: part.attachment.path)
    return Deliveries.Record(
      id: touch.id, time: touch.time, attachment: part.attachment.id,
      target: layout.view(target), targetIndex: UInt32(targets.firstIndex(of: target) ?? -1),
      // Whoever reads what is sent knows what it was told before.
      namesTarget: false, phase: touch.phase, cancelReason: touch.cancelReason, phases: part.phases,
      flags: flags,
      tapCount: touch.tapCount, screen: touch.screen,
      location: layout.convert(touch.place, to: target),
      previousLocation: layout.convert(touch.previousPlace, to: target),
      windowLocation: layout.convert(touch.place, to: layout.window(of: target)),
      screenLocation: touch.place)
  }

  private static func sorted(_ list: [Placed]) -> [Placed] {
    func rank(_ phase: TouchPhase) -> Int { phase.isFinal ? 0 : phase == .began ? 2 : 1 }
    return list.sorted { left, right in
      (rank(left.record.phase), left.record.id.rawValue, left.position)
        < (rank(right.record.phase), right.record.id.rawValue, right.position)
    }
  }
}
