import Configuration
import DaemonLog
import EventLoop
import Exchange
import Glibc
import Layout
import Logging
import Routing
import Server
import Signals
import TouchInput
import TouchModel

/// The daemon: its touchscreens, its sockets and its configuration around an ``Exchange``.
final class Daemon {
  let options: Options
  let logger: Logger
  let loop: EventLoop
  let exchange: Exchange
  private let seat: LibinputSeat
  private let logFlusher: LogFlusher
  private let notifier: ServiceNotifier
  private let reloader: Reloader
  /// What the touchscreens have reported; emptied and filled again with its capacity kept.
  private var events: ReusableArray<DeviceEvent> = []
  /// The number of touchscreens that the service manager was last told.
  private var knownDevices: TouchDeviceCount
  /// The clients of the previous daemon, until they are taken over.
  private var kept: KeptDescriptors

  /// Loads the configuration, opens the sockets and then the touchscreens.
  ///
  /// - Parameter log: Where the logger's lines go.
  /// - Throws: the reason why the daemon can't start.
  init(_ options: Options, logger: Logger, log: NonblockingLog) throws(StartError) {
    var source = ConfigurationSource(
      options, stateDirectory: getenv("STATE_DIRECTORY").map { String(cString: $0) }, logger: logger
    )
    let configuration = try source.start()
    Daemon.raiseDescriptorLimit(for: configuration, logger: logger)
    do throws(EventLoopError) {
      loop = try EventLoop()
      exchange = try Exchange(configuration, loop: loop, logger: logger)
    } catch { throw StartError(error) }
    notifier = ServiceNotifier(on: loop)
    reloader = Reloader(source, for: exchange, on: loop, logger: logger)
    exchange.status.lostLogLines = { log.lostCount }
    logFlusher = LogFlusher(log, on: loop)
    kept = try Daemon.openSockets(of: exchange, options, logger)
    do throws(TouchInputError) {
      seat = try LibinputSeat(
        source: options.source, rules: configuration.devices,
        screens: configuration.layout.screens, logger: logger)
    } catch {
      exchange.server.stop()
      throw StartError(error)
    }
    knownDevices = seat.deviceCount
    self.options = options
    self.logger = logger
  }

  /// Serves until a signal ends the daemon. Returns the exit status.
  func run() throws(StartError) -> Int32 {
    serveReloads()
    exchange.status.configuration = { [unowned self] in reloader.source.description }
    exchange.ungrabbing.ungrab = { [unowned self] in seat.ungrab($0) }
    exchange.ungrabbing.grabAgain = { [unowned self] in seat.grabAgain($0) }
    exchange.status.devices = { [unowned self] in seat.devices.map { DeviceStatus($0) } }
    seat.observeFilters(if: { [exchange] in exchange.server.hasObservers }) { [exchange] in
      exchange.tell($0)
    }
    seat.askAim { [exchange] in
      exchange.aim(at: $0, on: $1).map { TapOffset(target: $0.view.rawValue, offset: $0.offset) }
    }
    seat.observeHealth { [exchange] in exchange.server.send($0) }
    exchange.store = { [notifier] descriptors, name throws(EventLoopError) in
      try notifier.store(descriptors, name: name)
    }
    notifier.onFailure = { [logger] in logger.warning("\($0)") }
    do throws(EventLoopError) {
      // A strong reference, for ever: the daemon ends with its process.
      try seat.attach(to: loop) { self.takeTouches() }
      exchange.takeReports = { self.takeTouches() }
      try loop.addSignal(SIGHUP) { [unowned self] in reloader.reload { _ in } }
      for signal in [SIGTERM, SIGINT] {
        try loop.addSignal(signal) { [unowned self] in stop(signal) }
      }
      try notifier.enableWatchdog()
      try takeOverClients()
      try notifier.ready(status: status)
      logger.notice("ready: \(status)")
      // On the loop's thread: no client waits before the first turn.
      if let keep = reloader.source.keeping() { reloader.source.noteKeeping(keep()) }
      let status = try loop.run()
      finishTelling()
      return status
    } catch { throw StartError(error) }
  }

  /// Sends the service manager what is still queued for it, before the process ends.
  private func finishTelling() {
    notifier.finish(milliseconds: Self.lastWordsMilliseconds)
    guard notifier.waitingCount > 0 else { return }
    logger.warning("systemd has not read what it was told: \(notifier.waitingCount) messages")
  }

  /// Well within TimeoutStopSec= of the unit.
  private static let lastWordsMilliseconds: Int32 = 2_000

  /// Called last: if a start fails, the service manager keeps the clients for the next start.
  private func takeOverClients() throws(EventLoopError) {
    guard !kept.isEmpty else { return }
    exchange.takeOver(kept)
    for name in [KeptDescriptors.sessionName, KeptDescriptors.stateName] {
      try notifier.forget(name)
    }
  }

  /// Takes what the touchscreens report. Each touch goes from here to ``Exchange/take(_:)``.
  private func takeTouches() {
    events.removeAll()
    seat.dispatch(into: &events)
    exchange.take(events)
    guard seat.deviceCount != knownDevices else { return }
    knownDevices = seat.deviceCount
    notify { () throws(EventLoopError) in try notifier.status(status) }
  }

  /// Reloads the configuration on request. An invalid configuration changes nothing.
  private func serveReloads() {
    exchange.reload = { [unowned self] in reloader.reload($0) }
    reloader.began = { [unowned self] in
      notify { () throws(EventLoopError) in try notifier.reloading(now: loop.now) }
    }
    reloader.ended = { [unowned self] in
      notify { () throws(EventLoopError) in try notifier.ready(status: status) }
    }
    exchange.configured = { [unowned self] in followDevices($0) }
    reloader.apply = { [unowned self] in exchange.apply($0, then: $1) }
  }

  /// Has the touchscreens map to the screens of a configuration that has come in force.
  private func followDevices(_ new: Configuration) {
    events.removeAll()
    seat.updateRules(new.devices, screens: new.layout.screens, into: &events)
    exchange.take(events)
  }

  private func stop(_ signal: Int32) {
    notify { () throws(EventLoopError) in try notifier.stopping() }
    logger.notice("stopping on \(signal == SIGINT ? "SIGINT" : "SIGTERM")")
    // The service manager does not say whether this is a stop or a restart. If no daemon takes the
    // sockets over, it closes them.
    exchange.stop(capacity: signal == SIGTERM ? ServiceManager.storeCapacity : 0)
    loop.exit(code: EXIT_SUCCESS)
  }

  /// What `systemctl status` shows.
  private var status: String {
    let layout = exchange.pipeline.router.layout
    return "screens: \(layout.screens.count), windows: \(layout.windows.count), "
      + "views: \(layout.viewCount), touchscreens: \(knownDevices.used)"
      + (knownDevices.ignored > 0 ? ", ignored: \(knownDevices.ignored)" : "")
      + (reloader.source.isKept ? "; configuration: \(reloader.source.description)" : "")
  }

  /// Tells the service manager something, if there is one. A failure is only logged.
  private func notify(_ call: () throws(EventLoopError) -> Bool) {
    do throws(EventLoopError) { _ = try call() } catch { logger.warning("\(error)") }
  }
}
