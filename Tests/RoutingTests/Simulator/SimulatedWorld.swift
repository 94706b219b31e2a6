import Layout
import Routing
import TouchModel

/// The real sequencer, router and checker beside the oracle's, with everything that can happen to
/// them: each step is done to both, and what they say and count must be the same.
struct SimulatedWorld {
  let seed: UInt64
  private var layouts: [OracleLayout] = []
  private var now: UInt64 = 1_000_000
  private var sequencer = TouchSequencer()
  private var router: Router
  private var checker = StreamChecker()
  private var deliveries = Deliveries()
  private var oracleSequencer = OracleSequencer()
  private var oracle: OracleRouter

  private var devices: [DeviceID] = []
  private var nextDevice: UInt32 = 1
  private var clients: [ClientID] = []
  /// What began for each client, latest first: what it may accept or decline, early, late or twice.
  private var begun: [[(touch: TouchID, attachment: AttachmentID)]]
  /// The fault found first.
  private(set) var fault: String?

  init(seed: UInt64) throws {
    self.seed = seed
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<3 {
      let description = RandomLayout.make(using: &generator)
      layouts.append(try OracleLayout(description))
      layouts.append(
        try OracleLayout(RandomLayout.varied(description, using: &generator)))
    }
    var options = RouterOptions()
    options.maximumAttachmentsPerClient = 2 + generator.below(12)
    options.maximumLiveTouches = generator.oneIn(4) ? 4 : 256
    options.maximumKeptMoves = 1 + generator.below(6)
    options.decisionTimeoutMilliseconds = [0, 50, 250, 1000][generator.below(4)]
    router = Router(layout: layouts[0].layout, options: options)
    router.isObserved = generator.oneIn(2)
    oracle = OracleRouter(layouts[0], options: options)
    begun = Array(repeating: [], count: Step.clients)
    for _ in 0..<Step.devices { devices.append(takeDevice()) }
    for slot in 0..<Step.clients { clients.append(ClientID(slot: UInt32(slot), generation: 1)) }
  }

  private var time: Timestamp { Timestamp(microseconds: now) }

  private mutating func takeDevice() -> DeviceID {
    nextDevice += 1
    return DeviceID(nextDevice - 1)
  }

  /// Does the steps until a fault is found; returns what it is and at which step.
  mutating func run(_ steps: [Step]) -> (step: Int, fault: String)? {
    for (index, step) in steps.enumerated() {
      now += 1000
      take(step)
      compare()
      if let fault { return (index, fault) }
    }
    finish()
    return fault.map { (steps.count, $0) }
  }

  /// Lifts every finger and lets time pass: then nothing may be live or waited for.
  private mutating func finish() {
    for (index, device) in devices.enumerated() {
      for slot in -1..<Int32(Step.slots) { feed(.up(device, slot: slot, time: time)) }
      take(Step(.mark, index))
    }
    now += 2_000_000
    router.advance(to: time)
    oracle.settle(at: time)
    compare()
    if router.pendingTouchCount != 0 || router.liveTouchCount != 0 || checker.openCount != 0 {
      found("something is live though every finger is lifted")
    }
    if router.nextDeadline != nil { found("something is waited for though all is over") }
  }

  private mutating func found(_ text: String) { fault = fault ?? text }

  // MARK: Steps

  private mutating func take(_ step: Step) {
    let index = step[0] % Step.devices
    let client = clients[step[0] % Step.clients]
    switch step.kind {
    case .down, .motion, .up, .palm, .mark: feed(event(step, devices[index], index))
    case .lost:
      feed(.lost(devices[index], reason: step[1] == 0 ? .deviceRemoved : .suspended, time: time))
      devices[index] = takeDevice()
    case .attach: attach(step, client)
    case .detach: detach(step, client)
    case .leave:
      drain()
      router.clientWentAway(client)
      checker.clientWentAway(client)
      oracle.leave(client)
      clients[step[0] % Step.clients].generation += 1
      begun[step[0] % Step.clients] = []
    case .accept, .decline: decide(step, client)
    case .stall, .drain:
      router.setUnresponsive(client, step.kind == .stall, at: time, into: &deliveries)
      if step.kind == .stall {
        oracle.stall(client, at: time)
      } else {
        oracle.stalled.remove(client)
      }
    case .layout:
      let layout = layouts[step[0] % layouts.count]
      router.replaceLayout(layout.layout, at: time, into: &deliveries)
      oracle.replace(layout, at: time)
    case .cancelAll:
      router.cancelAll(.requested, at: time, into: &deliveries)
      oracle.cancel(.requested, at: time) { _, _ in true }
    case .cancel:
      let live = oracle.touches.values.filter(\.isLive).map(\.id).sorted()
      guard !live.isEmpty else { return }
      let touch = live[step[0] % live.count]
      router.cancel(touch, at: time, into: &deliveries)
      oracle.cancel(.requested, at: time) { other, _ in other.id == touch }
    case .wait:
      now += UInt64(max(step[0], 0)) * 1000
      router.advance(to: time)
      oracle.settle(at: time)
    }
  }

  private func event(_ step: Step, _ device: DeviceID, _ index: Int) -> DeviceEvent {
    let slot = Int32(truncatingIfNeeded: step[1])
    let point = Point(x: Double(step[2]), y: Double(step[3]))
    switch step.kind {
    case .down:
      return .down(
        device, slot: slot, screen: ScreenIndex(index == 2 ? 1 : 0), location: point, time: time)
    case .motion: return .motion(device, slot: slot, location: point, time: time)
    case .up: return .up(device, slot: slot, time: time)
    case .palm: return .cancel(device, slot: slot, reason: .palm, time: time)
    default: return .frame(device, time: time)
    }
  }

  private mutating func feed(_ event: DeviceEvent) {
    var frames: [TouchFrame] = []
    sequencer.consume(event) { frame in
      frames.append(frame)
      checker.note(frame)
      router.route(frame, into: &deliveries)
    }
    let expected = oracleSequencer.consume(event)
    if frames != expected { found("frames: \(frames)\nexpected: \(expected)") }
    for frame in expected { oracle.route(frame) }
  }

  private mutating func attach(_ step: Step, _ client: ClientID) {
    let request = AttachRequest(
      path: RandomLayout.paths[step[1] % RandomLayout.paths.count],
      handles: TouchPhases(rawValue: UInt16(step[2])),
      passes: TouchPhases(rawValue: UInt16(step[3])), takesOver: step[4] == 1)
    let expected = oracle.attach(request, by: client, at: time)
    do throws(RoutingError) {
      let attachment = try router.attach(request, by: client, at: time, into: &deliveries)
      drain()
      checker.attached(attachment.id, to: client)
      if expected != .success(attachment.id) { found("attached, expected \(expected)") }
    } catch {
      if expected != .failure(OracleRouter.Refusal(code: error.code)) {
        found("refused: \(error); expected \(expected)")
      }
    }
  }

  private mutating func detach(_ step: Step, _ client: ClientID) {
    let own = oracle.holders.values.filter { $0.client == client }.map(\.id)
      .sorted { $0.rawValue < $1.rawValue }
    guard !own.isEmpty else { return }
    let attachment = own[step[1] % own.count]
    drain()
    do throws(RoutingError) {
      try router.detach(attachment, by: client, at: time, into: &deliveries)
    } catch { found("not detached: \(error)") }
    oracle.detach(attachment, at: time)
    drain()
    checker.detached(attachment)
  }

  private mutating func decide(_ step: Step, _ client: ClientID) {
    let known = begun[step[0] % Step.clients]
    guard !known.isEmpty else { return }
    let (touch, attachment) = known[step[1] % known.count]
    if step.kind == .accept {
      router.accept(touch, through: attachment, by: client)
      return oracle.accept(touch, through: attachment, by: client)
    }
    drain()
    let isOut = router.decline(
      touch, through: attachment, by: client, at: time, into: &deliveries)
    if isOut { checker.declined(touch, through: attachment) }
    if oracle.decline(touch, through: attachment, by: client, at: time) != isOut {
      found("declining touch \(touch.rawValue) gave \(isOut)")
    }
  }

  // MARK: Comparing

  /// What the router has said, by client; empties ``deliveries`` once checked.
  private var actual: [ClientID: [Said]] = [:]

  private mutating func drain() {
    checker.check(deliveries) { _ in }
    if let violation = checker.latestViolation { found("violation: \(violation)") }
    for observation in deliveries.observations {
      for record in observation.records where record.phase == .began { compareChain(record) }
    }
    for entry in deliveries.entries {
      switch entry {
      case .frame(let frame):
        let records = Array(deliveries.records[frame.records])
        actual[frame.client, default: []].append(.frame(frame.device, frame.time, records))
        for record in records where record.phase == .began {
          begun[Int(frame.client.slot)].insert((record.id, record.attachment), at: 0)
        }
        begun[Int(frame.client.slot)] = Array(begun[Int(frame.client.slot)].prefix(6))
      case .layout(let client, let attachment):
        actual[client, default: []].append(.layout(attachment))
      case .detached(let client, let attachment, let reason):
        actual[client, default: []].append(.detached(attachment, reason))
      }
    }
    deliveries.removeAll()
  }

  /// What observers are told of a touch's chain is what was delivered: to those that it names, and
  /// to nobody else. In a secure view less is told.
  private mutating func compareChain(_ observed: Observation.Record) {
    guard !observed.flags.contains(.secure), !observed.flags.contains(.replayed) else { return }
    let named = observed.chain.filter { $0.phases.contains(.began) }.compactMap(\.attachment)
    let told = deliveries.records.filter { $0.id == observed.id && $0.phase == .began }
      .filter { !$0.flags.contains(.replayed) }.map(\.attachment)
    if Set(told) != Set(named) || told.isEmpty != (observed.discardReason != nil) {
      found("observers are told \(named) of touch \(observed.id), clients are \(told)")
    }
  }

  private mutating func compare() {
    drain()
    if actual != oracle.said {
      found("said: \(actual)\nexpected: \(oracle.said)")
    }
    actual.removeAll()
    oracle.said.removeAll()
    if router.counters != oracle.counters {
      found("counters: \(router.counters)\nexpected: \(oracle.counters)")
    }
    if router.nextDeadline != oracle.nextDeadline {
      found(
        "deadline: \(String(describing: router.nextDeadline)), "
          + "expected \(String(describing: oracle.nextDeadline))")
    }
    let counters = router.counters
    let over = counters.ended + counters.cancelled + counters.orphaned
    if counters.began != over + UInt64(router.pendingTouchCount) {
      found("began is not ended + cancelled + orphaned + pending: \(counters)")
    }
    if counters.began != counters.delivered + counters.discarded - counters[.declined] {
      found("began is not delivered + discarded: \(counters)")
    }
    if sequencer.strayEventCount != oracleSequencer.strays { found("stray events") }
    if router.liveTouchCount != oracle.touches.values.count(where: \.isLive) {
      found("live touches")
    }
  }
}
