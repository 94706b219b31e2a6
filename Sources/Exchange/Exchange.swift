package import Configuration
package import EventLoop
import Glibc
import Layout
package import Logging
package import Routing
package import Server
package import TouchModel
import Wire

/// Where touches and clients meet: what the touchscreens did goes in, and comes out in the queues
/// of the clients that get it. Everything happens within a turn of the loop.
package final class Exchange {
  /// What a reload came to.
  package enum Reload {
    /// What changed, in words.
    case applied(String)
    /// What is wrong with the configuration; the one in force stays.
    case refused(String)
  }

  /// The clients and their sockets.
  package let server: Server
  /// What is answered to clients that ask how the daemon is.
  package let status: StatusSource
  /// Reads the configuration again, for a client that asks for it, and says what it came to, at
  /// once or later.
  package var reload: (@escaping (Reload) -> Void) -> Void = {
    $0(.refused("there is nothing to read the configuration from"))
  }

  /// Has descriptors kept for the next daemon, under a name.
  package var store: ([Int32], String) throws(EventLoopError) -> Void = {
    _, _ throws(EventLoopError) in
    throw EventLoopError(action: "keeping clients for the next daemon", code: ENOTSUP)
  }

  /// The touches that clients make up.
  package let injection: Injection

  let core: Core
  private let attachments: AttachmentKeeper
  private let gestures: GestureKeeper
  private let layoutChanges: LayoutChanges
  private let memory: MemoryReturn
  /// Those who wait for what a reload comes to.
  private var reloading: [RequestToken] = []

  /// What a change of the layout may take on the loop, where nobody says otherwise: half of what a
  /// touch may wait for it. Rule F1.
  package static let quickMicroseconds = 500

  /// An exchange without sockets: its ``server`` is told to listen.
  ///
  /// - Parameters:
  ///   - configuration: The one in force until ``apply(_:)``.
  ///   - loop: Its turns are the exchange's; it must outlive it.
  ///   - quickMicroseconds: A change of the layout that is estimated to take longer is made beside
  ///     the loop. Rule F1.
  ///   - logger: Is told what an administrator should know.
  /// - Throws: what the loop's sources can't be made of.
  package init(
    _ configuration: Configuration, loop: EventLoop,
    quickMicroseconds: Int = Exchange.quickMicroseconds, logger: Logger
  ) throws(EventLoopError) {
    core = try Core(
      configuration, loop: loop, quickMicroseconds: quickMicroseconds, logger: logger)
    server = core.server
    status = StatusSource(core)
    injection = Injection(core)
    gestures = GestureKeeper(core)
    layoutChanges = LayoutChanges(core, gestures)
    attachments = try AttachmentKeeper(core, layoutChanges)
    memory = try MemoryReturn(core)
    server.handler = { [unowned self] event in handle(event) }
    layoutChanges.desk.settle = { [unowned self] in settle() }
    loop.atEndOfTurn { [unowned self] in endTurn() }
  }

  /// The present, by the loop's reckoning.
  package var now: Timestamp { core.now }

  /// The way of a touch up to what its clients are sent, to be looked at.
  package var pipeline: TouchPipeline { _read { yield core.pipeline } }

  /// Routes what the touchscreens have reported, and queues what comes of it for the clients, who
  /// are sent it at the end of the turn.
  package func take(_ events: ReusableArray<DeviceEvent>) { core.take(events) }

  /// Its sessions, for who brings connections without a listener.
  package var sessions: DirectSessions { DirectSessions(of: server) }

  /// Asks the way of a touch for something, and queues what comes of it.
  package func update(_ change: (inout TouchPipeline) -> Void) { core.update(change) }

  /// Sends what the turn has brought. The loop does it by itself; who drives the exchange without
  /// turning the loop does it here.
  package func endTurn() { core.endTurn() }

  /// Cancels every live touch, tells the clients, and lets go of the sockets. Rule R9.
  ///
  /// - Parameter capacity: How many descriptors may be left to the next daemon.
  package func stop(capacity: Int = 0) {
    let now = now
    core.update { $0.cancelAll(.stopping, at: now) }
    layoutChanges.desk.stop()
    for token in reloading { finish(.refused("the daemon stops; reload it again"), token) }
    if capacity > 0 { handover.leave(capacity: capacity) }
    server.stop()
  }

  /// Takes over the clients of the daemon that was before; the descriptors are the exchange's from
  /// here on.
  package func takeOver(_ kept: KeptDescriptors) { handover.takeOver(kept) }

  private var handover: HandoverKeeper {
    HandoverKeeper(
      core: core, attachments: attachments, layoutChanges: layoutChanges, gestures: gestures,
      store: store)
  }

  // MARK: - Configurations

  /// Puts a configuration in force, whole, between two frames: the words for what has changed. It
  /// is in force as this returns. Rules L6 and R8.
  package func apply(_ new: Configuration) -> String {
    var changes = ""
    apply(PreparedConfiguration(new, replacing: core.configuration)) { changes = $0 }
    finishChanges()
    return changes
  }

  /// The same of one that was prepared when the configuration in force was the one that is; where
  /// its layout takes long, in a later turn. Rule F1.
  ///
  /// - Parameter done: Is told the words once it is in force.
  package func apply(_ new: PreparedConfiguration, then done: @escaping (String) -> Void) {
    layoutChanges.desk.whenIdle { [self] in put(new, done) }
  }

  /// Waits for the changes of the layout that are made beside the loop, and puts them in force.
  package func finishChanges() {
    layoutChanges.desk.finishAll()
    server.tellEnds()
  }

  /// Whether a change of the layout is being made beside the loop.
  package var isChanging: Bool { layoutChanges.desk.isAway }

  /// The configuration in force.
  package var configuration: Configuration { core.configuration }

  private func put(_ new: PreparedConfiguration, _ done: @escaping (String) -> Void) {
    guard new.changes.hasNewLayout else {
      core.configure(new.configuration)
      return follow(new, done)
    }
    layoutChanges.move(to: new.configuration) { [self] layout, prepared in
      core.configure(new.configuration, isLong: prepared != nil)
      core.replaceLayout(
        layout, prepared, gestures: gestures.move(), announcing: Greeting(new.configuration))
      follow(new, done)
    }
  }

  /// Does what follows from another configuration.
  private func follow(_ new: PreparedConfiguration, _ done: (String) -> Void) {
    server.greeting = Greeting(new.configuration)
    attachments.endForbidden()
    layoutChanges.review()
    attachments.serveLine()
    settle()
    done(new.changes.description)
  }

  /// Does what follows from a change of the layout.
  private func settle() {
    keepSecureViews()
    followViews()
    gestures.review()
    memory.note(layoutChanges.chargedBytes)
  }

  /// Ends the attachments that are no longer allowed since other views are secure, and what was set
  /// through them; serves those who may have now what they wait for. Rules F6 and R2.
  private func keepSecureViews() {
    while layoutChanges.takeOtherSecureViews() {
      attachments.endForbidden()
      layoutChanges.review()
      attachments.serveLine()
      gestures.review()
    }
  }

  // MARK: - Clients

  private func handle(_ event: Server.Event) {
    switch event {
    case .request(let token, let request): carryOut(request, token)
    case .changes(let batches):
      layoutChanges.desk.whenIdle { [self] in layoutChanges.carryOut(batches) }
    case .wentAway(let client): wentAway(client)
    case .stoppedReading(let client): setUnresponsive(client, true)
    case .readsAgain(let client): setUnresponsive(client, false)
    }
    settle()
  }

  /// Does what follows from views of programs that have come or gone: what was theirs goes with
  /// them, and who waits for one that is there again is given it. Rules L7, G1 and R2.
  private func followViews() {
    while layoutChanges.takeNewTree() {
      gestures.endWithViews()
      layoutChanges.reviewEnds()
      attachments.serveLine()
      keepSecureViews()
    }
  }

  private func carryOut(_ request: Request, _ token: RequestToken) {
    switch request {
    case .attach(let attach): attachments.attach(attach, token)
    case .detach(let attachment): attachments.detach(attachment, token)
    case .accept(let touch, let attachment):
      let now = now
      core.update { $0.accept(touch, through: attachment, by: token.client, at: now) }
    case .decline(let touch, let attachment):
      let now = now
      _ = core.update { $0.decline(touch, through: attachment, by: token.client, at: now) }
    case .addGesture, .removeGesture, .changeViews:
      layoutChanges.desk.whenIdle(for: token.client) { [self] in change(request, token) }
    case .describe(let path, let first, let count): describe(path, first, count, token)
    case .ping: break
    case .status: status.answer(token)
    case .observe(let isWanted): observe(isWanted, token)
    case .reload: answerReload(token)
    case .inject(let contacts, let screen): injection.inject(contacts, on: screen, token)
    case .cancel(let touch): injection.cancel(touch, token)
    }
  }

  /// Carries out a request that changes the layout or its recognizers.
  private func change(_ request: Request, _ token: RequestToken) {
    switch request {
    case .addGesture(let request): gestures.add(request, token)
    case .removeGesture(let number): gestures.remove(number, token)
    case .changeViews(let request):
      ViewKeeper(core: core, layoutChanges: layoutChanges).change(request, token)
    default: preconditionFailure("of other requests nobody waits for the layout")
    }
  }

  /// A client that is gone loses its touches and all that it held and set. Rule R7.
  private func wentAway(_ client: ClientID) {
    let now = now
    core.update { $0.gone(client, at: now) }
    core.holders.wentAway(client)
    injection.removeDevice(of: client)
    core.observe()
    layoutChanges.takeBack(of: client)
    attachments.wentAway(client)
  }

  /// A client that reads nothing loses its touches, and gets new ones once it has read. Rule F3.
  private func setUnresponsive(_ client: ClientID, _ isUnresponsive: Bool) {
    let now = now
    core.update { $0.setUnresponsive(client, isUnresponsive, at: now) }
  }

  private func describe(_ path: String, _ first: Int, _ count: Int, _ token: RequestToken) {
    let layout = core.layout
    let responder = layout.responder(at: path)
    guard responder != nil || path.isEmpty else {
      return core.refuse(.noResponder(path: path, nearest: layout.nearestPath(to: path)), token)
    }
    server.answer(
      token, viewsOf: responder, first: first, count: count, in: layout,
      generation: core.generation, origin: layoutChanges.origin(of:),
      gestures: { gestures.described(in: responder, first: $0, count: $1) }
    ) { core.pipeline.router.attachments[holderOf: $0]?.client }
  }

  private func observe(_ isWanted: Bool, _ token: RequestToken) {
    server.setObserver(token.client, isWanted)
    core.observe()
    server.answer(token, generation: core.generation)
  }

  /// What a client asks for behind a reload comes behind it; all others go on. Rule F1.
  private func answerReload(_ token: RequestToken) {
    server.hold(token.client, true)
    reloading.append(token)
    reload { [unowned self] in finish($0, token) }
  }

  private func finish(_ reload: Reload, _ token: RequestToken) {
    guard let index = reloading.firstIndex(of: token) else { return }
    reloading.remove(at: index)
    switch reload {
    case .applied(let changes):
      server.answer(token, generation: core.generation, text: changes)
    case .refused(let problems): server.answer(token, .invalid, problems)
    }
    server.hold(token.client, false)
  }
}
