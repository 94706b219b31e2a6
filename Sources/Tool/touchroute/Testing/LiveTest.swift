import Layout
import TouchClient
import TouchModel
import TouchScripts

/// A script of `touchroute test` with the running daemon and the real programs: its touches through
/// a touchscreen of its own, and what came of them held against its `expect` lines.
final class LiveTest {
  private let script: InjectScript
  private let daemon: Daemon
  private var names = LayoutNames()
  private var happenings = Happenings()
  /// What became of each touch until now.
  private var touches: [TouchID: Course] = [:]
  private let screens: LiveScreens
  /// When the latest frame was played, and when the daemon had the latest record, in milliseconds.
  private var start = 0.0
  private var latest = 0.0

  /// How a touch goes on: who gets it, and how far it is.
  private struct Course {
    var getters: [(path: String, phases: TouchPhases)] = []
    /// What came behind `began`, for a program that gets all of it later. Rule R5.
    var later: [Observation.Record] = []
  }

  /// How long what is expected may take where no limit is given, in milliseconds.
  private static let patience = 1000.0
  /// The most that recognizers are waited for, in milliseconds.
  private static let longestDecision = 5000.0

  init(_ script: InjectScript, _ socket: SocketOption) throws {
    self.script = script
    daemon = try Daemon(.control, path: socket.socket, output: Output(needsReader: false))
    screens = LiveScreens(daemon)
  }

  /// Plays it; what was not as expected, a sentence each.
  func failures() throws -> [String] {
    try requirePrograms()
    try names.add(daemon)
    let injector = try Injector(daemon, Output(needsReader: false)) { [unowned self] in hear($0) }
    if script.expectsFeedback { try listenToFeedback() }
    defer { screens.restore() }
    daemon.watch(try AwaitedSignals(AwaitedSignals.endings)) { [screens] number in
      screens.restore()
      AwaitedSignals.end(by: number)
    }
    return try script.check { line, step in
      try play(step, at: line, injector)
    } settle: { expected in
      defer { happenings = Happenings() }
      try settle(expected.map(\.expectation), injector)
      for (line, expectation) in expected { try requireName(expectation, at: line) }
      return (happenings, start)
    }
  }

  /// Refuses to begin while a program that the script names holds nothing there.
  private func requirePrograms() throws {
    let held = try StatusReport(daemon).attachments.map(\.path)
    for (line, path) in script.programs where !held.contains(path) {
      throw script.failure("no program holds \"\(path)\"", at: line, word: 1)
    }
  }

  private func listenToFeedback() throws {
    for screen in daemon.screens {
      try daemon.ask { connection throws(TouchClientError) in
        try connection.watchFeedback(screen.name)
      }
    }
  }

  private func play(
    _ step: InjectScript.Step, at line: InjectScript.Line, _ injector: Injector
  ) throws {
    do {
      switch step {
      case .screen(let name): try injector.choose(screen: name)
      case .wait(let milliseconds): injector.wait(milliseconds: milliseconds)
      case .frame(let contacts):
        try injector.frame(contacts)
        // By the daemon's clock, which is this machine's. One that changes nothing is not told.
        start = max(latest, Self.milliseconds(injector.latestFrame))
      case .accept, .decline:
        throw Failure("what a program decides can only be said with --config")
      case .power, .lock, .unlock:
        try injector.waitUntilDue()
        try screens.play(step, on: injector.chosenScreen.name)
      case .expect: break
      }
    } catch let failure as Failure {
      let namesScreen =
        switch step {
        case .screen, .power: true
        default: false
        }
      throw script.failure(failure.sentence, at: line, word: namesScreen ? 1 : 0)
    }
  }

  /// Waits until all that is expected has come, and no recognizer waits, or the time is over.
  private func settle(_ expectations: [Expectation], _ injector: Injector) throws {
    try injector.waitUntilDue()
    try injector.catchUp()
    while true {
      let missing = expectations.filter(isMissing)
      let patience = missing.map { $0.limit ?? Self.patience }.max()
      let limit = max(patience ?? 0, injector.isSettled ? 0 : Self.longestDecision)
      let end = UInt64((start + limit) * 1_000_000)
      if MonotonicClock.now >= end { break }
      _ = try injector.listen(until: end)
    }
    try injector.catchUp()
  }

  /// Whether more may come that matters: what is expected, or within its limit what is not.
  private func isMissing(_ expectation: Expectation) -> Bool {
    if expectation.isNegative { return expectation.limit != nil }
    return expectation.verdict(on: happenings, since: start) == .unmet
  }

  /// Refuses to judge what the layout has not, nor had when the script began.
  private func requireName(
    _ expectation: Expectation, at line: InjectScript.Line
  ) throws {
    do { try names.require(expectation) } catch {
      try names.add(daemon)
      try script.naming(line) { () throws(ScriptError) in try names.require(expectation) }
    }
  }

  private static func milliseconds(_ time: UInt64) -> Double { Double(time) / 1_000_000 }

  private static func milliseconds(_ time: Timestamp) -> Double {
    Double(time.microseconds) / 1000
  }
}

extension LiveTest {
  private func hear(_ heard: Injector.Heard) {
    switch heard {
    case .feedback(let notice):
      happenings.feedback(
        notice.name, of: notice.target, time: Double(notice.time) / 1000)
    case .gesture(let gesture):
      guard gesture.state != .possible else { return }
      happenings.gesture(
        gesture.path, kind: gesture.kind?.word ?? "", gesture.state.word,
        reason: gesture.cancelReason?.word, time: Self.milliseconds(gesture.time))
    case .record(let record, let frame):
      // The daemon's own times: that this process is told late does not count. A decline has none.
      let isReplayed = record.flags.contains(.replayed)
      let now = Self.milliseconds(MonotonicClock.now)
      let time = isReplayed ? now : Self.milliseconds(frame.time)
      latest = max(latest, time)
      hear(record, at: time)
    }
  }

  private func hear(_ record: Observation.Record, at time: Double) {
    guard record.phase != .began else { return begin(record, at: time) }
    touches[record.id]?.later.append(record)
    guard record.discardReason == nil else { return }
    for getter in touches[record.id]?.getters ?? [] { note(record, getter, at: time) }
  }

  /// A touch begins, or goes to others because a program has declined it.
  private func begin(_ record: Observation.Record, at time: Double) {
    let course = touches[record.id] ?? Course()
    let links = record.discardReason == nil ? record.chain : []
    let getters = links.filter { !$0.phases.isEmpty }.map { (path: $0.path, phases: $0.phases) }
    touches[record.id] = Course(getters: getters, later: course.later)
    for getter in getters where !course.getters.contains(where: { $0.path == getter.path }) {
      for record in [record] + course.later { note(record, getter, at: time) }
    }
  }

  private func note(
    _ record: Observation.Record, _ getter: (path: String, phases: TouchPhases), at time: Double
  ) {
    guard getter.phases.words.contains(record.phase.word) else { return }
    happenings.touch(
      record.id.rawValue, record.phase.word, reason: record.cancelReason?.word, at: getter.path,
      time: time)
  }
}
