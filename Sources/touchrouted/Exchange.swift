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
  /// The way of a touch up to what its clients are sent.
  var pipeline: TouchPipeline
  /// What programs have set of the layout.
  var settings = ViewSettings()
  /// The touchscreens that clients have made up.
  var injected: [ClientID: InjectedDevice] = [:]
  var lastInjectedDevice: UInt32 = 0
  /// What the holders of windows are told of others' attachments. Rule F6.
  var notices = HolderNotices()

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
    pipeline = TouchPipeline(
      layout: configuration.layout, options: RouterOptions(configuration)
    ) { violation in
      logger.error("a mistake of touchrouted's own, please report it: \(violation)")
    }
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
      pipeline.advance(to: now)
    }
    noticeTimer = try DeadlineTimer(on: loop) {}
    loop.atEndOfTurn { [unowned self] in endTurn() }
  }

  /// The present, by the loop's reckoning.
  var now: Timestamp { Timestamp(microseconds: loop.now) }

  /// The way of a touch: what the devices reported goes through the pipeline, and what comes of it
  /// into the sessions' queues, which are sent at the end of the turn.
  func take(_ events: ReusableArray<DeviceEvent>) {
    server.reviewUnresponsive()
    pipeline.consume(events)
    deliver()
  }

  /// Sends what the turn has brought, and finds out until when somebody may decline (rule R5).
  func endTurn() {
    server.endTurn()
    if !notices.isEmpty { sendNotices() }
    if let deadline = pipeline.router.nextDeadline { decisionTimer?.include(deadline.microseconds) }
  }

  /// Cancels every live touch, tells the clients, and lets go of the sockets. Rule R9.
  ///
  /// - Parameter room: How many descriptors may be left to the next daemon.
  func stop(room: Int = 0) {
    pipeline.cancelAll(.stopping, at: now)
    deliver()
    if room > 0 { handOver(room: room) }
    server.stop()
  }

  /// Rule F3.
  private func setUnresponsive(_ client: ClientID, _ isUnresponsive: Bool) {
    pipeline.setUnresponsive(client, isUnresponsive, at: now)
    deliver()
  }
}
