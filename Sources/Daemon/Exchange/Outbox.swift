import Gestures
import Layout
import Routing
import Server
import TouchModel
import Wire

/// Queues what a pipeline wants sent, for its clients and for observers.
///
/// The pipeline has returned by then: what is sent may ask anything of the exchange.
struct Outbox {
  private let core: Core

  /// The outbox of an exchange.
  init(of core: Core) { self.core = core }

  private var server: Server { core.server }

  /// Queues all of it, in order.
  @inline(__always)
  func send(_ deliveries: Deliveries) {
    let layout = core.layout
    for index in deliveries.entries.indices { send(index, of: deliveries, in: layout) }
    core.tellLifts(of: deliveries)
    for observation in deliveries.observations { server.send(observation, layout: layout) }
    if !deliveries.observedGestures.isEmpty { sendGestures(of: deliveries, in: layout) }
  }

  /// Queues what a replaced layout has brought.
  ///
  /// What was cancelled is told in the old layout's terms, the new geometry in those of the new
  /// screens, which are therefore announced in between.
  func send(_ deliveries: Deliveries, ofReplaced old: Layout, announcing greeting: Greeting) {
    core.tellLifts(of: deliveries)
    for observation in deliveries.observations { server.send(observation, layout: old) }
    sendGestures(of: deliveries, in: old)
    for index in deliveries.entries.indices where !deliveries.entries[index].isLayout {
      send(index, of: deliveries, in: old)
    }
    server.greeting = greeting
    for index in deliveries.entries.indices where deliveries.entries[index].isLayout {
      send(index, of: deliveries, in: core.layout)
    }
  }

  /// Queues one message for its client.
  ///
  /// - Parameter layout: The one whose views the records speak of.
  @inline(__always)
  private func send(_ index: Int, of deliveries: Deliveries, in layout: Layout) {
    switch deliveries.entries[index] {
    case .frame(let frame): server.send(frame, of: deliveries.records, in: layout)
    case .gesture(let index):
      if let origin = deliveries.origins[index] {
        server.send(deliveries.gestures[index], of: origin.kind, at: origin.path)
      }
    case .layout(_, let id):
      if let attachment = core.pipeline.router.attachments[id] { core.send(layoutOf: attachment) }
    case .detached(let client, let attachment, let reason): end(attachment, of: client, reason)
    case .screen(let change): core.tellScreen(change)
    case .lock(let change): core.tellLock(change)
    case .idle(let change): server.send(change)
    }
  }

  /// Tells a client that its attachment has lost the responder: that it waits in the queue again,
  /// or that it is no more.
  private func end(
    _ attachment: AttachmentID, of client: ClientID, _ reason: Wire.DetachReason
  ) {
    core.holders.ended(attachment, of: client)
    core.tell(.detached(attachment, of: client, reason))
    if reason != .takenOver, core.attachQueue.requeue(attachment) {
      server.send(waiting: attachment, of: client, because: reason)
    } else {
      core.attachQueue.leave(attachment)
      server.send(detached: attachment, of: client, reason)
    }
  }

  /// Tells observers which recognizers take part, what they come to, and why they fail; of secure
  /// views nothing that says where a finger is. Rule F7.
  private func sendGestures(of deliveries: Deliveries, in layout: Layout) {
    func path(of id: RecognizerID) -> String? {
      core.pipeline.router.recognizer(id).flatMap { layout.isHidden($0) ? nil : $0.path }
    }
    for gesture in deliveries.observedGestures {
      guard gesture.change != .changed,
        let recognizer = core.pipeline.router.recognizer(gesture.recognizer),
        let shown = path(of: gesture.recognizer)
      else { continue }
      var text = ""
      if gesture.isPassedBy {
        text = core.pipeline.router.lackOfHearers(of: gesture.recognizer)
      }
      if case .failed(let reason) = gesture.change {
        text =
          gesture.isSecure
          ? reason.textWithoutDistances { path(of: $0) ?? Layout.hiddenGesture }
          : reason.text { path(of: $0) ?? Layout.hiddenGesture }
      }
      server.send(ObservedRecognizer(gesture, recognizer.description.kind, path: shown, text: text))
    }
  }
}

extension Deliveries.Entry {
  fileprivate var isLayout: Bool {
    if case .layout = self { true } else { false }
  }
}

extension Layout {
  /// What observers are told of a recognizer that they may not know.
  fileprivate static let hiddenGesture = "a gesture in a secure view"

  /// Whether a recognizer lies within a secure view, and not in that itself. Rule F7.
  fileprivate func isHidden(_ recognizer: RecognizerSpec) -> Bool {
    guard case .view(let path) = recognizer.owner, let view = view(at: path),
      let root = secureRoot(of: view)
    else { return false }
    return root != view
  }
}
