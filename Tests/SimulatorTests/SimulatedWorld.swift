import CTouchroute
import Configuration
import EventLoop
import Glibc
import Layout
import Logging
import Routing
import TouchModel

@testable import Server
@testable import touchrouted

/// The daemon without its touchscreens (sequencer, router, checker, sessions and queues, as
/// `Exchange` strings them together), programs on real sockets, and the oracle. Whatever the daemon
/// carries out, the oracle does too; what the programs read must be what the oracle says.
///
/// Time is the world's own. Nothing in it depends on how fast it runs.
final class SimulatedWorld {
  private let loop: EventLoop
  let exchange: Exchange
  private var layouts: [(oracle: OracleLayout, configuration: Configuration)] = []
  /// Which of them is configured, and what programs have set beside it.
  private var configured = 0
  var settings: [OracleSetting] = []
  private let options: RouterOptions
  private let unresponsiveAfter: UInt64
  var oracle: OracleRouter
  private var oracleSequencer = OracleSequencer()
  /// What the devices have done since their events were last taken.
  private var events: ReusableArray<DeviceEvent> = []

  private var devices: [DeviceID] = []
  private var nextDevice: UInt32 = 1
  var programs: [Program?] = Array(repeating: nil, count: Step.clients + Step.injectors)
  /// The touchscreens that programs have made up.
  var injectors: [ClientID: OracleInjector] = [:]
  var lastInjector: UInt32 = 0
  private var observer: Program?
  /// Whether timers are going off.
  private var isAdvancing = false
  /// The frames that were said to anybody.
  private var frameCount = 0
  /// The fault found first.
  private(set) var fault: String?

  init(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var configuration = try Configuration.parse([("world", "[screen.a]\nsize = [1, 1]\n")])
    configuration.limits.attachments = 2 + generator.below(12)
    configuration.limits.touches = generator.oneIn(4) ? 4 : 256
    configuration.limits.queueBytes = 65_536
    configuration.touch.decisionTimeoutMilliseconds = [0, 50, 250, 1000][generator.below(4)]
    configuration.touch.unresponsiveAfterMilliseconds = [100, 500, 1000][generator.below(3)]
    unresponsiveAfter = UInt64(configuration.touch.unresponsiveAfterMilliseconds) * 1_000
    for _ in 0..<3 {
      let description = RandomLayout.make(using: &generator)
      for description in [description, RandomLayout.varied(description, using: &generator)] {
        let layout = try OracleLayout(description)
        configuration.layoutDescription = description
        configuration.layout = layout.layout
        layouts.append((layout, configuration))
      }
    }
    loop = try EventLoop(time: 1_000_000)
    exchange = try Exchange(
      layouts[0].configuration, loop: loop,
      logger: Logger(label: "world") { _ in SwiftLogNoOpLogHandler() })
    var options = exchange.router.options
    options.maximumKeptMoves = 1 + generator.below(6)
    exchange.router.options = options
    self.options = options
    oracle = OracleRouter(layouts[0].oracle, options: options)
    for _ in 0..<Step.devices { devices.append(takeDevice()) }
    listen()
    if generator.oneIn(4) {
      let control = try connect(.control)
      control.observe()
      observer = control
      pump()
    }
  }

  deinit {
    exchange.server.handler = nil
    exchange.server.stop()
  }

  private var now: UInt64 { loop.now }
  var time: Timestamp { Timestamp(microseconds: now) }
  /// The kernel's time of what a finger does is a little before the daemon hears of it.
  private var eventTime: Timestamp { Timestamp(microseconds: now - 137) }

  private func takeDevice() -> DeviceID {
    nextDevice += 1
    return DeviceID(nextDevice - 1)
  }

  func found(_ text: String) { fault = fault ?? text }

  /// Does the steps until a fault is found; returns what it is and at which step.
  func run(_ steps: [Step]) -> (step: Int, fault: String)? {
    for (index, step) in steps.enumerated() {
      advance(by: 1_000)
      take(step)
      settle()
      if let fault { return (index, fault) }
    }
    finish()
    return fault.map { (steps.count, $0) }
  }

  /// Lifts every finger, has every program read, and lets time pass: then nothing may be live or
  /// waited for, and nothing may be missing.
  private func finish() {
    for (index, device) in devices.enumerated() {
      for slot in -1..<Int32(Step.slots) { events.append(.up(device, slot: slot, time: eventTime)) }
      take(Step(.mark, index))
    }
    for case let program? in programs { program.isReading = true }
    for case let injector? in programs[Step.clients...] { injector.hangUp() }
    settle()
    advance(by: 2_000_000)
    settle()
    advance(by: 60_000_000)
    settle()
    for case let program? in programs where !program.isGone {
      program.stream.finish()
      if let fault = program.stream.fault { found("\(program.client): \(fault)") }
      if !program.asked.isEmpty { found("\(program.client) asked for \(program.asked) in vain") }
    }
    if exchange.router.pendingTouchCount != 0 || exchange.router.liveTouchCount != 0
      || exchange.checker.openCount != 0
    {
      found("something is live though every finger is lifted")
    }
    if exchange.router.nextDeadline != nil {
      found("something is waited for though all is over")
    }
    let server = exchange.server
    if server.messageCount + server.coalescedCount != UInt64(frameCount), !hasOverflowed {
      found("\(server.messageCount) messages, \(server.coalescedCount) merged of \(frameCount)")
    }
    server.reviewUnresponsive()
    if server.waitedFor != 0 || !server.readers.isEmpty || !server.unresponsive.isEmpty {
      found("somebody is waited for though all have read everything")
    }
  }

  private var hasOverflowed = false

  // MARK: - Steps

  private func take(_ step: Step) {
    let index = step[0] % Step.devices
    let place = step[0] % Step.clients
    switch step.kind {
    case .down, .motion, .up, .palm: events.append(event(step, devices[index], index))
    case .mark:
      events.append(.frame(devices[index], time: eventTime))
      takeEvents()
    case .tap:
      for kind in [Step.Kind.down, .up] {
        take(Step(kind, step[0], step[1], step[2], step[3]))
        take(Step(.mark, step[0]))
      }
    case .drag: drag(devices[index], frames: step[1])
    case .lost:
      events.append(
        .lost(
          devices[index], reason: step[1] == 0 ? .deviceRemoved : .suspended, time: eventTime))
      takeEvents()
      devices[index] = takeDevice()
    case .layout: reload(step[0] % layouts.count)
    case .wait: advance(by: UInt64(max(step[0], 0)) * 1_000)
    case .cancelAll, .cancel: askToCancel(step)
    case .inject: inject(step)
    case .unplug: programs[Step.clients + step[0] % Step.injectors]?.hangUp()
    case .attach: attach(step, place)
    default: if let program = programs[place] { act(step, program) }
    }
  }

  /// Frames of moves, faster than a program may read them.
  private func drag(_ device: DeviceID, frames: Int) {
    for frame in 0..<frames {
      advance(by: 1_000)
      for slot in 0..<Int32(Step.slots) where frame % 3 != slot {
        let point = Point(x: Double(frame * 5 % 200), y: Double(20 * (slot + 1)))
        events.append(.motion(device, slot: slot, location: point, time: eventTime))
      }
      events.append(.frame(device, time: eventTime))
      takeEvents()
    }
  }

  private func event(_ step: Step, _ device: DeviceID, _ index: Int) -> DeviceEvent {
    let slot = Int32(truncatingIfNeeded: step[1])
    let point = Point(x: Double(step[2]), y: Double(step[3]))
    return switch step.kind {
    case .down:
      .down(
        device, slot: slot, screen: ScreenIndex(index == 2 ? 1 : 0), location: point,
        time: eventTime)
    case .motion: .motion(device, slot: slot, location: point, time: eventTime)
    case .up: .up(device, slot: slot, time: eventTime)
    default: .cancel(device, slot: slot, reason: .palm, time: eventTime)
    }
  }

  /// The way of a touch: see `Exchange.take`.
  private func takeEvents() {
    exchange.take { $0 = events }
    for event in events { route(event) }
    events.removeAll()
    compareObservations()
    collect()
    exchange.endTurn()
  }

  /// The oracle's way of a touch.
  func route(_ event: DeviceEvent, flags: TouchFlags = []) {
    for frame in oracleSequencer.consume(event) { oracle.route(frame, flags: flags) }
  }

  private func reload(_ index: Int) {
    _ = exchange.apply(layouts[index].configuration)
    exchange.router.options = options
    configured = index
    settings = settings.filter { layouts[index].oracle.viewPaths.contains($0.change.path) }
    dropBeyondAreas()
    replaceLayout()
    takeBack()
    exchange.endTurn()
  }

  /// A window as it is configured.
  func configuredWindow(_ name: String) -> LayoutDescription.Window? {
    layouts[configured].configuration.layoutDescription.windows.first { $0.name == name }
  }

  /// Has the oracle put in force what is configured and set.
  func replaceLayout() {
    var layout = layouts[configured].oracle
    if !settings.isEmpty {
      let first = layouts[configured].configuration.layoutDescription
      var description = first
      for index in description.windows.indices {
        for setting in settings where setting.change.path == first.windows[index].name {
          setting.apply(
            to: &description.windows[index].properties,
            configured: first.windows[index].properties)
        }
      }
      for index in description.views.indices {
        for setting in settings where setting.change.path == first.views[index].path {
          setting.apply(
            to: &description.views[index].properties, configured: first.views[index].properties)
        }
      }
      do { layout = try OracleLayout(description) } catch { return found("\(error)") }
    }
    oracle.replace(layout, at: time)
    collect()
  }

  private func attach(_ step: Step, _ place: Int) {
    if programs[place] == nil {
      do { programs[place] = try connect(.client) } catch { found("connecting: \(error)") }
    }
    guard let program = programs[place] else { return }
    let handles = TouchPhases(rawValue: UInt16(step[2]))
    let passes = TouchPhases(rawValue: UInt16(step[3]))
    program.attach(
      AttachRequest(
        path: RandomLayout.paths[step[1] % RandomLayout.paths.count],
        handles: handles, passes: passes, takesOver: step[4] == 1, wantsHistory: step[5] == 1))
  }

  private func act(_ step: Step, _ program: Program) {
    switch step.kind {
    case .detach:
      guard !program.attachments.isEmpty else { return }
      program.detach(program.attachments[step[1] % program.attachments.count])
    case .accept, .decline:
      guard !program.begun.isEmpty else { return }
      let (touch, attachment) = program.begun[step[1] % program.begun.count]
      let opcode = step.kind == .accept ? TOUCHROUTE_ACCEPT : TOUCHROUTE_DECLINE
      program.decide(opcode, touch, attachment)
    case .set:
      let path = RandomLayout.paths[step[1] % RandomLayout.paths.count]
      program.set(ViewChange(path, OracleSetting.property(step[2], step[3])))
    case .leave: program.hangUp()
    case .stall: program.isReading = false
    case .drain: program.isReading = true
    case .nibble: if program.readOnce() { program.noteCaughtUp(at: now) }
    case .flood: program.flood(1 + step[1])
    case .babble: program.babble(step[1])
    default: break
    }
  }

  // MARK: - Time and turns

  private func advance(by microseconds: UInt64) {
    isAdvancing = true
    loop.advance(to: now + microseconds)
    isAdvancing = false
    oracle.settle(at: time)
  }

  /// Lets the daemon do all that it has to do without time passing.
  private func pump() {
    do { while try loop.runTurn(timeoutMicroseconds: 0) {} } catch { found("the loop: \(error)") }
  }

  /// Everybody does what is due: the daemon carries out requests, the programs read.
  private func settle() {
    pump()
    var isDone = false
    while !isDone {
      isDone = true
      for case let program? in programs where program.isDue && program.readOnce() {
        program.noteCaughtUp(at: now)
        isDone = false
      }
      if let observer { while observer.skim() { isDone = false } }
      if !isDone { pump() }
    }
    for place in programs.indices {
      guard let program = programs[place] else { continue }
      if let fault = program.stream.fault { found("\(program.client): \(fault)") }
      if program.isClosed { programs[place] = nil } else { checkReading(program) }
    }
    compare()
  }

  /// Rule F3: who leaves something unread for too long is unresponsive soon after.
  private func checkReading(_ program: Program) {
    guard !program.isReading, program.hasUnread else { return program.noteCaughtUp(at: now) }
    let since = program.unreadSince ?? now
    program.unreadSince = since
    if now > since + 2 * unresponsiveAfter, !program.isGone,
      !exchange.router.isUnresponsive(program.client)
    {
      found("\(program.client) reads nothing and is not unresponsive")
    }
  }

  // MARK: - What the daemon hears

  func connect(_ kind: SocketKind) throws -> Program {
    var pair: [Int32] = [0, 0]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    guard socketpair(AF_UNIX, type, 0, &pair) == 0 else {
      throw ServerError("can't make", "a socketpair", code: errno)
    }
    exchange.server.admit(pair[0], from: kind)
    // So that a socket is full after a few frames.
    Connection.setSendBuffer(pair[0], bytes: 2_304)
    let session = exchange.server.sessions.all.first { $0.descriptor == pair[0] }
    guard let session else { throw ServerError("can't admit", "a program", code: 0) }
    return Program(pair[1], client: session.id, at: now)
  }

  /// Has the oracle do what the daemon is asked, after it, in its order.
  private func listen() {
    let carryOut = exchange.server.handler
    exchange.server.handler = { [unowned self] event in
      oracle.settle(at: Timestamp(microseconds: isAdvancing ? now - 1 : now))
      carryOut?(event)
      hear(event)
    }
  }

  func program(_ client: ClientID) -> Program? {
    for case let program? in programs where program.client == client { return program }
    return nil
  }

  private func hear(_ event: Server.Event) {
    switch event {
    case .request(let token, let request):
      guard let program = program(token.client) else { return }
      guard let serial = program.isHeard(.request(request)) else {
        return found("\(token.client) is heard asking for \(request), and did not")
      }
      carryOut(request, of: program, serial)
    case .changes(let batches): change(batches)
    case .wentAway(let client):
      oracle.leave(client)
      removeInjector(of: client)
      takeBack()
      guard let program = program(client) else { return }
      program.isGone = true
      let session = exchange.server.sessions.all.first { $0.id == client }
      if session?.output.hasOverflowed == true { hasOverflowed = true }
      if !program.isClosed, !program.hasBabbled, !hasOverflowed {
        found("\(client) was disconnected: \(session?.ending ?? "")")
      }
    case .stoppedReading(let client):
      oracle.stall(client, at: time)
      collect()
      if let program = program(client), now < program.caughtUp + unresponsiveAfter {
        found("\(client) is unresponsive too early")
      }
    case .readsAgain(let client):
      oracle.stalled.remove(client)
      if let program = program(client), program.hasUnread {
        found("\(client) reads again, and has not")
      }
    }
  }

  private func carryOut(_ request: Request, of program: Program, _ serial: UInt32) {
    switch request {
    case .attach(let request):
      let result = oracle.attach(request, by: program.client, at: time)
      collect()
      switch result {
      case .success(let id):
        if request.wantsHistory { program.stream.withHistory.insert(id.rawValue) }
        program.stream.expect(.attached(serial: serial, id))
        takeBack()
      case .failure(let refusal):
        program.stream.expect(.refused(serial: serial, code: refusal.code.rawValue))
      }
    case .detach(let id):
      let isOwn = oracle.holders.values.contains { $0.id == id && $0.client == program.client }
      if isOwn { oracle.detach(id, at: time) }
      collect()
      takeBack()
      program.stream.expect(
        isOwn
          ? .done(serial: serial, total: 0)
          : .refused(serial: serial, code: TOUCHROUTE_ERROR_NOT_ATTACHED.rawValue))
    case .accept(let touch, let attachment):
      oracle.accept(touch, through: attachment, by: program.client)
    case .decline(let touch, let attachment):
      _ = oracle.decline(touch, through: attachment, by: program.client, at: time)
      collect()
    case .inject(let contacts, let screen):
      carryOut(inject: contacts, on: screen, of: program, serial)
    case .cancel(let touch): carryOut(cancel: touch, of: program, serial)
    default: found("a request that nobody made: \(request)")
    }
  }

  /// Hands what the oracle has said to the programs that are to read it.
  func collect() {
    guard !oracle.said.isEmpty else { return }
    for (client, said) in oracle.said {
      guard let program = program(client) else {
        found("the oracle speaks to \(client), which is gone")
        continue
      }
      for entry in said { program.stream.expect(item(entry)) }
    }
    oracle.said.removeAll(keepingCapacity: true)
  }

  private func item(_ said: Said) -> ProgramStream.Item {
    switch said {
    case .frame(let frame):
      frameCount += 1
      let layout = oracle.layout.layout
      return .frame(
        ProgramStream.Frame(
          said: frame,
          paths: frame.records.map { $0.phase == .began ? layout.path(of: $0.target) : "" }))
    case .layout(let id): return .layout(id, generation: exchange.router.generation)
    case .detached(let id, let reason): return .detached(id, reason)
    }
  }
}
