import Configuration
import EventLoop
import Gestures
import Layout
import Logging
import Routing
import Server
import TouchModel
import Wire

/// What the parts of an ``Exchange`` share: the configuration in force, the pipeline, and the
/// server to whose clients all goes that comes of it.
final class Core {
  let loop: EventLoop
  let server: Server
  let logger: Logger
  /// What the holders of windows are told of others.
  let holders: HolderNotifier
  /// What takes long to be freed.
  let discarded: DeferredRelease
  /// What is estimated to take longer is done beside the loop, in microseconds. Rule F1.
  let quickMicroseconds: Int
  /// Why a client may not have so many bytes more kept; nil where it may. Rule F5.
  var refusalOfKeeping: (Int, ClientID) -> String? = { _, _ in nil }
  /// The attachments that wait for their responder.
  var attachQueue = AttachQueue()
  /// How many views are there that each has added.
  var addedCounts: [LayoutSetter: Int] = [:]
  /// The same as clients were told last.
  private var toldCounts: [LayoutSetter: Int] = [:]
  /// The configuration in force.
  private(set) var configuration: Configuration
  /// The way of a touch up to what its clients are sent. What is in its deliveries is queued.
  private(set) var pipeline: TouchPipeline
  /// Wakes the pipeline when somebody has not declined in time, and when a recognizer is due. Rules
  /// R5 and G15.
  private var decisionTimer: DeadlineTimer?

  init(
    _ configuration: Configuration, loop: EventLoop, quickMicroseconds: Int, logger: Logger
  ) throws(EventLoopError) {
    self.configuration = configuration
    self.quickMicroseconds = quickMicroseconds
    discarded = DeferredRelease(on: loop)
    self.loop = loop
    self.logger = logger
    pipeline = TouchPipeline(
      layout: configuration.layout, gestures: configuration.gestures,
      options: RouterOptions(configuration)
    ) { violation in
      logger.error("a mistake of touchrouted's own, please report it: \(violation)")
    }
    server = try Server(
      loop: loop, greeting: Greeting(configuration), limits: ServerLimits(configuration),
      logger: logger)
    holders = try HolderNotifier(server, on: loop)
    pipeline.readers = SecureReaders { [unowned self] in claim(of: $0, to: $1) }
    // A long press is due when it is due, not when it suits other timers.
    decisionTimer = try DeadlineTimer(on: loop, accuracy: 100) { [unowned self] in
      let now = now
      update { $0.advance(to: now) }
    }
  }

  /// The present, by the loop's reckoning.
  var now: Timestamp { Timestamp(microseconds: loop.now) }

  /// The layout in force.
  var layout: Layout { pipeline.layout }

  /// The number of the layout in force.
  var generation: UInt32 { pipeline.router.generation }

  // MARK: - The way of a touch

  /// Routes what touchscreens have reported, and queues what comes of it. Rules T2 and R4.
  ///
  /// - Parameter flags: What is special about the touches that begin with it.
  func take(_ events: ReusableArray<DeviceEvent>, flags: TouchFlags = []) {
    server.reviewUnresponsive()
    pipeline.consume(events, flags: flags)
    pipeline.deliver(to: self)
  }

  /// Asks the pipeline for something, and queues what comes of it.
  func update<Result, Failure>(
    _ change: (inout TouchPipeline) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let result = try change(&pipeline)
    pipeline.deliver(to: self)
    return result
  }

  /// Has touches reported where somebody observes them, and only there. Rule F7.
  func observe() { pipeline.isObserved = server.hasObservers }

  /// Sends what the turn has brought, and only then has it checked (rule T5), so that nobody waits
  /// for that; has the pipeline woken when it is due (rules R5 and G15).
  func endTurn() {
    server.endTurn()
    pipeline.finishDeliveries()
    holders.endTurn()
    discarded.clear()
    if let deadline = pipeline.nextDeadline {
      decisionTimer?.include(deadline.microseconds)
    }
  }

  // MARK: - Configurations

  /// Puts a configuration in force, but for its layout: limits and times, and the users' names are
  /// looked up again.
  ///
  /// - Parameter isLong: Whether it takes long to free the one before.
  func configure(_ new: Configuration, isLong: Bool = false) {
    if isLong { discarded.add(configuration) }
    configuration = new
    pipeline.options = RouterOptions(new)
    server.limits = ServerLimits(new)
    server.lookAgainForUsers()
  }

  /// Puts a layout in force that has the same views. Rule R8.
  ///
  /// - Parameter prepared: What was made ahead for it.
  func changeLayout(_ new: Layout, _ prepared: PreparedLayout?) {
    let now = now
    update { $0.replaceLayout(new, prepared: prepared, at: now) }
    if let prepared { discarded.add(prepared) }
  }

  /// Puts a layout in force that may have other views, and where it is that of a new configuration
  /// other screens. Rule R8.
  ///
  /// What was cancelled is told in the old layout's terms, the new geometry in those of the new
  /// screens, which are therefore announced in between.
  ///
  /// - Parameter prepared: What was made ahead for it.
  /// - Returns: The attachments that have ended, as the layout has no such responder.
  func replaceLayout(
    _ new: Layout, _ prepared: PreparedLayout? = nil, gestures: [RecognizerSpec]? = nil,
    announcing greeting: Greeting
  ) -> [AttachmentID] {
    let old = layout
    pipeline.replaceLayout(new, prepared: prepared, gestures: gestures, at: now)
    for observation in pipeline.deliveries.observations { server.send(observation, layout: old) }
    if pipeline.isObserved { pipeline.observeGestures(for: self, in: old) }
    pipeline.queue(to: self, layout: old) { !$0.isLayout }
    server.greeting = greeting
    pipeline.queue(to: self, layout: layout) { $0.isLayout }
    pipeline.noteSent()
    tellAddedCounts()
    if let prepared { discarded.add(prepared) }
    return pipeline.deliveries.endedAttachments
  }

  /// Tells those of whose added views some are gone, also where others are in their places. Rule
  /// L7.
  private func tellAddedCounts() {
    let before = toldCounts
    toldCounts = addedCounts
    let fewer = before.filter { addedCounts[$0.key] ?? 0 < $0.value }.keys
    for id in fewer.compactMap(\.attachment).sorted(by: { $0.rawValue < $1.rawValue }) {
      if let attachment = pipeline.router.attachments[id] { send(layoutOf: attachment) }
    }
  }

  /// Queues the geometry of an attachment.
  func send(layoutOf attachment: Attachment) {
    server.send(
      layoutOf: attachment, in: layout, generation: generation,
      addedCount: addedCounts[.attachment(attachment.id.rawValue)] ?? 0)
  }
}

extension TouchPipeline {
  /// Queues what is to be sent for its clients, in order.
  @inline(__always)
  fileprivate mutating func deliver(to core: Core) {
    guard hasUnsent else { return }
    queue(to: core, layout: layout) { _ in true }
    for observation in deliveries.observations {
      core.server.send(observation, layout: layout)
    }
    if isObserved { observeGestures(for: core, in: layout) }
    noteSent()
  }

  /// Queues the messages that are meant for their clients, in order.
  ///
  /// - Parameter layout: The one whose views the records speak of.
  @inline(__always)
  fileprivate func queue(
    to core: Core, layout: Layout, where isMeant: (Deliveries.Entry) -> Bool
  ) {
    for index in deliveries.entries.indices where isMeant(deliveries.entries[index]) {
      queue(deliveries.entries[index], to: core, layout: layout)
    }
  }

  /// Tells observers which recognizers take part, what they come to, and why they fail; of secure
  /// views nothing that says where a finger is. Rule F7.
  fileprivate func observeGestures(for core: Core, in layout: Layout) {
    func path(of id: RecognizerID) -> String? {
      router.recognizer(id).flatMap { layout.isHidden($0) ? nil : $0.path }
    }
    for index in deliveries.observedGestures.indices {
      let gesture = deliveries.observedGestures[index]
      guard gesture.change != .changed, let recognizer = router.recognizer(gesture.recognizer),
        let shown = path(of: gesture.recognizer)
      else { continue }
      var text = gesture.isPassedBy ? router.lackOfHearers(of: gesture.recognizer) : ""
      if case .failed(let reason) = gesture.change {
        text =
          gesture.isSecure
          ? reason.textWithoutDistances { path(of: $0) ?? Layout.hiddenGesture }
          : reason.text { path(of: $0) ?? Layout.hiddenGesture }
      }
      core.server.send(
        ObservedRecognizer(gesture, recognizer.description.kind, path: shown, text: text))
    }
  }

  @inline(__always)
  private func queue(_ entry: Deliveries.Entry, to core: Core, layout: Layout) {
    switch entry {
    case .frame(let frame):
      core.server.send(frame, of: deliveries.records, in: layout)
    case .layout(_, let id):
      guard let attachment = router.attachments[id] else { return }
      core.server.send(
        layoutOf: attachment, in: router.layout, generation: router.generation,
        addedCount: core.addedCounts[.attachment(id.rawValue)] ?? 0)
    case .gesture(let index):
      // Of what fails observers alone hear.
      if case .failed = deliveries.gestures[index].event.change { return }
      if let origin = router.origin(of: deliveries.gestures[index].event) {
        core.server.send(deliveries.gestures[index], of: origin.kind, at: origin.path)
      }
    case .detached(let client, let attachment, let reason):
      core.end(attachment, of: client, reason)
    }
  }
}

extension Core {
  /// Tells a client that its attachment has lost the responder: that it stands in line again, or
  /// that it is no more.
  fileprivate func end(
    _ attachment: AttachmentID, of client: ClientID, _ reason: Wire.DetachReason
  ) {
    holders.ended(attachment, of: client)
    if reason != .takenOver, attachQueue.requeue(attachment) {
      server.send(waiting: attachment, of: client, because: reason)
    } else {
      attachQueue.leave(attachment)
      server.send(detached: attachment, of: client, reason)
    }
  }
}

extension Deliveries {
  /// The attachments that have ended though nobody asked.
  fileprivate var endedAttachments: [AttachmentID] {
    entries.indices.compactMap {
      if case .detached(_, let attachment, _) = entries[$0] { attachment } else { nil }
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
