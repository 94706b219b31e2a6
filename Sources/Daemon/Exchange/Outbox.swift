import Gestures
import Layout
import Routing
import Server
import TouchModel
import Wire

/// Queues what the pipeline wants sent, for its clients and for observers. The pipeline has
/// returned by then.
final class Outbox {
  private let server: Server
  private let observers: ObserverFeed
  private let holders: HolderNotifier
  private let screens: ScreenNotifier
  private let feedback: FeedbackNotifier
  private let queue: AttachQueue
  /// How many views are there that each has added.
  private var addedCounts: [LayoutSetter: Int] = [:]
  /// The same as clients were told last.
  private var toldCounts: [LayoutSetter: Int] = [:]

  /// - Parameters:
  ///   - observers: Hear of ends of attachments, and of lifted fingers.
  ///   - holders: Hear of ends of attachments in their windows.
  ///   - screens: Tells clients of screens.
  ///   - feedback: Tells clients of feedback.
  ///   - queue: Where attachments wait that lose their responder.
  init(
    _ server: Server, observers: ObserverFeed, holders: HolderNotifier, screens: ScreenNotifier,
    feedback: FeedbackNotifier, queue: AttachQueue
  ) {
    self.server = server
    self.observers = observers
    self.holders = holders
    self.screens = screens
    self.feedback = feedback
    self.queue = queue
  }

  // MARK: - Deliveries

  /// Queues all of it, in order.
  ///
  /// - Parameter isReported: Whether it comes of what a touchscreen reported: of that observers are
  ///   told behind the clients.
  @inline(__always)
  func send(_ deliveries: Deliveries, of pipeline: RunningPipeline, isReported: Bool = false) {
    let layout = pipeline.layout
    for index in deliveries.entries.indices { send(index, of: deliveries, in: layout, pipeline) }
    observers.tellLifts(of: deliveries)
    if !deliveries.observations.isEmpty {
      if isReported {
        server.sendLater(deliveries.observations, layout: layout)
      } else {
        server.send(deliveries.observations, layout: layout)
      }
    }
    if !deliveries.observedGestures.isEmpty { sendGestures(of: deliveries, in: layout, pipeline) }
  }

  /// Queues what a replaced layout has brought.
  ///
  /// What was cancelled is told in the old layout's terms, the new geometry in those of the new
  /// screens, which are therefore announced in between.
  func send(
    _ deliveries: Deliveries, ofReplaced old: Layout, announcing greeting: Greeting,
    of pipeline: RunningPipeline
  ) {
    observers.tellLifts(of: deliveries)
    server.send(deliveries.observations, layout: old)
    sendGestures(of: deliveries, in: old, pipeline)
    for index in deliveries.entries.indices where !deliveries.entries[index].isLayout {
      send(index, of: deliveries, in: old, pipeline)
    }
    server.greeting = greeting
    for index in deliveries.entries.indices where deliveries.entries[index].isLayout {
      send(index, of: deliveries, in: pipeline.layout, pipeline)
    }
  }

  /// Queues one message for its client.
  ///
  /// - Parameter layout: The one whose views the records speak of.
  @inline(__always)
  private func send(
    _ index: Int, of deliveries: Deliveries, in layout: Layout, _ pipeline: RunningPipeline
  ) {
    switch deliveries.entries[index] {
    case .frame(let frame): server.send(frame, of: deliveries.records, in: layout)
    case .gesture(let index):
      server.send(deliveries.gestures[index], of: deliveries.origins[index])
    case .layout(_, let id):
      if let attachment = pipeline.attachments[id] { send(layoutOf: attachment, of: pipeline) }
    case .detached(let client, let attachment, let reason): end(attachment, of: client, reason)
    case .screen(let change): screens.tell(change, of: pipeline)
    case .lock(let change): screens.tell(change, of: pipeline)
    case .idle(let change): server.send(change)
    case .feedback(let index): feedback.tell(deliveries.feedbacks[index], in: layout)
    }
  }

  /// Tells a client that its attachment has lost the responder: that it waits in the queue again,
  /// or that it is no more.
  private func end(
    _ attachment: AttachmentID, of client: ClientID, _ reason: Wire.DetachReason
  ) {
    holders.ended(attachment, of: client)
    observers.tell(.detached(attachment, of: client, reason))
    if reason != .takenOver, queue.requeue(attachment) {
      server.send(waiting: attachment, of: client, because: reason)
    } else {
      queue.leave(attachment)
      server.send(detached: attachment, of: client, reason)
    }
  }

  // MARK: - Geometry

  /// Takes in how many views are there that each has added, which clients are told with the
  /// geometry.
  func put(_ counts: [LayoutSetter: Int]) { addedCounts = counts }

  /// Queues the geometry of an attachment.
  func send(layoutOf attachment: Attachment, of pipeline: RunningPipeline) {
    server.send(
      layoutOf: attachment, in: pipeline.layout, generation: pipeline.generation,
      addedCount: addedCounts[.attachment(attachment.id.rawValue)] ?? 0)
  }

  /// Tells the clients that have lost some of the views that they added, also where other views are
  /// in their places. Rule L7.
  func tellAddedCounts(of pipeline: RunningPipeline) {
    let before = toldCounts
    toldCounts = addedCounts
    let fewer = before.filter { addedCounts[$0.key] ?? 0 < $0.value }.keys
    for id in fewer.compactMap(\.attachment).sorted(by: { $0.rawValue < $1.rawValue }) {
      if let attachment = pipeline.attachments[id] { send(layoutOf: attachment, of: pipeline) }
    }
  }

  // MARK: - Recognizers

  /// Tells observers which recognizers take part, what they come to, and why they fail; of secure
  /// views nothing that says where a finger is. Rule F7.
  private func sendGestures(
    of deliveries: Deliveries, in layout: Layout, _ pipeline: RunningPipeline
  ) {
    func path(of id: RecognizerID) -> String? {
      pipeline.router.recognizer(id).flatMap { layout.isHidden($0) ? nil : $0.path }
    }
    for gesture in deliveries.observedGestures {
      guard gesture.change != .changed,
        let recognizer = pipeline.router.recognizer(gesture.recognizer),
        let shown = path(of: gesture.recognizer)
      else { continue }
      var text = ""
      if gesture.isPassedBy {
        text = pipeline.router.lackOfHearers(of: gesture.recognizer)
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
