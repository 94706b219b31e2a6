import Wire
import EventLoop
import Glibc
import Layout
import Logging
import Routing
import Server
import TouchModel

/// Clients live on while the daemon is restarted: the service manager keeps their sockets, and a
/// file with what the next daemon has to know of them.
extension Exchange {
  /// What the service manager kept for the daemon that was before.
  struct Kept {
    /// The names that descriptors are kept by.
    static let sessionName = "session"
    static let stateName = "handover"

    var sessions: [Int32] = []
    var states: [Int32] = []

    var isEmpty: Bool { sessions.isEmpty && states.isEmpty }
  }

  /// Leaves the clients to the next daemon, as many as the service manager has room for; for the
  /// others nothing changes. No touch may be live.
  func handOver(room: Int) {
    server.endTurn()
    let (clients, descriptors) = server.clientsToHandOver(limit: room - 1)
    let set = settings.handover
    guard !clients.isEmpty || !set.changes.isEmpty else { return }
    let holds = Dictionary(grouping: pipeline.router.allAttachments, by: \.client)
    var handover = Handover(nextTouch: pipeline.sequencer.nextID, numbers: pipeline.numbers)
    handover.users = set.users
    handover.changes = set.changes
    for client in clients {
      guard var state = server.handover(of: client) else { continue }
      state.attachments = (holds[client] ?? []).map { attachment in
        Handover.Hold(
          id: attachment.id,
          request: AttachRequest(
            path: pipeline.router.layout.path(of: attachment.responder),
            handles: attachment.handles, passes: attachment.passes,
            wantsHistory: attachment.wantsHistory),
          believed: notices.believed(by: attachment.id, of: client))
      }
      handover.clients.append(state)
    }
    guard let file = MemoryFile.make(Kept.stateName, handover.text) else {
      return logger.warning("no file in memory for the next daemon: \(errno)")
    }
    defer { close(file) }
    do throws(EventLoopError) {
      try ServiceManager.store([file], name: Kept.stateName)
      try ServiceManager.store(descriptors, name: Kept.sessionName)
    } catch { return logger.warning("the clients are not left to the next daemon: \(error)") }
    for client in clients { server.letGo(of: client) }
    logger.notice("clients left to the next daemon: \(clients.count)")
  }

  /// Takes over the clients of the daemon that was before: each is told of the screens and of where
  /// its responders are now, as after a reload, and that one is detached of which the configuration
  /// in force has no responder any more. The descriptors are the exchange's from here on.
  func takeOver(_ kept: Kept) {
    let handovers = kept.states.compactMap { MemoryFile.text(of: $0).flatMap(Handover.init(text:)) }
    for state in kept.states { close(state) }
    // Of several, left by starts that failed in between, only the latest is of these sockets.
    guard let handover = handovers.last else {
      logger.warning(
        "the clients of the daemon before are disconnected: what it left about them can't be read")
      for session in kept.sessions { server.discard(session, from: .client) }
      return
    }
    pipeline.setNextTouch(handover.nextTouch)
    // Its layout may be another than the one before.
    pipeline.numbers.generation = handover.numbers.generation &+ 1
    settings.resume(handover.users)
    setAgain(handover.changes)
    let clients = Dictionary(handover.clients.map { ($0.cookie, $0) }) { $1 }
    var taken: [(client: ClientID, hold: Handover.Hold)] = []
    var count = 0
    for descriptor in kept.sessions {
      guard let state = clients[Server.cookie(of: descriptor)] else {
        server.discard(descriptor, from: .client)
        continue
      }
      guard let client = server.takeOver(state, descriptor) else { continue }
      count += 1
      taken += state.attachments.map { (client, $0) }
    }
    for (client, hold) in taken.sorted(by: { $0.hold.id.rawValue < $1.hold.id.rawValue }) {
      restore(hold, of: client, sequence: handover.numbers.sequence)
    }
    for (client, hold) in taken { notices.resume(hold.believed, by: hold.id, of: client) }
    pipeline.numbers.sequence = handover.numbers.sequence
    pipeline.numbers.attachment = handover.numbers.attachment
    settings.resume(pipeline.router.allAttachments)
    revokeAttachments()
    deliver()
    reviewSettings()
    pipeline.isObserved = server.hasObservers
    server.endTurn()
    logger.notice("\(count) clients of the daemon before are taken over")
  }

  /// What can be set in the configuration in force is; what can't is as configured. All of it was
  /// possible together, and need not be one by one.
  private func setAgain(_ changes: [SetChange]) {
    guard !changes.isEmpty, set([changes]) != [nil] else { return }
    for (set, refusal) in zip(changes, set(changes.map { [$0] })) {
      guard let refusal else { continue }
      logger.warning(
        "what was set of \"\(set.change.path)\" is not possible any more: \(refusal.message)")
    }
  }

  private func restore(_ hold: Handover.Hold, of client: ClientID, sequence: UInt64) {
    pipeline.numbers.sequence = sequence
    pipeline.numbers.attachment = hold.id.rawValue
    do throws(RoutingError) {
      let attachment = try pipeline.attach(hold.request, by: client, at: now)
      noteAttached(attachment)
      server.send(
        layoutOf: attachment, in: pipeline.router.layout, generation: pipeline.router.generation)
    } catch {
      server.send(detached: hold.id, of: client, .removed)
    }
  }
}
