import EventLoop
import Layout
import Routing
import Server
import TouchModel

/// Tells observers what else decides where touches go. Rule F7.
final class ObserverFeed {
  private let server: Server
  private let loop: EventLoop
  /// Whether a client wants to know of that.
  private var isRecorded = false

  init(_ server: Server, on loop: EventLoop) {
    self.server = server
    self.loop = loop
  }

  /// Finds out whether a client wants to know.
  func review() { isRecorded = server.hasRecorders }

  /// Tells of a change, where a client wants to know.
  func tell(_ change: @autoclosure () -> ObservedChange) {
    if isRecorded { server.send(change(), at: Timestamp(microseconds: loop.now)) }
  }

  /// Tells which fingers were lifted though no client hears of that yet. Rules F7 and G10.
  func tellLifts(of deliveries: Deliveries) {
    guard isRecorded else { return }
    for (touch, time) in deliveries.heldEnds { server.send(.lifted(touch), at: time) }
  }

  /// Tells a client that begins to observe what is so now.
  func tellPresent(of pipeline: RunningPipeline, to client: ClientID) {
    let now = pipeline.now
    server.send(.layout(generation: pipeline.generation), at: now, to: client)
    var silent: Set<ClientID> = []
    for attachment in pipeline.attachments.all {
      let path = pipeline.layout.path(of: attachment.responder)
      server.send(.attached(attachment, path: path), at: now, to: client)
      let holder = attachment.client
      if server.isUnresponsive(holder), silent.insert(holder).inserted {
        server.send(.reads(holder, false), at: now, to: client)
      }
    }
  }

  /// Tells what filters have done; of touches in secure views not where. Rules N1 and F7.
  func tell(_ notes: ReusableArray<SignalNote>, of pipeline: RunningPipeline) {
    for note in notes {
      let touch = note.slot.flatMap { pipeline.state.sequencer.touch(in: $0, of: note.device) }
      let isSecure =
        touch.map { pipeline.router.isSecure($0) }
        ?? pipeline.router.isSecure(note.location, on: note.screen)
      server.send(note, of: touch, isSecure: isSecure)
    }
  }
}
