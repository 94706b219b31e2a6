package import Configuration
package import EventLoop
import Glibc
package import Layout
package import Logging
package import Routing
package import Server
package import TouchModel
import Wire

/// Where touches and clients meet: what the touchscreens did goes in, and comes out in the queues
/// of the clients that get it. Everything happens within a turn of the loop.
package final class Exchange: ServerDelegate {
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

  /// The touchscreens that clients have ungrabbed.
  package let ungrabbing: Ungrabbing

  /// Is told of the changes that clients ask for, as they are carried out.
  package unowned var observer: (any TransactionObserver)?
  /// Is told of each configuration as it comes in force: touchscreens map to its screens before a
  /// further touch is routed.
  package var configured: (Configuration) -> Void = { _ in }

  /// Is called before something that is due is decided: it takes what touchscreens have reported.
  package var takeReports: () -> Void {
    get { running.takeReports }
    set { running.takeReports = newValue }
  }

  private let running: RunningPipeline
  private let rights: ClientRights
  /// The attachments that wait for their responder.
  let queue: AttachQueue
  private let observers: ObserverFeed
  private let holders: HolderNotifier
  let attachments: AttachmentKeeper
  let gestures: GestureKeeper
  private let watchers: ScreenNotifier
  private let screens: ScreenKeeper
  private let locks: LockKeeper
  private let feedback: FeedbackKeeper
  /// By what it was looked at last what clients may watch and inhibit.
  private var reviewedIdle: TouchPipeline.IdleBasis?
  private let transactions: LayoutTransactions
  private let budgets: UserBudgets
  private let memory: MemoryReturn
  /// What takes long to be freed.
  private let discarded: DeferredRelease
  private let loop: EventLoop
  private let logger: Logger
  /// The thread that makes a change of the layout.
  private var task: BackgroundTask?
  /// Goes off when a transaction may begin.
  private var transactionTimer: TimerSource?
  private var wakeTime: UInt64?
  /// Makes a further turn for clients that wait for responders, if one turn did not serve all.
  private var queueTimer: TimerSource?
  /// Those who wait for what a reload comes to.
  private var reloading: [RequestToken] = []
  /// Those who are told once the configurations that were given are in force, in their order.
  private var configuring: [(String) -> Void] = []

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
    self.loop = loop
    self.logger = logger
    server = try Server(
      loop: loop, greeting: Greeting(configuration), limits: ServerLimits(configuration),
      logger: logger)
    rights = ClientRights(configuration, of: server)
    queue = AttachQueue()
    observers = ObserverFeed(server, on: loop)
    holders = try HolderNotifier(server, on: loop)
    watchers = ScreenNotifier(server)
    let listeners = FeedbackNotifier(server)
    running = try RunningPipeline(
      rights, server: server,
      outbox: Outbox(
        server, observers: observers, holders: holders, screens: watchers, feedback: listeners,
        queue: queue),
      observers: observers, on: loop, logger: logger)
    transactions = LayoutTransactions(quickMicroseconds: quickMicroseconds)
    gestures = GestureKeeper(running, server, rights, transactions, on: loop)
    attachments = AttachmentKeeper(
      running, server, rights, queue: queue, holders: holders, observers: observers, transactions,
      gestures)
    screens = ScreenKeeper(running, server, rights, watchers)
    locks = LockKeeper(running, server, rights)
    feedback = FeedbackKeeper(running, server, rights, listeners)
    budgets = UserBudgets(
      pipeline: running, server: server, rights: rights, queue: queue, transactions: transactions,
      gestures: gestures)
    injection = Injection(running, server)
    ungrabbing = Ungrabbing(running, server, logger)
    status = StatusSource(running, server, rights, queue: queue, screens: screens, locks: locks)
    discarded = DeferredRelease(on: loop)
    memory = try MemoryReturn(running, discarded, transactions, on: loop)
    // Behind the clients that ask for little, and before those that flood.
    transactionTimer = try loop.addTimer(after: nil, priority: .busy) { [unowned self] in
      wakeTime = nil
      goOn()
    }
    queueTimer = try loop.addTimer(after: nil, priority: .busy) { [unowned self] in
      transactions.add(.serveQueue(AttachmentKeeper.Served()))
      goOn()
    }
    server.delegate = self
    loop.atEndOfTurn { [unowned self] in endTurn() }
  }

  /// The present, by the loop's reckoning.
  package var now: Timestamp { running.now }

  /// The way of a touch up to what its clients are sent, to be looked at.
  package var pipeline: TouchPipeline { _read { yield running.state } }

  /// Who may do what, as things are.
  var policy: AccessPolicy { rights.policy(in: running) }

  /// Routes what the touchscreens have reported, and queues what comes of it for the clients, who
  /// are sent it at the end of the turn.
  package func take(_ events: ReusableArray<DeviceEvent>) { running.take(events) }

  /// Tells observers what filters have done to the events that ``take(_:)`` gets next. Rule N1.
  package func tell(_ notes: ReusableArray<SignalNote>) {
    observers.tell(notes, of: running)
  }

  /// What a finger that lands there aims at, and how far from its middle that is; nil where no view
  /// is, or one that is so large, or takes touches so far away, that a finger may be anywhere. Rule
  /// N10.
  package func aim(at point: Point, on screen: ScreenIndex) -> (view: ViewIndex, offset: Point)? {
    guard let view = pipeline.router.view(at: point, on: screen) else { return nil }
    let frame = pipeline.layout.frameOnScreen(of: view)
    guard max(frame.width, frame.height) <= Self.largestAim else { return nil }
    let offset = Point(x: point.x - frame.center.x, y: point.y - frame.center.y)
    guard max(offset.x.magnitude, offset.y.magnitude) <= Self.largestAim else { return nil }
    return (view, offset)
  }

  /// In points of the screen: UIKit's buttons have 44.
  private static let largestAim = 80.0

  /// Its sessions, for who brings connections without a listener.
  package var sessions: DirectSessions { DirectSessions(of: server) }

  /// Asks the way of a touch for something, and queues what comes of it.
  package func update(_ change: (inout TouchPipeline) -> Void) { running.update(change) }

  /// Sends what the turn has brought. The loop does it by itself; who drives the exchange without
  /// turning the loop does it here.
  package func endTurn() {
    server.endTurn()
    running.endTurn()
    holders.endTurn()
    discarded.clear()
  }

  /// Cancels every live touch, tells the clients, and lets go of the sockets. Rule R9.
  ///
  /// - Parameter capacity: How many descriptors may be left to the next daemon.
  package func stop(capacity: Int = 0) {
    let now = now
    running.update { $0.cancelAll(.stopping, at: now) }
    transactions.close()
    finishThreads()
    transactions.stop()
    for token in reloading { finish(.refused("the daemon stops; reload it again"), token) }
    if capacity > 0 { handover.leave(capacity: capacity) }
    server.stop()
  }

  /// Takes over the clients of the daemon that was before; the descriptors are the exchange's from
  /// here on.
  package func takeOver(_ kept: KeptDescriptors) {
    handover.takeOver(kept) {
      goOn()
    } reviewRights: {
      reviewRights()
      goOn()
    }
  }

  private var handover: HandoverKeeper {
    HandoverKeeper(
      pipeline: running, server: server, rights: rights, queue: queue, holders: holders,
      attachments: attachments, transactions: transactions, gestures: gestures, screens: screens,
      locks: locks, feedback: feedback, logger: logger, store: store)
  }

  // MARK: - Configurations

  /// Puts a configuration in force, whole, between two frames: the words for what has changed. It
  /// is in force as this returns. Rules L6 and R8.
  package func apply(_ new: Configuration) -> String {
    var changes = ""
    apply(PreparedConfiguration(new, replacing: rights.configuration)) { changes = $0 }
    finishChanges()
    return changes
  }

  /// The same of one that was prepared when the configuration in force was the one that is; where
  /// its layout takes long, in a later turn. Rule F1.
  ///
  /// - Parameter done: Is told the words once it is in force.
  package func apply(_ new: PreparedConfiguration, then done: @escaping (String) -> Void) {
    configuring.append(done)
    transactions.add(.reload(new))
    goOn()
  }

  /// Waits for the changes of the layout that are made beside the loop, and puts them in force.
  ///
  /// - Parameter servesClients: Whether changes that clients wait for are made too; otherwise a
  ///   later turn makes them.
  package func finishChanges(servesClients: Bool = true) {
    repeat {
      transactions.close()
      repeat {
        finishThreads()
        // What a client that is gone has set is taken back.
        server.tellEnds()
      } while isChanging
      transactions.open()
      guard servesClients else { return wakeForClients() }
      goOn()
      server.tellEnds()
    } while isChanging
  }

  /// Has all done but what clients wait for. Belongs behind `transactions.close()`.
  private func finishThreads() {
    goOn()
    while let task { task.wait() }
  }

  /// Whether a change of the layout is being made beside the loop.
  package var isChanging: Bool { transactions.isInBackground }

  /// The configuration in force.
  package var configuration: Configuration { rights.configuration }

  // MARK: - Changes of the layout

  /// Does all that is to be done now about changes of the layout.
  private func goOn() {
    while let effect = transactions.next(at: loop.present) { apply(effect) }
    wakeForClients()
    reviewIdle()
    memory.note(budgets.keptBytes)
  }

  /// Goes on when clients wait for a transaction that may begin then.
  private func wakeForClients() {
    guard let time = transactions.wakeTime, time != wakeTime else { return }
    wakeTime = time
    transactionTimer?.arm(at: time)
  }

  /// Ends what clients watch, or inhibit, that they no longer may: once for each change of the
  /// layout, and of who holds what. That of who holds what comes before the next of the layout, by
  /// which a window may become idle that a client no longer holds.
  private func reviewIdle() {
    guard let present = running.state.idleBasis, present != reviewedIdle else { return }
    reviewedIdle = present
    IdleKeeper(running, server).review()
  }

  private func apply(_ effect: LayoutEffect) {
    switch effect {
    case .gather(let transaction, let clients): gather(transaction, of: clients)
    case .carryOut(let request): carryOut(request)
    case .startThread(let change): start(change)
    case .free(let editor): discarded.add(editor)
    case .log(let dropped): dropped.tell(logger)
    case .putInForce(let replacement): putInForce(replacement)
    case .configure(let new, let replacement): configure(new, replacement)
    case .setRecognizers(let changes):
      // One may have gone since.
      gestures.set(changes.filter { gestures.refusal(of: $0.change) == nil })
    case .endSettings(let ended): gestures.endSettings(where: ended.contains)
    case .answer(let answers): for (token, refusal) in answers { answer(token, refusal) }
    case .follow(let replacement): follow(replacement)
    case .carriedOut(let request): observer?.carriedOut(request)
    case .goOn(let client): server.goOn(client)
    }
  }

  /// Takes requests of clients that wait, as many as a transaction may have, of those first that
  /// ask for little.
  private func gather(_ empty: Transaction, of clients: [ClientID]) {
    var transaction = empty
    for client in server.inServingOrder(clients) where transaction.takesClients {
      transaction.begin(client)
      while transaction.takesRequest,
        let (token, request) = server.takeChange(of: client, isSetTaken: transaction.takesSet)
      {
        transaction.take(request, token)
      }
    }
    transactions.begin(transaction)
  }

  private func carryOut(_ request: LayoutRequest) {
    switch request {
    case .set(let batches): make(jobs.set(batches))
    case .change(let token, let request): change(request, token)
    case .reload(let new) where new.changes.hasNewLayout: make(jobs.move(to: new))
    case .reload(let new):
      put(new.configuration)
      follow(new)
    case .reloaded(let new): configuring.removeFirst()(new.changes.description)
    case .end(let ends): if let job = jobs.end(ends) { make(job) }
    case .review: make(jobs.review())
    case .serveQueue(let served):
      if attachments.serve(behind: served) { queueTimer?.arm(at: loop.now) }
    case .detached(let token):
      server.answer(token, generation: running.generation)
      server.goOn(token.client)
    }
  }

  private var jobs: LayoutJobs {
    LayoutJobs(
      pipeline: running, server: server, rights: rights, transactions: transactions,
      gestures: gestures, budgets: budgets)
  }

  private func make(_ job: LayoutJob) {
    transactions.make(job, replacing: running.layout, at: loop.present)
  }

  private func start(_ change: BackgroundChange) {
    do throws(EventLoopError) {
      task = try loop.inBackground(change.make) { [self] made in
        task = nil
        transactions.finish(made, at: loop.present)
        goOn()
      }
    } catch {
      logger.warning("\(error): touches wait for a change of the layout")
      transactions.finish(change.make(), at: loop.present)
    }
  }

  private func answer(_ token: RequestToken, _ refusal: ChangeRefusal?) {
    if let refusal { return server.answer(token, refusal.code, refusal.text) }
    server.answer(token, generation: running.generation)
  }

  private func putInForce(_ replacement: LayoutReplacement) {
    reviewIdle()
    if replacement.keepsTree {
      running.change(to: replacement)
    } else {
      // What was cancelled is told in the terms of the layout that had its views.
      end(running.replace(by: replacement, announcing: Greeting(rights.configuration)))
    }
    if let prepared = replacement.prepared { discarded.add(prepared) }
  }

  private func configure(_ new: PreparedConfiguration, _ replacement: LayoutReplacement) {
    reviewIdle()
    // Who has set something of recognizers is among those who have set something.
    if transactions.editor == nil, gestures.settings.isEmpty { transactions.forgetSetters() }
    gestures.endWithViews(but: transactions.editor?.added ?? [])
    if replacement.prepared != nil { discarded.add(rights.configuration) }
    put(new.configuration)
    end(
      running.replace(
        by: replacement, gestures: gestures.move(), announcing: Greeting(new.configuration)))
    if let prepared = replacement.prepared { discarded.add(prepared) }
    follow(new)
  }

  /// Puts a configuration in force, but for its layout.
  private func put(_ new: Configuration) {
    rights.put(new)
    running.configure(new)
  }

  /// Does what follows from a configuration that is in force now.
  private func follow(_ new: PreparedConfiguration) {
    server.greeting = Greeting(new.configuration)
    configured(new.configuration)
    reviewRights()
    transactions.add(.reloaded(new))
  }

  /// Attachments have ended with their responders.
  private func end(_ attachments: [AttachmentID]) {
    if attachments.isEmpty { return }
    gestures.end(of: attachments)
    transactions.add(.review)
  }

  /// Does what follows from another layout. If other views are secure, clients may no longer have
  /// what they hold, or may have what they wait for; if views have come or gone, recognizers go
  /// with them, and a client may wait for one that is there again. Rules F6, L7, G1 and R2.
  private func follow(_ replacement: LayoutReplacement) {
    if replacement.hasOtherSecureViews { reviewRights(hasOtherRules: false) }
    if replacement.keepsTree { return }
    gestures.endWithViews()
    attachments.serveQueue()
  }

  /// Ends the attachments that are no longer allowed, and what was set by rights that are no more;
  /// serves those who may have now what they wait for. Rules F6, L6 and R2.
  ///
  /// - Parameter hasOtherRules: Whether the rules may be others, and not only what is secure.
  private func reviewRights(hasOtherRules: Bool = true) {
    attachments.endForbidden(hasOtherRules: hasOtherRules)
    if hasOtherRules { gestures.reviewRights() }
    screens.review()
    locks.review()
    feedback.review()
    transactions.add(.review)
    attachments.serveQueue()
  }

  // MARK: - Clients

  /// A client has done something: what follows from that is done as this returns, but for what a
  /// background thread does.
  package func handle(_ event: Server.Event) {
    switch event {
    case .request(let token, let request): carryOut(request, token)
    case .wantsChange(let client): transactions.want(client)
    case .wentAway(let client): wentAway(client)
    case .stoppedReading(let client): setUnresponsive(client, true)
    case .readsAgain(let client): setUnresponsive(client, false)
    }
    goOn()
  }

  private func carryOut(_ request: Request, _ token: RequestToken) {
    switch request {
    case .attach(let attach): attachments.attach(attach, token, within: budgets)
    case .detach(let attachment): attachments.detach(attachment, token)
    case .accept(let touch, let attachment):
      let now = now
      observers.tell(.decided(touch, attachment, of: token.client, isKept: true))
      running.update { $0.accept(touch, through: attachment, by: token.client, at: now) }
    case .decline(let touch, let attachment):
      let now = now
      observers.tell(.decided(touch, attachment, of: token.client, isKept: false))
      _ = running.update { $0.decline(touch, through: attachment, by: token.client, at: now) }
    case .set, .addGesture, .removeGesture, .changeViews:
      preconditionFailure("changes are taken when a transaction begins")
    case .describe(let path, let first, let count): describe(path, first, count, token)
    case .ping: break
    case .setScreen(let request): screens.set(request, token)
    case .watchScreens(let isWanted):
      screens.watch(isWanted, token)
      if isWanted { locks.tell(token.client) }
    case .lock(let request): locks.lock(request, token)
    case .unlock(let screen): locks.unlock(screen, token)
    case .watchFeedback(let screen, let isWanted): feedback.watch(screen, isWanted, token)
    case .watchIdle(let request): IdleKeeper(running, server).watch(request, token)
    case .unwatchIdle(let watch): IdleKeeper(running, server).unwatch(watch, token)
    case .inhibitIdle(let attachment, let isWanted):
      IdleKeeper(running, server).inhibit(attachment, isWanted, token)
    case .status: status.answer(token)
    case .observe(let wanted): observe(wanted, token)
    case .reload: answerReload(token)
    case .inject(let contacts, let screen): injection.inject(contacts, on: screen, token)
    case .cancel(let touch): injection.cancel(touch, token)
    case .ungrab(let device): ungrabbing.ungrab(device, token)
    }
  }

  /// Carries out a request that changes views or recognizers.
  private func change(_ request: Request, _ token: RequestToken) {
    switch request {
    case .addGesture(let request): gestures.add(request, token, within: budgets)
    case .removeGesture(let number): gestures.remove(number, token)
    case .changeViews(let request):
      do throws(ViewBatch.Refusal) { make(try jobs.views(request, by: token.client)) } catch {
        answer(token, request.refusal(error))
      }
    default: preconditionFailure("other requests wait for no transaction")
    }
  }

  /// A client that is gone loses its touches and all that it held and set. Rule R7.
  private func wentAway(_ client: ClientID) {
    let now = now
    observers.tell(.gone(client))
    running.update { $0.gone(client, at: now) }
    holders.wentAway(client)
    injection.removeDevice(of: client)
    ungrabbing.wentAway(client)
    running.reviewObservers()
    transactions.wentAway(client)
    attachments.wentAway(client)
    gestures.wentAway(client)
    screens.wentAway(client)
    locks.wentAway(client)
    feedback.wentAway(client)
  }

  /// A client that reads nothing loses its touches, and gets new ones once it has read. Rule F3.
  private func setUnresponsive(_ client: ClientID, _ isUnresponsive: Bool) {
    let now = now
    observers.tell(.reads(client, !isUnresponsive))
    running.update { $0.setUnresponsive(client, isUnresponsive, at: now) }
  }

  private func describe(_ path: String, _ first: Int, _ count: Int, _ token: RequestToken) {
    let layout = running.layout
    let responder = layout.responder(at: path)
    guard responder != nil || path.isEmpty else {
      return server.refuse(.noResponder(path: path, nearest: layout.nearestPath(to: path)), token)
    }
    server.answer(
      token, viewsOf: responder, first: first, count: count, in: layout,
      generation: running.generation, origin: origin(of:),
      gestures: { gestures.described(in: responder, first: $0, count: $1) }
    ) { running.attachments[holderOf: $0]?.client }
  }

  private func origin(of view: ViewIndex) -> DescribedOrigin {
    transactions.origin(
      of: view, in: running.layout, of: rights.configuration, running.attachments)
  }

  private func observe(_ wanted: Observing, _ token: RequestToken) {
    server.setObserver(token.client, wanted)
    running.reviewObservers()
    if wanted == .changes { observers.tellPresent(of: running, to: token.client) }
    server.answer(token, generation: running.generation)
  }

  /// What a client asks for behind a reload comes behind it; all others go on. Rule F1.
  private func answerReload(_ token: RequestToken) {
    server.wait(token.client)
    reloading.append(token)
    reload { [unowned self] in finish($0, token) }
  }

  private func finish(_ reload: Reload, _ token: RequestToken) {
    guard let index = reloading.firstIndex(of: token) else { return }
    reloading.remove(at: index)
    switch reload {
    case .applied(let changes):
      server.answer(token, generation: running.generation, text: changes)
    case .refused(let problems): server.answer(token, .invalid, problems)
    }
    server.goOn(token.client)
  }
}
