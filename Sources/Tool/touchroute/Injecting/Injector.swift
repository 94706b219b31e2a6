import ArgumentParser
import Glibc
import LayoutDrawing
import TouchClient
import TouchModel
import TouchScripts

/// The touchscreen that this process makes up, and what becomes of its touches; its fingers are
/// lifted with the process's end.
final class Injector {
  private let daemon: Daemon
  private let output: Output
  /// The screen that is chosen, by its name; nil for the first.
  private var screenName: String?
  /// When the next frame is due.
  private var due = MonotonicClock.now
  /// The daemon's number of it; known once a frame was taken.
  private var device: DeviceID?
  /// What was observed and not told yet.
  private var observed: [Observation] = []
  private var observedGestures: [ObservedGesture] = []
  private var gestures = OwnGestures()
  /// The slots of the fingers that are down.
  private var down: Set<Int32> = []
  /// Who is told what became of the touches in place of standard output.
  private let listener: ((Heard) -> Void)?
  /// When the latest frame was played, in nanoseconds of CLOCK_MONOTONIC.
  private(set) var latestFrame = MonotonicClock.now
  private var names = ObservedNames()
  /// The touches of which it was said that they are over, with which all is said.
  private var over: Set<TouchID> = []
  /// The most that recognizers are waited for, in nanoseconds.
  private static let patience: UInt64 = 5_000_000_000

  /// What becomes of the touches of this process.
  enum Heard {
    case record(Observation.Record, of: Observation)
    case gesture(ObservedGesture)
    /// Of any finger: it does not say of which.
    case feedback(FeedbackNotice)
  }

  /// The exit status where a touch went to nobody.
  static let missed = ExitCode(2)

  /// Connects, plays what the body does, says what became of each touch that began and which
  /// gestures came of it, and ends the process where a touch went to nobody.
  static func run(_ socket: SocketOption, _ body: (Injector) throws -> Void) throws {
    // Who reads no further what became of the touches does not stop the fingers.
    let output = Output(needsReader: false)
    let injector = try Injector(try Daemon(.control, path: socket.socket, output: output), output)
    try body(injector)
    try injector.awaitGestures()
    try injector.tellMissed()
  }

  /// A touchscreen of the process's own.
  ///
  /// - Parameter listener: is told what becomes of its touches; without one, standard output is.
  init(_ daemon: Daemon, _ output: Output, listener: ((Heard) -> Void)? = nil) throws {
    self.daemon = daemon
    self.output = output
    self.listener = listener
    try askNames()
    try daemon.ask(
      { connection throws(TouchClientError) in try connection.observe() }, others: note)
  }

  /// The screen on which fingers come down from now on; nil for the first.
  func choose(screen name: String?) throws {
    guard let name else { return }
    screenName = name
    _ = try chosen()
  }

  /// The screen that is chosen, if the layout in force has it.
  var chosenScreen: Welcome.Screen { get throws(Failure) { daemon.screens[try chosen()] } }

  /// The index of the screen that is chosen; a reload may have moved it, or taken it away.
  private func chosen() throws(Failure) -> Int {
    let screens = daemon.screens
    guard let screenName else {
      guard !screens.isEmpty else { throw Failure("the layout has no screen") }
      return 0
    }
    guard let index = screens.firstIndex(where: { $0.name == screenName }) else {
      throw Failure("there is no screen \"\(screenName)\"; the layout has \(screenNames)")
    }
    return index
  }

  private var screenNames: String { daemon.screens.map(\.name).joined(separator: ", ") }

  /// The middle of a view on the screen that is chosen, in points of that; for the layout in force.
  ///
  /// - Parameter isScreenGiven: whether somebody has said which screen the view is on.
  func middle(of path: String, isScreenGiven: Bool) throws -> Point {
    if daemon.screens.count > 1, !isScreenGiven {
      throw Failure(
        "there are several screens, \(screenNames): --screen must say which one \"\(path)\" is on")
    }
    let views = try DescribedLayout.views(daemon)
    guard let view = views.first(where: { $0.path == path }) else {
      // The daemon knows what was probably meant.
      try daemon.ask { connection throws(TouchClientError) in try connection.describe(path) }
      throw Failure("\"\(path)\" is not a view, so it has no middle")
    }
    return view.middle(among: views)
  }

  /// Refuses fingers that would leave the screen, which none can.
  func requireOnScreen(_ stroke: Stroke) throws(Failure) {
    let screen = try chosenScreen
    let bounds = Rect(x: 0, y: 0, width: screen.size.width, height: screen.size.height)
    guard let (finger, point) = stroke.departure(from: bounds) else { return }
    throw Failure(
      "finger \(finger) would be at \(Text.point(point)), outside of screen \"\(screen.name)\" of "
        + "\(Text.number(bounds.width)) by \(Text.number(bounds.height)) points")
  }

  /// One frame, once the time that was waited for is over.
  func frame(_ contacts: [InjectedContact]) throws {
    try waitUntilDue()
    latestFrame = MonotonicClock.now
    let screen = try chosen()
    let completion = try daemon.ask(
      { connection throws(TouchClientError) in
        try connection.inject(contacts, screen: UInt32(screen))
      }, others: note)
    device = DeviceID(completion.total)
    for contact in contacts {
      switch contact.change {
      case .began: down.insert(contact.slot)
      case .moved: break
      case .ended, .cancelled: down.remove(contact.slot)
      }
    }
    try tell()
  }

  /// Waits until the next frame is due, and tells what comes before.
  func waitUntilDue() throws {
    while try !daemon.wait(until: due, note) { try tell() }
  }

  /// Whether nothing more comes of the touches by itself: a finger is down, or all recognizers have
  /// decided.
  var isSettled: Bool { !down.isEmpty || gestures.isDecided }

  /// Takes in all that has happened in the daemon until now.
  func catchUp() throws {
    try askNames()
    try tell()
  }

  /// Waits for something to happen, until a moment of CLOCK_MONOTONIC; whether that has come.
  func listen(until end: UInt64) throws -> Bool {
    let isOver = try daemon.wait(until: end, note)
    try tell()
    return isOver
  }

  /// Waits for those recognizers that may still take a touch away which has ended (rule G10).
  private func awaitGestures() throws {
    let end = MonotonicClock.now + Self.patience
    while !isSettled {
      if try listen(until: end) { return }
    }
  }

  /// Puts the next frame off; by what the last one was late, less.
  func wait(milliseconds: Double) {
    let now = MonotonicClock.now
    due = max(due, now - min(now, 1_000_000_000)) + Self.nanoseconds(milliseconds)
  }

  /// Puts the next frame off until the last one is that old at least, for fingers that stay.
  func stay(milliseconds: Double) { due = MonotonicClock.now + Self.nanoseconds(milliseconds) }

  /// At most 30 years: a recording may say any time.
  private static func nanoseconds(_ milliseconds: Double) -> UInt64 {
    UInt64(min(max(milliseconds, 0) * 1_000_000, 1e18))
  }

  private func askNames() throws {
    try daemon.ask(
      { connection throws(TouchClientError) in try connection.status() },
      { event in if case .status(_, let item) = event { names.add(item) } }, others: note)
  }

  /// Keeps what is observed, until the touchscreen's number is known of everybody's.
  private func note(_ event: TouchEvent) {
    switch event {
    case .observed(let frame) where frame.device == device ?? frame.device: observed.append(frame)
    case .observedGesture(let gesture): observedGestures.append(gesture)
    case .feedback(let notice): listener?(.feedback(notice))
    default: break
    }
  }

  /// Says what became of the touches, and of gestures.
  private func tell() throws {
    while !observed.isEmpty || !observedGestures.isEmpty {
      let frames = observed.filter { $0.device == device }
      let isKnown = observed.allSatisfy(names.has) && observedGestures.allSatisfy(names.has)
      let happened = observedGestures
      observed.removeAll()
      observedGestures.removeAll()
      if !isKnown { try askNames() }
      let explanation = Explanation(programs: names.programs, screens: daemon.screens)
      for frame in frames {
        for record in frame.records {
          gestures.add(record.id)
          listener?(.record(record, of: frame))
        }
      }
      let told = happened.filter { note($0) }
      if listener != nil { continue }
      for record in frames.flatMap(\.records) { try tell(record, explanation) }
      for gesture in told { try output.line(explanation.words(gesture)) }
    }
    try output.flush()
  }

  /// Takes in what happened to a recognizer, of whomever's touches; whether it is to be said.
  private func note(_ gesture: ObservedGesture) -> Bool {
    // What ends with it takes part no more.
    let wasOwn = gestures.isOwn(gesture)
    defer { if wasOwn || gestures.isOwn(gesture) { listener?(.gesture(gesture)) } }
    return gestures.note(gesture)
  }

  private func tell(_ record: Observation.Record, _ explanation: Explanation) throws(Failure) {
    let isMissed = record.phase == .began && record.discardReason != nil
    let hasGestures = isMissed && gestures.miss(record)
    guard !over.contains(record.id) else { return }
    if record.phase == .cancelled || record.discardReason == .over { over.insert(record.id) }
    if let line = explanation.line(record, hasGestures: hasGestures) { try output.line(line) }
  }

  /// Says which touches nobody got of which gestures might have come.
  private func tellMissed() throws {
    for touch in gestures.missedTouches where touch.hadGestures {
      try output.line("touch \(touch.id.rawValue) went to no program, and no gesture came of it")
    }
    try output.flush()
    if !gestures.missedTouches.isEmpty { throw Self.missed }
  }
}
