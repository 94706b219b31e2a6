import Configuration
import EventLoop
import Gestures
import Layout
import Logging
import Routing
import Server
import TouchModel

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
  /// Tells who is to know of a screen's other state. Rule D2.
  var tellScreen: (ScreenPower.Change) -> Void = { _ in }
  /// Tells those of a lock who watch screens. Rule D9.
  var tellLock: (TouchLocks.Change) -> Void = { _ in }
  /// The attachments that wait for their responder.
  var attachQueue = AttachQueue()
  /// How many views are there that each has added.
  var addedCounts: [LayoutSetter: Int] = [:]
  /// The same as clients were told last.
  private var toldCounts: [LayoutSetter: Int] = [:]
  /// The configuration in force.
  private(set) var configuration: Configuration
  /// The way of a touch up to what its clients are sent.
  private(set) var pipeline: TouchPipeline
  /// Whether somebody wants to know what else decides where touches go. Rule F7.
  private var isRecorded = false
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

  /// Queues what the pipeline wants sent.
  private var outbox: Outbox { Outbox(of: self) }

  /// Routes what touchscreens have reported, and queues what comes of it. Rules T2 and R4.
  ///
  /// - Parameter flags: What is special about the touches that begin with it.
  @inline(__always)
  func take(_ events: ReusableArray<DeviceEvent>, flags: TouchFlags = []) {
    server.reviewUnresponsive()
    pipeline.consume(events, flags: flags)
    outbox.send(pipeline.takeDeliveries())
  }

  /// Asks the pipeline for something, and queues what comes of it.
  func update<Result, Failure>(
    _ change: (inout TouchPipeline) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let result = try change(&pipeline)
    outbox.send(pipeline.takeDeliveries())
    return result
  }

  /// Has touches reported where somebody observes them, and only there. Rule F7.
  func observe() {
    pipeline.isObserved = server.hasObservers
    isRecorded = server.hasRecorders
  }

  /// Tells what else decides where touches go, where somebody wants to know. Rule F7.
  func tell(_ change: @autoclosure () -> ObservedChange) {
    if isRecorded { server.send(change(), at: now) }
  }

  /// Tells which fingers were lifted though nobody hears of that yet. Rules F7 and G10.
  func tellLifts(of deliveries: Deliveries) {
    guard isRecorded else { return }
    for (touch, time) in deliveries.heldEnds { server.send(.lifted(touch), at: time) }
  }

  /// Tells that the layout or the recognizers have changed.
  func tellLayout() { tell(.layout(generation: generation)) }

  /// Tells a client that begins to observe what is so now.
  func tellPresent(_ client: ClientID) {
    let now = now
    server.send(.layout(generation: generation), at: now, to: client)
    var silent: Set<ClientID> = []
    for attachment in pipeline.router.attachments.all {
      let path = layout.path(of: attachment.responder)
      server.send(.attached(attachment, path: path), at: now, to: client)
      let holder = attachment.client
      if server.isUnresponsive(holder), silent.insert(holder).inserted {
        server.send(.reads(holder, false), at: now, to: client)
      }
    }
  }

  /// Tells observers what filters have done; of touches in secure views not where. Rules N1 and F7.
  func tell(_ notes: ReusableArray<SignalNote>) {
    for note in notes {
      let touch = note.slot.flatMap { pipeline.sequencer.touch(in: $0, of: note.device) }
      let isSecure =
        touch.map { pipeline.router.isSecure($0) }
        ?? pipeline.router.isSecure(note.location, on: note.screen)
      server.send(note, of: touch, isSecure: isSecure)
    }
  }

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
    tellLayout()
    if let prepared { discarded.add(prepared) }
  }

  /// Puts a layout in force that may have other views, and where it is that of a new configuration
  /// other screens. Rule R8.
  ///
  /// - Parameter prepared: What was made ahead for it.
  /// - Returns: The attachments that have ended, as the layout has no such responder.
  func replaceLayout(
    _ new: Layout, _ prepared: PreparedLayout? = nil, gestures: [RecognizerSpec]? = nil,
    announcing greeting: Greeting
  ) -> [AttachmentID] {
    let old = layout
    pipeline.replaceLayout(new, prepared: prepared, gestures: gestures, at: now)
    outbox.send(pipeline.takeDeliveries(), ofReplaced: old, announcing: greeting)
    tellLayout()
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

extension Deliveries {
  /// The attachments that have ended though nobody asked.
  fileprivate var endedAttachments: [AttachmentID] {
    entries.indices.compactMap {
      if case .detached(_, let attachment, _) = entries[$0] { attachment } else { nil }
    }
  }
}
