import Configuration
import EventLoop
import Layout
import Logging
import Routing
import Server
import TouchModel

/// Where touches and clients meet: what the devices did goes in, and comes out in the queues of the
/// clients that get it. Everything happens within a turn of the loop.
final class Exchange {
  /// What a reload came to.
  enum Reload {
    /// What changed, in words.
    case applied(String)
    /// What is wrong with the configuration; the one in force stays.
    case refused(String)
  }

  let loop: EventLoop
  let server: Server
  let logger: Logger
  /// When it was made.
  let started: Timestamp
  var configuration: Configuration
  var sequencer = TouchSequencer()
  var router: Router
  /// What programs have set of the layout.
  var settings = ViewSettings()
  var checker = StreamChecker()
  /// The touchscreens that clients have made up.
  var injected: [ClientID: InjectedDevice] = [:]
  var lastInjectedDevice: UInt32 = 0
  /// What the holders of windows are told of others' attachments. Rule F6.
  var notices = HolderNotices()
  /// What the devices have reported; emptied and filled again with its capacity kept.
  private var events: ReusableArray<DeviceEvent> = []
  /// What the router wants sent; emptied and filled again with its capacity kept.
  var deliveries = Deliveries()
  /// Whether they were queued and are yet to be checked.
  var isUnchecked = false

  /// Wakes the router up when somebody has not declined in time. Rule R5.
  private var decisionTimer: DeadlineTimer?
  /// Makes a further turn for notices that one turn did not send.
  private(set) var noticeTimer: DeadlineTimer?

  /// Reads the configuration again, for a client that asks for it.
  var reload: () -> Reload = { .refused("there is nothing to read the configuration from") }
  /// The touchscreens, for a client that asks for them.
  var devices: () -> [DeviceStatus] = { [] }
  /// How many lines of the log were lost, for a client that asks for it.
  var lostLogLines: () -> UInt64 = { 0 }

  init(_ configuration: Configuration, loop: EventLoop, logger: Logger) throws(EventLoopError) {
    self.configuration = configuration
    self.loop = loop
    self.logger = logger
    started = Timestamp(microseconds: loop.now)
    router = Router(layout: configuration.layout, options: RouterOptions(configuration))
    server = try Server(
      loop: loop, greeting: Greeting(configuration), limits: ServerLimits(configuration),
      logger: logger)
    server.handler = { [unowned self] event in
      switch event {
      case .request(let token, let request): carryOut(request, token)
      case .changes(let batches): change(batches)
      case .wentAway(let client): wentAway(client)
      case .stoppedReading(let client): setUnresponsive(client, true)
      case .readsAgain(let client): setUnresponsive(client, false)
      }
    }
    decisionTimer = try DeadlineTimer(on: loop) { [unowned self] in
      router.advance(to: now)
      awaitDecisions()
    }
    noticeTimer = try DeadlineTimer(on: loop) {}
    loop.atEndOfTurn { [unowned self] in endTurn() }
  }

  /// The present, by the loop's reckoning.
  var now: Timestamp { Timestamp(microseconds: loop.now) }

  /// The way of a touch: events to frames, frames to deliveries, deliveries to the sessions'
  /// queues, which are sent at the end of the turn.
  ///
  /// - Parameter collect: Appends what the devices have reported.
  func take(_ collect: (inout ReusableArray<DeviceEvent>) -> Void) {
    server.reviewUnresponsive()
    beginDeliveries()
    events.removeAll()
    collect(&events)
    Self.route(&events, &sequencer, &checker, &router, &deliveries)
    // A touch is sent first, and checked behind that.
    isUnchecked = true
    queueDeliveries()
    awaitDecisions()
  }

  /// Sends what the turn has brought, and checks it.
  func endTurn() {
    server.endTurn()
    checkQueued()
    if !notices.isEmpty { sendNotices() }
  }

  /// The parts as arguments, in place: what is read from a property is held meanwhile, each of its
  /// arrays by a count.
  private static func route(
    _ events: inout ReusableArray<DeviceEvent>, _ sequencer: inout TouchSequencer,
    _ checker: inout StreamChecker, _ router: inout Router, _ deliveries: inout Deliveries
  ) {
    sequencer.consume(events) { frame in
      checker.note(frame)
      router.route(frame, into: &deliveries)
    }
  }

  /// Cancels every live touch, tells the clients, and lets go of the sockets. Rule R9.
  ///
  /// - Parameter room: How many descriptors may be left to the next daemon.
  func stop(room: Int = 0) {
    beginDeliveries()
    router.cancelAll(.stopping, at: now, into: &deliveries)
    deliver()
    if room > 0 { handOver(room: room) }
    server.stop()
  }

  func awaitDecisions() {
    if let deadline = router.nextDeadline { decisionTimer?.include(deadline.microseconds) }
  }

  /// Rule F3.
  private func setUnresponsive(_ client: ClientID, _ isUnresponsive: Bool) {
    beginDeliveries()
    router.setUnresponsive(client, isUnresponsive, at: now, into: &deliveries)
    deliver()
  }
}
