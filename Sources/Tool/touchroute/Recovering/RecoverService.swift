import Glibc
import Recovery
import TouchClient
import TouchModel

/// `touchroute recover` while it runs. Rule N11.
///
/// The daemon says which touchscreen is ill, by a number. Whether that is the one meant is decided
/// by what the kernel says of it: a daemon that lies has no other device unbound.
final class RecoverService {
  private let name: String
  private let means: RecoveryMeans
  private let sysfs: Sysfs
  private let daemon: Daemon
  private let kept = KeptRecoveries(in: KeptRecoveries.folder)
  private var plan: RecoveryPlan
  /// When touchscreens were recovered lately.
  private var times: [UInt64]
  /// A touchscreen that is off, because it could not be given back, and when to try again.
  private var off: (interruption: Interruption, retry: UInt64)?
  private var nodes: [UInt32: String] = [:]
  /// The question what is wrong, until it is answered.
  private var question: Serial?
  private var mustAsk = false

  /// The environment's name for another folder than /sys, for tests.
  private static let sysfsVariable = "TOUCHROUTE_SYSFS"
  /// How long a touchscreen that could not be given back waits for the next try, in microseconds.
  private static let retryMicroseconds: UInt64 = 60_000_000

  init(
    named name: String, by means: RecoveryMeans, on faults: Set<String>, perHour limit: Int,
    socket: String?
  ) throws {
    self.name = name
    self.means = means
    sysfs = Sysfs(getenv(Self.sysfsVariable).map { String(cString: $0) } ?? "/sys")
    let before = kept.read(at: Self.now)
    times = before.times
    plan = RecoveryPlan(faults, budget: RecoveryBudget(limit: limit, times: before.times))
    off = before.interruption.map { ($0, 0) }
    daemon = try Daemon(
      .control, path: socket, output: Output(needsReader: false), name: "touchroute recover",
      reconnects: true)
    // From now on they wait while a touchscreen is off.
    daemon.watch(try AwaitedSignals(AwaitedSignals.endings)) { AwaitedSignals.end(by: $0) }
  }

  private static var now: UInt64 { MonotonicClock.now / 1_000 }

  /// Runs until a signal ends it.
  func run() throws {
    while true {
      giveBack()
      try ask()
      try carryOut()
      // What the plan has due waits for an answer, and for a touchscreen that is off.
      let planned = mayStep ? plan.deadline : nil
      guard let due = [planned, off?.retry].compactMap({ $0 }).min() else {
        try daemon.next(handle)
        continue
      }
      _ = try daemon.wait(until: due * 1_000, handle)
    }
  }

  // MARK: - What the daemon says

  private func observe() throws(Failure) {
    do throws(TouchClientError) { try daemon.connection.observeHealth() } catch {
      // It is lost again: the next one brings another welcome.
      guard error.kind == .away else { throw Failure(error.description) }
    }
  }

  private func handle(_ event: TouchEvent) throws {
    switch event {
    case .welcome:
      try observe()
      mustAsk = true
    case .lost:
      plan.forget()
      (nodes, question, mustAsk) = ([:], nil, false)
    case .observedSignal(let signal) where signal.finding.isFault:
      if signal.isOver {
        plan.heard(signal.finding.word, of: signal.device.rawValue, isOver: true)
      } else {
        mustAsk = true
      }
    case .status(_, .device(let device)): nodes[device.device.rawValue] = device.node
    case .status(_, .signal(let signal)) where signal.finding.isFault:
      plan.heard(signal.finding.word, of: signal.device.rawValue, isOver: false)
    case .done(let completion) where completion.serial == question:
      question = nil
      leaveOthers()
    case .failed(let failure): throw Failure(failure)
    default: break
    }
  }

  /// Asks what is wrong with which touchscreen, and where that is.
  private func ask() throws(Failure) {
    guard mustAsk, question == nil else { return }
    mustAsk = false
    nodes = [:]
    do throws(TouchClientError) { question = try daemon.connection.status() } catch {
      // Heard of next, and then asked anew.
      guard error.kind == .away else { throw Failure(error.description) }
    }
  }

  /// Leaves alone what is not the touchscreen that is meant, by what the kernel says of it.
  private func leaveOthers() {
    for (device, node) in nodes {
      let touchscreen = try? IllTouchscreen(node: node, in: sysfs)
      if touchscreen?.isNamed(name) != true { plan.leave(device) }
    }
  }

  // MARK: - Recovering

  /// Whether it is known what is wrong with which touchscreen, and none is off.
  private var mayStep: Bool { question == nil && !mustAsk && off == nil }

  private func carryOut() throws {
    while mayStep, let step = plan.next(at: Self.now) {
      switch step {
      case .exhausted(let until):
        let minutes = (until - min(until, Self.now)) / 60_000_000 + 1
        say(
          "\(name) is ill again, and was recovered as often as --per-hour allows: the next try is "
            + "in \(minutes) min. Look at its cable, its power and its controller")
      case .recover(let device, let fault): try recover(device, because: fault)
      }
    }
  }

  private func recover(_ device: UInt32, because fault: String) throws {
    guard let node = nodes[device] else { return }
    do throws(RecoveryError) {
      let touchscreen = try IllTouchscreen(node: node, in: sysfs)
      guard touchscreen.isNamed(name) else { return }
      let interruption = try touchscreen.interruption(by: means)
      times = plan.spend(at: Self.now)
      say("\(touchscreen.described) is ill (\(fault)): restarting it")
      let done = try interruption.carryOut(keep: keep)
      say("\(touchscreen.described): \(done)")
    } catch {
      if error.hasDoneNothing {
        times = plan.takeBack()
        // The next start counts by what is kept.
        try? kept.keep(times, nil)
      }
      say("\(name) is not recovered: \(error.sentence)")
    }
  }

  /// Gives a touchscreen back that could not be given back before.
  private func giveBack() {
    guard let (interruption, retry) = off, retry <= Self.now else { return }
    do throws(RecoveryError) {
      say("\(name) was off: \(try interruption.finish(keep: keep))")
    } catch {
      if off != nil { off = (interruption, Self.now + Self.retryMicroseconds) }
      say("\(name): \(error.sentence)")
    }
  }

  /// Keeps which touchscreen is off.
  private func keep(_ interruption: Interruption?) throws(RecoveryError) {
    if interruption == nil { off = nil }
    try kept.keep(times, interruption)
    off = interruption.map { ($0, Self.now + Self.retryMicroseconds) }
  }

  private func say(_ sentence: String) { CommandRunner.say(sentence) }
}
