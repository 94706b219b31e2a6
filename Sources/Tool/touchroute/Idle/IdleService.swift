import Blanking
import Glibc
import TouchClient
import TouchModel

/// `touchroute idle` while it runs: the connection, the watches, the light and the commands.
final class IdleService {
  private let plan: IdlePlan
  private let screenName: String?
  private let daemon: Daemon
  private var runner: CommandRunner?
  private var light: (any Light)?
  private var sleep: SleepWatch?
  /// The number of the latest sleep or wake, and how many commands it waits for. A command may
  /// outlive its sleep.
  private var awaited = (sleep: 0, count: 0)
  private var blanker = Blanker()
  private var watches: IdleWatchList
  /// The screen whose blanker this is; known once there is a connection.
  private var screen: String?
  private var isConnected = false
  /// What is asked for, by its serial; nil where the answer is of no interest.
  private var asked: [Serial: Bool] = [:]
  /// The signal that ends the process, and when it does at the latest.
  private var ending: (signal: CInt, deadline: UInt64)?
  /// Whether SIGUSR1 has come.
  private var isHurried = false
  /// How many commands behind resume run.
  private var resuming = 0

  private static let limit = CommandRunner.Limit(count: 16, source: "touchroute idle")
  /// How long commands behind resume, and the one that turns the light on, may take at the end, in
  /// nanoseconds: a little more than a light has to go off and then on, less than systemd waits.
  private static let patience: UInt64 = 9_000_000_000
  /// After so long without a daemon, in nanoseconds, it is said that there is none.
  private static let silence: UInt64 = 2_000_000_000
  /// Where backlights are; the environment may name another folder, for tests.
  static let backlights =
    getenv("TOUCHROUTE_BACKLIGHTS").map { String(cString: $0) } ?? "/sys/class/backlight"

  init(_ plan: IdlePlan, screen: String?, socket: String?) throws {
    self.plan = plan
    screenName = screen
    watches = IdleWatchList(plan)
    daemon = try Daemon(
      .client, path: socket, output: Output(needsReader: false), name: "touchroute idle",
      reconnects: true)
    runner = try CommandRunner(Self.limit, of: daemon, others: [SIGUSR1]) { [unowned self] in
      hear($0)
    }
    if plan.hearsSleep { sleep = try SleepWatch(of: daemon) { [unowned self] in hear(sleeps: $0) } }
    light = try makeLight()
  }

  private func makeLight() throws -> (any Light)? {
    guard plan.hasLight, let runner else { return nil }
    do throws(BlankingError) {
      if let off = plan.off, let on = plan.on {
        let kept = KeptFile(in: KeptFile.folder, for: "commands-of-\(screenName ?? "screen")")
        try kept.claim()
        return CommandLight(off: off, on: on, kept: kept, runner: runner)
      }
      let backlight = try Backlight(in: Self.backlights, named: plan.light)
      let kept = KeptFile(in: KeptFile.folder, for: backlight.name)
      try kept.claim()
      return FadedBacklight(
        backlight, dimmedTo: plan.percent, kept: kept, warn: CommandRunner.say)
    } catch {
      throw Failure(error.sentence)
    }
  }

  // MARK: - The loop

  /// Runs until a signal ends it.
  func run() throws {
    do {
      try sleep?.hear()
      let start = MonotonicClock.now
      while !isConnected, ending == nil {
        if try daemon.wait(until: start + Self.silence, handle) { break }
      }
      if !isConnected, ending == nil { CommandRunner.say("no touchrouted answers: waiting for it") }
      while true { try turn() }
    } catch {
      try restoreLight()
      throw error
    }
  }

  /// Turns the light to full, and waits until it is: commands may have to end first.
  private func restoreLight() throws {
    let end = MonotonicClock.now + Self.patience
    light?.restore(at: MonotonicClock.now)
    while let light, !light.isSettled, MonotonicClock.now < end {
      try daemon.waitForOthers(until: min(light.nextDeadline ?? end, end))
      light.advance(to: MonotonicClock.now)
    }
  }

  private func turn() throws {
    if isHurried { try watch(isShort: true) }
    isHurried = false
    try settle()
    endIfDone()
    let deadlines = [light?.nextDeadline, ending?.deadline].compactMap { $0 }
    guard let due = deadlines.min(), due < .max else { return try daemon.next(handle) }
    if try daemon.wait(until: due, handle) { light?.advance(to: MonotonicClock.now) }
  }

  /// Carries out what the blanker wants, until it wants nothing more for now.
  private func settle() throws {
    while true {
      if let light, light.isSettled { blanker.reached(light.level) }
      let actions = blanker.takeActions()
      if actions.isEmpty { return }
      for action in actions { try carryOut(action) }
    }
  }

  private func carryOut(_ action: Blanker.Action) throws {
    switch action {
    case .ask(let isOn):
      guard let screen else { return }
      let serial = try request { connection throws(TouchClientError) in
        try connection.setScreen(screen, isOn: isOn, asBlanker: true)
      }
      if let serial { asked[serial] = isOn }
    case .light(let level): light?.set(level, at: MonotonicClock.now)
    case .watchAnew:
      watches.forgetIdle { $0.isLight }
      try watch { $0.isLight }
    }
  }

  // MARK: - What the daemon says

  private func handle(_ event: TouchEvent) throws {
    switch event {
    case .welcome: try greet()
    case .lost: lose()
    case .done(let completion): try take(completion)
    case .failed(let failure): try take(failure)
    case .idle(let change): try take(change)
    case .screen(let notice) where notice.name == screen:
      blanker.heard(notice.state, because: notice.cause)
    default: break
    }
    try settle()
  }

  /// The daemon is there, or has other screens.
  private func greet() throws {
    screen = try chosenScreen()
    if isConnected { return }
    isConnected = true
    if plan.blank != nil { blanker.turnOn() }
    try watch()
  }

  private func chosenScreen() throws(Failure) -> String? {
    let names = daemon.screens.map(\.name)
    let list = names.joined(separator: ", ").printable()
    if let screenName, !names.contains(screenName) {
      throw Failure("there is no screen \"\(screenName)\", only \(list)")
    }
    if screenName == nil, plan.hasLight, names.count != 1 {
      throw Failure("there are \(names.count) screens, \(list): name one with --screen")
    }
    return screenName ?? (plan.hasLight ? names.first : nil)
  }

  private func lose() {
    isConnected = false
    asked.removeAll()
    for purpose in watches.reset() { resume(purpose) }
    blanker.lost()
  }

  private func take(_ completion: Completion) throws {
    if let isOn = asked.removeValue(forKey: completion.serial) {
      return blanker.answered(isOn: isOn)
    }
    // Of a watch that is no longer wanted, or of what ends one: that has no number.
    if !watches.answered(completion), completion.total > 0 { try unwatch(completion.total) }
  }

  private func take(_ failure: RequestFailure) throws {
    if let isOn = asked.removeValue(forKey: failure.serial) {
      guard !isOn, failure.code == .limit else { throw Failure(failure) }
      CommandRunner.say(failure.text)
      blanker.refusedDark()
    } else if watches.hasAsked(failure.serial) {
      throw Failure(failure)
    }
    // Else it is a watch that has ended meanwhile.
  }

  private func take(_ change: IdleChange) throws {
    guard let (purpose, isShort) = watches.hear(change) else { return }
    if change.isIdle { begin(purpose) } else { resume(purpose) }
    if !change.isIdle, isShort { try watch { $0 == purpose } }
  }

  // MARK: - Idleness

  private func begin(_ purpose: IdleWatchList.Purpose) {
    switch purpose {
    case .command(let timeout):
      let name = "timeout \(Double(timeout.milliseconds) / 1_000)"
      runner?.run(timeout.command, for: Occasion(event: "timeout", named: name))
    case .dim: setDimmed(true)
    case .blank: blanker.setIdle(true)
    }
  }

  private func resume(_ purpose: IdleWatchList.Purpose) {
    switch purpose {
    case .command(let timeout):
      let name = "resume of timeout \(Double(timeout.milliseconds) / 1_000)"
      guard let command = timeout.resume else { return }
      resuming += 1
      runner?.run(command, for: Occasion(event: "resume", named: name)) { [unowned self] in
        resuming -= 1
      }
    case .dim: setDimmed(false)
    case .blank: blanker.setIdle(false)
    }
  }

  /// Without blank there is no blanker, and the light is dimmed all the same.
  private func setDimmed(_ isDimmed: Bool) {
    if plan.blank != nil { return blanker.setDimmed(isDimmed) }
    light?.set(isDimmed ? .dim : .full, at: MonotonicClock.now)
  }

  private func watch(
    isShort: Bool = false, _ isPicked: (IdleWatchList.Purpose) -> Bool = { _ in true }
  ) throws {
    let scope = screen.map { IdleScope.screen($0) } ?? .seat
    try watches.ask(isShort: isShort, isPicked) { milliseconds in
      try request { connection throws(TouchClientError) in
        try connection.watchIdle(scope, milliseconds: milliseconds)
      }
    } unwatch: {
      try unwatch($0)
    }
  }

  private func unwatch(_ number: UInt32) throws {
    _ = try request { connection throws(TouchClientError) in try connection.unwatchIdle(number) }
  }

  /// Makes a request; nil where the connection is lost, which is heard of next.
  private func request(
    _ make: (TouchConnection) throws(TouchClientError) -> Serial
  ) throws(Failure) -> Serial? {
    guard isConnected else { return nil }
    do throws(TouchClientError) {
      return try make(daemon.connection)
    } catch {
      if error.kind == .away { return nil }
      throw Failure(error.description)
    }
  }

  // MARK: - Sleep and signals

  /// The machine is about to sleep, or has slept.
  private func hear(sleeps: Bool) {
    let commands = sleeps ? plan.beforeSleep : plan.afterResume
    let word = sleeps ? "before-sleep" : "after-resume"
    let number = awaited.sleep + 1
    awaited = (number, sleeps ? commands.count : 0)
    for command in commands {
      runner?.run(command, for: Occasion(event: word, named: word)) { [unowned self] in
        letSleep(number)
      }
    }
    if sleeps, commands.isEmpty { sleep?.release() }
  }

  /// One command less that a sleep waits for.
  private func letSleep(_ number: Int) {
    guard number == awaited.sleep, awaited.count > 0 else { return }
    awaited.count -= 1
    if awaited.count == 0 { sleep?.release() }
  }

  /// Whether a signal does not end the process, or not at once: within ``patience``.
  private func hear(_ number: CInt) -> Bool {
    if number == SIGUSR1 {
      isHurried = true
      return true
    }
    // A terminal that is closed may send two: what is to be done is done, and then it ends.
    if ending != nil { return true }
    ending = (number, MonotonicClock.now + Self.patience)
    for purpose in watches.reset() { resume(purpose) }
    if isConnected, plan.blank != nil { blanker.turnOn() }
    return true
  }

  private func endIfDone() {
    guard let ending, let runner else { return }
    let isDone = resuming == 0 && blanker.isSettled && light?.isSettled ?? true
    guard isDone || MonotonicClock.now >= ending.deadline else { return }
    light?.restore(at: MonotonicClock.now)
    runner.end(by: ending.signal)
  }
}

extension IdleWatchList.Purpose {
  /// Whether it is about the light of a screen.
  var isLight: Bool { self == .dim || self == .blank }
}
