import CTouchroute
import Configuration
import EventLoop
import Glibc
import Layout
import Logging
import Routing
import TestSupport
import TouchModel
import Wire
import Server
import Exchange

/// The daemon without libinput (mapping of touchscreens, sequencer, router, checker, sessions and
/// queues, as `Exchange` strings them together), programs on real sockets, and the oracle. Whatever
/// the daemon carries out, the oracle does too; what the programs read must be what the oracle
/// says.
///
/// Time is the world's own. Nothing in it depends on how fast it runs.
final class SimulatedWorld: ServerDelegate, TransactionObserver {
  private let world: RandomWorld
  private var loop: EventLoop
  private(set) var exchange: Exchange
  /// What is configured, and what programs have set over it.
  var settings: OracleSettings
  /// The clients that are gone, by the names that this daemon had for them.
  var left: Set<ClientID> = []
  /// How many views were there that were added through each attachment, as programs were told.
  var knownCounts: [AttachmentID: Int] = [:]
  var oracle: OracleRouter
  var oracleSequencer = OracleSequencer()
  private var touchscreens: SimulatedTouchscreens
  var programs: SimulatedPrograms
  /// The touchscreens that programs have made up.
  var injectors = OracleInjectors()
  private var observer: Program?
  /// A client that the daemon has found to be gone and has forgotten, but has not reported yet.
  /// Only the simulator puts a change in force in between.
  private(set) var gone: ClientID?
  /// Whether rights are reviewed because other views are secure.
  var reviewsSecrets = false
  /// Whether timers are going off.
  private var isAdvancing = false
  /// The numbers of the layouts from before to after what the daemon did last.
  private var generations: ClosedRange<UInt32> = 0...0
  /// Whether the daemon was asked for anything, or a program has read, that is yet to be compared.
  var isChanged = true
  /// The change that a thread makes, so that the layout before it is in force still. Rule F1.
  private var change: (since: UInt32, stepsLeft: Int)?
  /// What the daemon does, in order, while it does something: the oracle does it behind that.
  private var done: [(what: Done, generation: UInt32)]?
  /// For how many steps a thread makes a change; 0 where it is in force at once.
  private var changeSteps: Int
  /// The frames that were said to anybody.
  private var frameCount = 0

  /// What the daemon has done.
  private enum Done {
    case event(Server.Event)
    /// Requests that change views, as one transaction's.
    case requests([(token: RequestToken, request: Request)])
  }

  /// The bug found first.
  private(set) var bug: String?

  init(seed: UInt64, of kind: SimulationSettings.Kind) throws {
    world = try RandomWorld(seed: seed, of: kind)
    let first = world.configurations[0]
    settings = OracleSettings(first)
    touchscreens = SimulatedTouchscreens(first.mountings)
    changeSteps = world.changeSteps
    oracle = OracleRouter(first.layout, options: world.options)
    programs = SimulatedPrograms(users: world.users)
    loop = try EventLoop(time: 1_000_000)
    exchange = try Self.exchange(first, of: world, on: loop)
    listen()
    oracle.isNamed = { [unowned self] in isNamed($0, at: $1) }
    if world.isObserved {
      let control = try SimulatedPrograms.connect(.control, world.users[0], to: exchange)
      control?.observe()
      observer = control
      pump()
    }
  }

  deinit {
    exchange.server.delegate = nil
    exchange.server.stop()
  }

  private static func exchange(
    _ configured: SimulatedConfiguration, of world: RandomWorld, on loop: EventLoop
  ) throws -> Exchange {
    let exchange = try Exchange(
      configured.configuration, loop: loop,
      quickMicroseconds: world.hasThread ? 0 : Exchange.quickMicroseconds,
      logger: Logger(label: "world") { _ in SwiftLogNoOpLogHandler() })
    exchange.update { $0.options = world.options }
    return exchange
  }

  /// Another daemon, with nothing yet, takes the place of the one that was there, which is
  /// returned.
  func replaceDaemon() throws -> Exchange {
    let (before, beforeLoop) = (exchange, loop)
    before.server.delegate = nil
    before.observer = nil
    loop = try EventLoop(time: beforeLoop.now)
    exchange = try Self.exchange(settings.configured, of: world, on: loop)
    touchscreens.restart(settings.configured.mountings)
    frameCount = 0
    listen()
    return before
  }

  private var now: UInt64 { loop.now }
  var time: Timestamp { Timestamp(microseconds: now) }
  /// The kernel's time of what a finger does is a little before the daemon hears of it.
  private var eventTime: Timestamp { Timestamp(microseconds: now - 137) }

  func found(_ text: String) { bug = bug ?? text }

  /// Does the steps until a bug is found; returns what it is and at which step.
  func run(_ steps: [Step]) -> (step: Int, bug: String)? {
    for (index, step) in steps.enumerated() {
      advance(by: 1_000)
      goOnChanging(before: step)
      take(step)
      if (index + 1).isMultiple(of: world.stepsInTurn) { settle() }
      if let bug { return (index, bug) }
    }
    finish()
    return bug.map { (steps.count, $0) }
  }

  /// Lifts every finger, has every program read, and lets time pass: then nothing may be live or
  /// waited for, and nothing may be missing.
  private func finish() {
    endChange()
    changeSteps = 0
    for index in 0..<Step.devices {
      touchscreens.liftAll(index, at: eventTime)
      takeEvents()
    }
    for program in programs.all {
      program.sendRest()
      program.isReading = true
    }
    settle()
    for program in programs.allBadOrInjecting { program.hangUp() }
    settle()
    advance(by: 2_000_000)
    settle()
    advance(by: 60_000_000)
    settle()
    for program in programs.all where !program.isGone { checkLast(program) }
    checkRest()
  }

  private func checkRest() {
    if exchange.pipeline.router.pendingTouchCount != 0
      || exchange.pipeline.router.liveTouchCount != 0
      || exchange.pipeline.checker.openCount != 0
    {
      found("something is live though every finger is lifted")
    }
    if exchange.pipeline.router.nextDeadline != nil {
      found("something is waited for though all is over")
    }
    let server = exchange.server
    let (sent, merged) = (server.counters[.messages], server.counters[.coalesced])
    let count = sent + merged
    if count != UInt64(frameCount), !programs.hasOverflowed {
      found("\(sent) messages, \(merged) merged of \(frameCount)")
    }
    server.reviewUnresponsive()
    if exchange.sessions.isWaiting {
      found("somebody is waited for though all have read everything")
    }
  }

  // MARK: - Steps

  func take(_ step: Step) {
    let index = step[0] % Step.devices
    let place = step[0] % Step.programs
    switch step.kind {
    case .down, .motion, .up, .palm: touchscreens.take(step, at: eventTime)
    case .mark:
      touchscreens.mark(index, at: eventTime)
      takeEvents()
    case .tap:
      for kind in [Step.Kind.down, .up] {
        take(Step(kind, step[0], step[1], step[2], step[3]))
        take(Step(.mark, step[0]))
      }
    case .drag: drag(index, frames: step[1])
    case .lost:
      touchscreens.lose(index, step[1] == 0 ? .deviceRemoved : .suspended, at: eventTime)
      takeEvents()
    case .layout: reload(world.configurations[step[0] % world.configurations.count])
    case .wait:
      // Who reads has read before.
      settle()
      advance(by: UInt64(max(step[0], 0)) * 1_000)
    case .restart: restart()
    case .cancelAll, .cancel: askToCancel(step)
    case .inject: inject(step)
    case .unplug: programs[Step.programs + step[0] % Step.injectors]?.hangUp()
    case .attach: attach(step, place)
    case .comeBack: comeBack(place)
    case .seize: seize(step[1], place)
    case .half, .cutOff, .hoard:
      if let program = program(at: place, .client) { doMischief(step, program) }
    case .taps, .corners, .press: rest(step, index)
    case .power, .answer, .watchScreens, .lock, .unlock, .watchIdle, .unwatchIdle, .inhibit:
      askOfScreens(step)
    default: if let program = programs[place] { act(step, program) }
    }
  }

  /// Frames of moves, faster than a program may read them.
  private func drag(_ index: Int, frames: Int) {
    for frame in 0..<frames {
      advance(by: 1_000)
      touchscreens.drag(index, frame: frame, at: eventTime)
      takeEvents()
    }
  }

  /// The way of a touch: see `Exchange.take`.
  private func takeEvents() {
    exchange.take(touchscreens.events)
    for event in touchscreens.expected { route(event) }
    touchscreens.removeEvents()
    compareObservations()
    collect()
    exchange.endTurn()
    // What is due already is due in a turn of its own.
    if world.hasScreens { advance(by: 0) }
  }

  /// The oracle's way of a touch.
  func route(_ event: DeviceEvent, flags: TouchFlags = []) {
    for frame in oracleSequencer.consume(event) { oracle.route(frame, flags: flags) }
  }

  private func reload(_ next: SimulatedConfiguration) {
    let before = exchange.pipeline.router.generation
    noting { _ = exchange.apply(next.configuration) }
    noteChange(since: before)
    exchange.update { $0.options = world.options }
    touchscreens.mount(next.mountings)
    let old = settings.configured.configuration
    settings.move(to: next)
    // Other rules for access alone leave the layout to the review of rights.
    let isLaidOutAnew =
      old.layoutDescription != next.configuration.layoutDescription
      || old.gestures != next.configuration.gestures
    if isLaidOutAnew { _ = uncover() }
    replaceLayout()
    var secrets = Set(oracle.layout.securePaths)
    reviewRights()
    reviewScreens()
    // Nobody is given what is about to change.
    _ = endUnsecured(notIn: &secrets)
    serveLine()
    keepSecureViews(notIn: secrets)
    followViews()
    hearDone(since: before)
    exchange.endTurn()
  }

  private func attach(_ step: Step, _ place: Int) {
    guard let program = program(at: place, .client) else { return }
    let handles = TouchPhases(rawValue: UInt16(step[2]))
    let passes = TouchPhases(rawValue: UInt16(step[3]))
    program.attach(
      AttachRequest(
        path: RandomLayout.paths[step[1] % RandomLayout.paths.count],
        handles: handles, passes: passes, takesOver: step[4] == 1, wantsHistory: step[5] == 1,
        waits: step[6] == 1))
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
      program.set(ViewChange(path, ViewChange.Property(step[2], step[3])))
    case .views:
      guard !program.attachments.isEmpty else { return }
      let attachment = program.attachments[step[1] % program.attachments.count]
      program.change(Self.views(step, through: attachment))
    case .leave: program.hangUp()
    case .stall: program.isReading = false
    case .drain:
      program.isReading = true
      settle()
    case .nibble: if program.readOnce() { program.noteCaughtUp(at: now) }
    case .flood: program.flood(1 + step[1])
    case .babble: program.babble(step[1])
    default: doMischief(step, program)
    }
  }

  // MARK: - Time and turns

  func advance(by microseconds: UInt64) {
    isAdvancing = true
    loop.advance(to: now + microseconds)
    isAdvancing = false
    finishUnasked()
    oracle.advance(to: time)
    collect()
  }

  /// Lets the daemon do all that it has to do without time passing.
  private func pump() {
    do { while try loop.runTurn(timeoutMicroseconds: 0) {} } catch { found("the loop: \(error)") }
    // What was left to a turn of its own.
    loop.advance(to: now)
    finishUnasked()
  }

  /// Everybody does what is due: the daemon carries out requests, the programs read.
  func settle() {
    pump()
    var isDone = false
    while !isDone {
      isDone = true
      for program in programs.due where program.readOnce() {
        program.noteCaughtUp(at: now)
        (isDone, isChanged) = (false, true)
      }
      if let observer { while observer.skim() { isDone = false } }
      if !isDone { pump() }
    }
    for program in programs.all {
      if let bug = program.stream.bug { found("\(program.client): \(bug)") }
      if !program.isClosed { checkReading(program) }
    }
    programs.removeClosed()
    for program in programs.all { checkNotices(program) }
    compare()
  }

  /// Rule F3: who leaves something unread for too long is unresponsive soon after.
  private func checkReading(_ program: Program) {
    guard !program.isReading, program.hasUnread else { return program.noteCaughtUp(at: now) }
    let since = program.unreadSince ?? now
    program.unreadSince = since
    if now > since + 2 * world.unresponsiveAfter, !program.isGone,
      !exchange.pipeline.router.isUnresponsive(program.client)
    {
      found("\(program.client) reads nothing and is not unresponsive")
    }
  }

  // MARK: - What the daemon hears

  /// The program of that place, which comes when it is wanted, and may.
  func program(at place: Int, _ kind: SocketKind) -> Program? {
    do { try programs.bring(place, kind, to: exchange) } catch { found("connecting: \(error)") }
    return programs[place]
  }

  /// Hears of all that the daemon does.
  private func listen() {
    exchange.server.delegate = self
    exchange.observer = self
  }

  /// Until when the daemon has done what is due for touches. Timers of one moment go off in any
  /// order, and one may find that a program is gone: also before what a report of long ago has made
  /// due in the past.
  private var timeOfTouches: Timestamp {
    guard let due = oracle.nextDeadline, due <= time else { return time }
    let isDone = exchange.pipeline.router.nextDeadline.map { $0 > time } ?? true
    return isDone ? time : Timestamp(microseconds: due.microseconds - 1)
  }

  /// Has the daemon do what it is asked, and the oracle after it.
  func handle(_ event: Server.Event) {
    if let done {
      // It happens within something else, of which what is done so far comes before it.
      if !done.isEmpty { note(.event(event)) }
      exchange.handle(event)
      if done.isEmpty { hear(event) }
      return
    }
    if !event.leavesLayout {
      if case .wentAway(let client) = event { gone = client }
      finishChange()
      gone = nil
    }
    oracle.advance(to: timeOfTouches, now: time)
    let before = exchange.pipeline.router.generation
    noting { exchange.handle(event) }
    done?.insert((.event(event), before), at: 0)
    if change == nil, exchange.isChanging, mayWait(for: event), done?.count == 1 {
      change = (before, changeSteps)
    }
    // So that a world goes on as by its seed, however fast a thread is.
    if change == nil { exchange.finishChanges(servesClients: false) }
    hearDone(since: before)
  }

  func carriedOut(_ requests: [(token: RequestToken, request: Request)]) {
    if done != nil { return note(.requests(requests)) }
    // A timer has had them carried out.
    noteChange(since: generations.upperBound)
    hear(requests)
    reviewIdle()
  }

  /// Has the daemon do something, and takes note of what it does, for ``hearDone(since:)``.
  private func noting(_ work: () -> Void) {
    done = []
    work()
  }

  private func note(_ what: Done) {
    done?.append((what, exchange.pipeline.router.generation))
  }

  /// Has the oracle do what the daemon has done. What came of each is in force behind the one
  /// before it, and before the next but one.
  private func hearDone(since generation: UInt32) {
    let all = done ?? []
    done = nil
    for (index, one) in all.enumerated() {
      let first = index > 0 ? all[index - 1].generation : generation
      let last =
        index + 1 < all.count ? all[index + 1].generation : exchange.pipeline.router.generation
      note(generations: first...max(first, last))
      switch one.what {
      case .event(let event): hear(event)
      case .requests(let requests): hear(requests)
      }
    }
    reviewIdle()
  }

  /// Whether a thread may take some steps for a change that a client asks for. Not where the client
  /// has hung up: the daemon takes back what such a client asks for as it is in force, and not as
  /// the client goes.
  private func mayWait(for event: Server.Event) -> Bool {
    guard case .wantsChange(let client) = event, changeSteps > 0, let program = programs[client]
    else { return false }
    return !program.isClosed && !program.isBad
  }

  /// A step begins while a thread makes a change: some steps later that is in force.
  private func goOnChanging(before step: Step) {
    guard let stepsLeft = change?.stepsLeft else { return }
    change?.stepsLeft -= 1
    let endsSomething = step.kind == .layout || !step.isGood
    if stepsLeft <= 1 || endsSomething { endChange() }
  }

  /// The change that a thread makes is in force, and the oracle does the same; what has waited for
  /// it is carried out behind that.
  private func finishChange() {
    guard change != nil || exchange.isChanging else { return }
    let before = change?.since ?? generations.upperBound
    change = nil
    noting { exchange.finishChanges() }
    hearDone(since: before)
  }

  /// Does the same for a change that a timer has begun, so that a world goes on as by its seed.
  private func finishUnasked() { if change == nil { finishChange() } }

  /// The same between two turns, until nobody waits for a change any more.
  func endChange() {
    repeat {
      finishChange()
      exchange.endTurn()
      // One that waits for its turn.
      loop.advance(to: now)
    } while change != nil || exchange.isChanging
  }

  func noteChange(since generation: UInt32) {
    note(generations: generation...exchange.pipeline.router.generation)
  }

  private func note(generations: ClosedRange<UInt32>) {
    isChanged = true
    self.generations = generations
  }

  private func hear(_ requests: [(token: RequestToken, request: Request)]) {
    isChanged = true
    let batches = requests.compactMap { token, request -> (RequestToken, [ViewChange])? in
      if case .set(let changes) = request { (token, changes) } else { nil }
    }
    if !batches.isEmpty { change(batches) }
    for (token, request) in requests.dropFirst(batches.count) { hear(.request(token, request)) }
  }

  private func hear(_ event: Server.Event) {
    switch event {
    case .request(let token, let request):
      guard let program = programs[token.client] else { return }
      guard let serial = program.isHeard(request) else {
        return found("\(token.client) is heard asking for \(request), and did not")
      }
      carryOut(request, of: program, serial)
    case .wantsChange: break
    case .wentAway(let client):
      oracle.leave(client, at: time)
      collect()
      left.insert(client)
      removeInjector(of: client)
      reviewAttachments()
      serveLine()
      followViews()
      guard let program = programs[client] else { return }
      program.isGone = true
      let why = exchange.sessions.endReason(of: client)
      if why.contains("bytes wait for it, the limit") { programs.noteOverflow() }
      // Nobody reads while time passes at once: what is served meanwhile may be too much for it.
      let couldRead = !isAdvancing || !program.hasUnread
      if !program.isClosed, !program.isBad, couldRead {
        found("\(client) was disconnected: \(why)")
      }
    case .stoppedReading(let client):
      oracle.stall(client, at: time)
      collect()
      if let program = programs[client], now < program.caughtUp + world.unresponsiveAfter {
        found("\(client) is unresponsive too early")
      }
    case .readsAgain(let client):
      oracle.stalled.remove(client)
      if let program = programs[client], program.hasUnread {
        found("\(client) reads again, and has not")
      }
    }
  }

  private func carryOut(_ request: Request, of program: Program, _ serial: UInt32) {
    switch request {
    case .attach(let request):
      if let code = refusal(of: request, by: program) {
        return program.stream.expect(.refused(serial: serial, code: code.rawValue))
      }
      let result = oracle.attach(request, by: program.client, at: time)
      collect()
      switch result {
      case .success(let id):
        if request.wantsHistory { program.stream.withHistory.insert(id.rawValue) }
        program.stream.expect(.attached(serial: serial, id))
        reviewAttachments()
        reviewHolders(of: request.path)
        serveLine()
        followViews()
      case .failure(let refusal):
        program.stream.expect(.refused(serial: serial, code: refusal.code.rawValue))
      case .waiting(let id):
        if request.wantsHistory { program.stream.withHistory.insert(id.rawValue) }
        program.stream.expect(.waiting(serial: serial, id, reason: 0))
      }
    case .detach(let id):
      if oracle.line.remove(id, of: program.client) {
        return program.stream.expect(.done(serial: serial, total: 0))
      }
      let isOwn = oracle.holders.values.contains { $0.id == id && $0.client == program.client }
      if isOwn { oracle.detach(id, at: time) }
      collect()
      reviewAttachments()
      program.stream.expect(
        isOwn
          ? .done(serial: serial, total: 0)
          : .refused(serial: serial, code: TOUCHROUTE_ERROR_NOT_ATTACHED.rawValue))
      if isOwn {
        serveLine()
        followViews()
      }
    case .accept(let touch, let attachment):
      oracle.accept(touch, through: attachment, by: program.client)
    case .decline(let touch, let attachment):
      _ = oracle.decline(touch, through: attachment, by: program.client, at: time)
      collect()
    case .inject(let contacts, let screen):
      carryOut(inject: contacts, on: screen, of: program, serial)
    case .cancel(let touch): carryOut(cancel: touch, of: program, serial)
    case .changeViews(let request): change(request, of: program, serial)
    default: carryOut(ofScreens: request, of: program, serial)
    }
  }

  /// Hands what the oracle has said to the programs that are to read it.
  func collect() {
    collectNotices()
    guard !oracle.said.isEmpty else { return }
    for (client, said) in oracle.said where client != gone {
      guard let program = programs[client] else {
        found("the oracle speaks to \(client), which is gone")
        continue
      }
      for entry in said {
        program.stream.expect(item(entry))
        if case .frame = entry, !isOver(program) { frameCount += 1 }
      }
    }
    oracle.said.removeAll(keepingCapacity: true)
  }

  /// Whether the daemon has ended a program's session, and sends it nothing, though it has not
  /// reported that yet.
  private func isOver(_ program: Program) -> Bool {
    (program.isBad || program.isClosed)
      && !exchange.sessions.endReason(of: program.client).isEmpty
  }

  private func item(_ said: Said) -> ProgramStream.Item {
    switch said {
    case .frame(let frame): return .frame(ProgramStream.Frame(said: frame, paths: frame.paths))
    case .layout(let id): return .layout(id, generations: generations)
    case .detached(let id, let reason): return .detached(id, reason)
    case .waiting(let id, let reason): return .waiting(serial: 0, id, reason: reason.rawValue)
    case .attached(let id): return .attached(serial: 0, id)
    }
  }
}
