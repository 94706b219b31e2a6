import Routing
import Server
import TouchModel

extension Exchange {
  /// Queues what the pipeline wants sent, in order, and has it checked. Rule T5.
  func deliver() {
    if pipeline.isFinished { return }
    for index in pipeline.deliveries.entries.indices { queue(pipeline.deliveries.entries[index]) }
    for observation in pipeline.deliveries.observations {
      server.send(observation, layout: pipeline.router.layout)
    }
    pipeline.finishDeliveries()
  }

  /// Queues one message for its client.
  func queue(_ entry: Deliveries.Entry) {
    switch entry {
    case .frame(let frame):
      server.send(frame, of: pipeline.deliveries.records, in: pipeline.router.layout) {
        pipeline.router.attachment($0)?.wantsHistory ?? false
      }
    case .layout(_, let id):
      guard let attachment = pipeline.router.attachment(id) else { return }
      server.send(
        layoutOf: attachment, in: pipeline.router.layout, generation: pipeline.router.generation)
    case .detached(let client, let attachment, let reason):
      notices.ended(attachment, of: client)
      server.send(detached: attachment, of: client, reason)
    }
  }
}
