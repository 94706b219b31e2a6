import EventLoop
import Glibc
import Layout
import Logging
import Routing
import Server
import TouchModel

/// Keeps clients connected while the daemon is restarted: the service manager holds their sockets,
/// and a file with what the next daemon has to know of them.
struct HandoverKeeper {
  let pipeline: RunningPipeline
  let server: Server
  let rights: ClientRights
  let queue: AttachQueue
  let holders: HolderNotifier
  let attachments: AttachmentKeeper
  let transactions: LayoutTransactions
  let gestures: GestureKeeper
  let screens: ScreenKeeper
  let locks: LockKeeper
  let feedback: FeedbackKeeper
  let logger: Logger
  /// Has descriptors kept, under a name.
  let store: ([Int32], String) throws(EventLoopError) -> Void

  // MARK: - Leaving

  /// Leaves the clients to the next daemon, as many as the service manager has capacity for; for
  /// the others nothing changes. No touch may be live.
  func leave(capacity: Int) {
    server.endTurn()
    let (clients, descriptors) = server.clientsToHandOver(limit: capacity - 1)
    locks.end(notOf: clients)
    guard
      !clients.isEmpty || !changes.isEmpty || !screens.kept.isEmpty
        || !locks.kept.isEmpty
    else { return }
    guard let file = MemoryFile.make(KeptDescriptors.stateName, state(of: clients).text) else {
      return logger.warning("no file in memory for the next daemon: \(errno)")
    }
    defer { close(file) }
    do throws(EventLoopError) {
      try store([file], KeptDescriptors.stateName)
      try store(descriptors, KeptDescriptors.sessionName)
    } catch {
      return logger.warning("the clients are not left to the next daemon: \(error)")
    }
    for client in clients { server.letGo(of: client) }
    logger.notice("clients left to the next daemon: \(clients.count)")
  }

  /// All that is set.
  private var changes: [SetChange] {
    (transactions.editor?.changes ?? []) + gestures.settings.changes
  }

  /// What the next daemon has to know of them.
  private func state(of clients: [ClientID]) -> Handover {
    let held = Dictionary(grouping: pipeline.attachments.all, by: \.client)
    var handover = Handover(
      nextTouch: pipeline.state.sequencer.nextID, numbers: pipeline.state.numbers)
    handover.views = transactions.editor?.added ?? []
    handover.changes = changes
    handover.screens = screens.kept
    handover.locks = locks.kept
    handover.usedAttachments = attachments.numbers.used
    handover.usedGestures = gestures.numbers.used
    for client in clients {
      guard var state = server.handover(of: client) else { continue }
      state.setter = transactions.setters.numbers[client]
      state.attachments = (held[client] ?? []).map { hold(of: $0) }
      state.attachments += queue.places(of: client).map { place in
        Handover.Hold(id: place.id, request: place.request, isWaiting: true)
      }
      state.attachments.sort { $0.id.rawValue < $1.id.rawValue }
      screens.note(of: client, in: &state)
      state.locks = locks.locked(by: client)
      state.feedbackScreens = feedback.screens(of: client)
      IdleKeeper(pipeline, server).note(of: client, in: &state)
      handover.clients.append(state)
    }
    return handover
  }

  private func hold(of attachment: Attachment) -> Handover.Hold {
    var hold = Handover.Hold(
      id: attachment.id,
      request: AttachRequest(
        path: pipeline.layout.path(of: attachment.responder), handles: attachment.handles,
        passes: attachment.passes, wantsHistory: attachment.wantsHistory,
        waits: queue.waits(attachment.id), handlesGestures: attachment.handlesGestures),
      believed: holders.believed(by: attachment.id, of: attachment.client))
    hold.gestures = gestures.handover(of: attachment.id)
    return hold
  }

  // MARK: - Taking over

  /// Takes over the clients of the daemon that was before: each is told of the screens and of where
  /// its responders are now, as after a reload, and that one is detached of which the configuration
  /// in force no longer has the responder. The descriptors are the exchange's from here on.
  ///
  /// - Parameters:
  ///   - putInForce: Puts in force what is added and set again.
  ///   - reviewRights: Takes back what is no longer allowed.
  func takeOver(
    _ kept: KeptDescriptors, putInForce: () -> Void, reviewRights: () -> Void
  ) {
    let handovers = kept.states.compactMap { MemoryFile.text(of: $0).flatMap(Handover.init(text:)) }
    for state in kept.states { close(state) }
    // Of several, left by starts that failed in between, only the latest is of these sockets.
    guard let handover = handovers.last else {
      logger.warning(
        "the clients of the daemon before are disconnected: what it left about them can't be read")
      for session in kept.sessions { server.discard(session, from: .client) }
      return
    }
    pipeline.update { pipeline in
      pipeline.setNextTouch(handover.nextTouch)
      // Its layout may be another than the one before.
      pipeline.numbers.generation = handover.numbers.generation &+ 1
      pipeline.numbers.recognizer = handover.numbers.recognizer
    }
    let texts = transactions.resume(
      handover.views, handover.changes.filter { !$0.isOfRecognizer }, of: rights.configuration,
      replacing: pipeline.layout)
    for text in texts { logger.warning("\(text)") }
    putInForce()
    let clients = takeOver(kept.sessions, of: handover)
    pipeline.update { pipeline in
      pipeline.numbers.sequence = handover.numbers.sequence
      pipeline.numbers.attachment = handover.numbers.attachment
      pipeline.numbers.recognizer = handover.numbers.recognizer
    }
    attachments.numbers.resume(handover.usedAttachments)
    gestures.numbers.resume(handover.usedGestures)
    gestures.set(
      handover.changes.filter { $0.isOfRecognizer && gestures.refusal(of: $0.change) == nil })
    transactions.resume(
      clients.compactMapValues(\.setter), through: pipeline.attachments.all,
      where: handover.changes.map(\.setter) + (transactions.editor?.added ?? []).map(\.setter))
    screens.resume(handover.screens, clients)
    locks.resume(handover.locks, clients, of: handover.clients)
    feedback.resume(clients)
    IdleKeeper(pipeline, server).resume(clients)
    reviewRights()
    pipeline.reviewObservers()
    pipeline.tellLayout()
    server.endTurn()
    logger.notice("\(clients.count) clients of the daemon before are taken over")
  }

  /// Takes over the clients of those sockets, and restores what they held, oldest first; who they
  /// are.
  private func takeOver(
    _ sessions: [Int32], of handover: Handover
  ) -> [ClientID: Handover.Client] {
    let states = Dictionary(handover.clients.map { ($0.cookie, $0) }) { $1 }
    var held: [(client: ClientID, hold: Handover.Hold)] = []
    var clients: [ClientID: Handover.Client] = [:]
    for descriptor in sessions {
      guard let state = states[Server.cookie(of: descriptor)] else {
        server.discard(descriptor, from: .client)
        continue
      }
      guard let client = server.takeOver(state, descriptor) else { continue }
      clients[client] = state
      held += state.attachments.map { (client, $0) }
    }
    for (client, hold) in held.sorted(by: { $0.hold.id.rawValue < $1.hold.id.rawValue }) {
      attachments.restore(hold, of: client, sequence: handover.numbers.sequence)
    }
    let texts = gestures.resume(
      held.flatMap { held in held.hold.gestures.map { (held.client, $0) } })
    for text in texts { logger.warning("\(text)") }
    for (client, hold) in held { holders.resume(hold.believed, by: hold.id, of: client) }
    return clients
  }
}
