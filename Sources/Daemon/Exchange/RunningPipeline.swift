import Configuration
import EventLoop
import Gestures
import Layout
import Logging
import Routing
import Server
import TouchModel

/// Runs the pipeline: asks it for things, and has the outbox send what comes of that. Nobody else
/// can change the pipeline, and it has returned before anything is sent.
final class RunningPipeline {
  /// The pipeline, to be looked at.
  private(set) var state: TouchPipeline
  private let server: Server
  private let outbox: Outbox
  private let observers: ObserverFeed
  private let loop: EventLoop
  /// Wakes the pipeline when a client has not declined in time, and when a recognizer is due. Rules
  /// R5 and G15.
  private var decisionTimer: DeadlineTimer?
  /// Takes what touchscreens have reported by now.
  var takeReports: () -> Void = {}

  init(
    _ rights: ClientRights, server: Server, outbox: Outbox, observers: ObserverFeed,
    on loop: EventLoop, logger: Logger
  ) throws(EventLoopError) {
    let configuration = rights.configuration
    self.server = server
    self.outbox = outbox
    self.observers = observers
    self.loop = loop
    state = TouchPipeline(
      layout: configuration.layout, gestures: configuration.gestures,
      options: RouterOptions(configuration)
    ) { violation in
      logger.error("a mistake of touchrouted's own, please report it: \(violation)")
    }
    state.readers = SecureReaders { rights.claims(to: $0) }
    // A long press is due when it is due, not when it suits other timers.
    decisionTimer = try DeadlineTimer(on: loop, accuracy: 100) { [unowned self] in
      let now = now
      // What fingers did before it was due comes first, also where the daemon stood still.
      takeReports()
      update { $0.advance(to: now) }
    }
  }

  /// The present, by the loop's reckoning.
  var now: Timestamp { Timestamp(microseconds: loop.now) }

  /// The layout in force.
  var layout: Layout { state.layout }

  /// The number of the layout in force.
  var generation: UInt32 { state.router.generation }

  /// Who holds which responder.
  var attachments: AttachmentTable { _read { yield state.router.attachments } }

  /// Who gets which touch.
  var router: Router { _read { yield state.router } }

  // MARK: - The way of a touch

  /// Routes what touchscreens have reported, and queues what comes of it. Rules T2 and R4.
  ///
  /// - Parameter flags: What is special about the touches that begin with it.
  @inline(__always)
  func take(_ events: ReusableArray<DeviceEvent>, flags: TouchFlags = []) {
    server.reviewUnresponsive()
    state.consume(events, flags: flags)
    let isReported = !flags.contains(.injected)
    outbox.send(state.takeDeliveries(), of: self, isReported: isReported)
  }

  /// Asks the pipeline for something, and queues what comes of it.
  func update<Result, Failure>(
    _ change: (inout TouchPipeline) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let result = try change(&state)
    outbox.send(state.takeDeliveries(), of: self)
    return result
  }

  /// Has what the turn has brought checked, once it is sent (rule T5), so that no touch waits for
  /// that; has the pipeline woken when it is due (rules R5 and G15).
  func endTurn() {
    state.finishDeliveries()
    if let deadline = state.nextDeadline {
      decisionTimer?.include(deadline.microseconds)
    }
  }

  // MARK: - Settings

  /// Takes limits and times of another configuration.
  func configure(_ new: Configuration) { state.options = RouterOptions(new) }

  /// Has touches reported where a client observes them, and only there. Rule F7.
  func reviewObservers() {
    state.isObserved = server.hasObservers
    observers.review()
  }

  // MARK: - Layouts

  /// Puts a layout in force that has the same views. Rule R8.
  func change(to new: LayoutReplacement) {
    outbox.put(new.addedCounts)
    let now = now
    update { $0.replaceLayout(new.layout, prepared: new.prepared, at: now) }
    tellLayout()
  }

  /// Puts a layout in force that may have other views, and where it is that of a new configuration
  /// other screens. Rule R8.
  ///
  /// - Parameters:
  ///   - gestures: The recognizers; nil where they stay.
  ///   - greeting: What clients are told of the screens.
  /// - Returns: The attachments that have ended, as the layout has no such responder.
  func replace(
    by new: LayoutReplacement, gestures: [RecognizerSpec]? = nil, announcing greeting: Greeting
  ) -> [AttachmentID] {
    outbox.put(new.addedCounts)
    let old = layout
    state.replaceLayout(new.layout, prepared: new.prepared, gestures: gestures, at: now)
    outbox.send(state.takeDeliveries(), ofReplaced: old, announcing: greeting, of: self)
    tellLayout()
    outbox.tellAddedCounts(of: self)
    return state.deliveries.endedAttachments
  }

  /// Tells observers that the layout or the recognizers have changed. Rule F7.
  func tellLayout() { observers.tell(.layout(generation: generation)) }

  /// Queues the geometry of an attachment.
  func send(layoutOf attachment: Attachment) { outbox.send(layoutOf: attachment, of: self) }
}

extension Deliveries {
  /// The attachments that have ended though nobody asked.
  fileprivate var endedAttachments: [AttachmentID] {
    entries.indices.compactMap {
      if case .detached(_, let attachment, _) = entries[$0] { attachment } else { nil }
    }
  }
}
