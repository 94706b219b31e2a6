import Logging
import Routing
import Server
import TouchModel

// The parts go as arguments, in place: what is read from a property is held meanwhile, each of its
// arrays by a count.
extension Exchange {
  /// Checks what the router wants sent, and queues it. Rule T5.
  func deliver() {
    // Even where nobody is told anything, so that the checker forgets the touches that are over.
    checkDeliveries()
    queueDeliveries()
  }

  /// Empties the deliveries for what the router wants sent next.
  func beginDeliveries() {
    checkQueued()
    deliveries.removeAll()
  }

  func queueDeliveries() { Self.queue(&deliveries, &router, &notices, to: server) }

  /// Checks what was queued before it was checked. Belongs before the checker is told of anything
  /// that came after.
  func checkQueued() {
    guard isUnchecked else { return }
    isUnchecked = false
    checkDeliveries()
  }

  func checkDeliveries() { Self.check(&deliveries, &checker, logger) }

  private static func check(
    _ deliveries: inout Deliveries, _ checker: inout StreamChecker, _ logger: Logger
  ) {
    checker.check(deliveries) { violation in
      logger.error("a mistake of touchrouted's own, please report it: \(violation)")
    }
  }

  private static func queue(
    _ deliveries: inout Deliveries, _ router: inout Router, _ notices: inout HolderNotices,
    to server: Server
  ) {
    for index in deliveries.entries.indices {
      queue(deliveries.entries[index], of: &deliveries, &router, &notices, to: server)
    }
    for observation in deliveries.observations {
      server.send(observation, layout: router.layout)
    }
  }

  func queue(_ entry: Deliveries.Entry) {
    Self.queue(entry, of: &deliveries, &router, &notices, to: server)
  }

  private static func queue(
    _ entry: Deliveries.Entry, of deliveries: inout Deliveries, _ router: inout Router,
    _ notices: inout HolderNotices, to server: Server
  ) {
    switch entry {
    case .frame(let frame):
      server.send(frame, of: deliveries.records, in: router.layout) {
        router.attachment($0)?.wantsHistory ?? false
      }
    case .layout(_, let id):
      guard let attachment = router.attachment(id) else { return }
      server.send(layoutOf: attachment, in: router.layout, generation: router.generation)
    case .detached(let client, let attachment, let reason):
      notices.ended(attachment, of: client)
      server.send(detached: attachment, of: client, reason)
    }
  }
}
