package import Configuration
import Gestures
import Layout
import Routing
import Signals
import TouchClient
package import TouchModel

/// Plays touches through the daemon's pipeline, with programs that handle every phase and every
/// gesture, in a time of its own.
package final class Rehearsal {
  private let configuration: Configuration
  private var pipeline: TouchPipeline
  private var touchscreen = InjectedDevice(DeviceID(1))
  private var screen = ScreenIndex(0)
  /// Now, in milliseconds.
  private var clock = 0.0
  private var programs: [ClientID: String] = [:]
  private var attachments: [String: (id: Routing.AttachmentID, client: ClientID)] = [:]
  /// The touch that each slot has, or had last.
  private var touches: [Int32: TouchID] = [:]
  private var slots: [TouchID: Int32] = [:]
  /// The slots of the fingers that are down.
  private var down: Set<Int32> = []
  private let kinds: [String: GestureKind]
  /// When each screen was made dark last, in milliseconds.
  private var darkened: [ScreenIndex: Double] = [:]
  /// For so long after a `dark` the same blanker's next one is refused. Rule D2.
  private static let pause = 1_000.0
  /// The filters of the touchscreen that plays; off where there is none. Rule N1.
  private var filters = SignalStage()
  private var filtered: ReusableArray<DeviceEvent> = []

  /// A touchscreen that plays the touches.
  package struct Panel {
    /// Its screen.
    package var screen: ScreenIndex
    /// The part of the screen that it covers.
    package var region: Rect
    /// Its filters. Rule N1.
    package var signal: SignalSettings

    /// A touchscreen with those filters.
    package init(screen: ScreenIndex, region: Rect, signal: SignalSettings) {
      self.screen = screen
      self.region = region
      self.signal = signal
    }
  }

  /// A rehearsal with programs at those responders; at all where there is none.
  ///
  /// - Parameter panel: What plays; nil for a touchscreen of the first screen without filters.
  package init(
    _ configuration: Configuration, programs paths: [String], on panel: Panel? = nil
  ) throws {
    self.configuration = configuration
    if let panel {
      screen = panel.screen
      filters.configure(DeviceID(1), panel.signal, region: panel.region, into: &filtered)
      filters.isObserved = true
    }
    pipeline = TouchPipeline(
      layout: configuration.layout, gestures: configuration.gestures,
      options: RouterOptions(rehearsing: configuration))
    pipeline.wantsFeedback = true
    kinds = Dictionary(configuration.gestures.map { ($0.path, $0.description.kind) }) { $1 }
    let layout = configuration.layout
    let all = (0..<layout.responderCount).map { layout.path(of: ResponderID(Int32($0))) }
    for (index, path) in (paths.isEmpty ? all : paths).enumerated() {
      try attach(path, by: ClientID(slot: UInt32(index), generation: 1))
    }
    pipeline.finishDeliveries()
  }

  /// Plays a step of a script; what programs are sent of it.
  package func play(_ step: InjectScript.Step) throws -> [RehearsedLine] {
    switch step {
    case .screen(let name): try choose(screen: name)
    case .wait(let milliseconds): clock += milliseconds
    case .frame(let contacts): return try play(contacts)
    case .accept(let path, let slot): return try decide(path, slot, keeps: true)
    case .decline(let path, let slot): return try decide(path, slot, keeps: false)
    case .power(let name, let isOn): return try set(screen: name, isOn: isOn)
    case .lock(let lock): return try self.lock(lock)
    case .unlock: return try unlock()
    // What has come of the touches is judged by who plays it.
    case .expect: break
    }
    return []
  }

  /// Now, in milliseconds.
  var time: Double { clock }

  /// Whether a finger is down.
  var hasFingers: Bool { !down.isEmpty }

  /// The kind of a recognizer of the configuration.
  func kind(of recognizer: String) -> String { kinds[recognizer]?.name ?? "" }

  /// Lets time go on to the next moment for which a recognizer waits; nil if none waits until a
  /// limit, in milliseconds.
  func goOn(until limit: Double) -> [RehearsedLine]? {
    guard let deadline = pipeline.router.gestureDeadline,
      Double(deadline.microseconds) / 1000 <= limit
    else { return nil }
    clock = max(clock, Double(deadline.microseconds) / 1000)
    pipeline.advance(to: deadline)
    return takeDeliveries(at: deadline)
  }

  /// Lets time go on until no recognizer, screen or lock waits, and cancels the fingers that are
  /// still down.
  package func finish() -> [RehearsedLine] {
    var lines: [RehearsedLine] = []
    var end = now
    while let deadline = nextDeadline {
      end = max(end, deadline)
      lines += advance(to: deadline)
    }
    pipeline.cancelAll(.requested, at: end)
    return lines + takeDeliveries(at: end)
  }

  private var now: Timestamp { Timestamp(microseconds: UInt64((clock * 1000).rounded())) }

  private func attach(_ path: String, by client: ClientID) throws {
    do throws(RoutingError) {
      let request = AttachRequest(path: path, handlesGestures: true)
      let now = now
      let attachment = try pipeline.attach(request, by: client, at: now)
      programs[client] = path
      attachments[path] = (attachment.id, client)
    } catch { throw ScriptError("\(error)", word: 1) }
  }

  private func choose(screen name: String) throws { screen = try index(ofScreen: name) }

  private func index(ofScreen name: String) throws(ScriptError) -> ScreenIndex {
    let screens = configuration.layout.screens
    guard let index = screens.firstIndex(where: { $0.name == name }) else {
      let names = screens.map(\.name).joined(separator: ", ")
      throw ScriptError("there is no screen \"\(name)\"; the layout has \(names)", word: 1)
    }
    return ScreenIndex(Int32(index))
  }

  // MARK: - Screens, rules D1 to D5 and D9

  /// Says what the screen's blanker says, which there is one of from then on.
  private func set(screen name: String, isOn: Bool) throws(ScriptError) -> [RehearsedLine] {
    let screen = try index(ofScreen: name)
    var lines = advance()
    let now = now
    if !isOn, let latest = darkened[screen], clock < latest + Self.pause {
      throw ScriptError(
        "screen \"\(name)\" was made dark \(RehearsedLine.plain(clock - latest)) ms before: "
          + "touchrouted refuses that within \(RehearsedLine.plain(Self.pause)) ms")
    }
    pipeline.setScreen(screen, isAttended: true, at: now)
    let isNews = pipeline.setScreen(screen, isOn: isOn, at: now)
    if isNews, !isOn { darkened[screen] = clock }
    lines += takeDeliveries(at: now)
    return lines
  }

  private func lock(_ lock: ScriptLock) throws(ScriptError) -> [RehearsedLine] {
    let limit = configuration.limits.lockSeconds
    guard lock.milliseconds <= UInt32(limit) * 1_000 else {
      throw ScriptError("a lock lasts at most \(limit) s (limits.lock_seconds)", word: 2)
    }
    for exception in lock.exceptions
    where configuration.layout.view(at: exception.path) == nil {
      throw configuration.layout.lack(of: "view", exception.path, word: exception.word)
    }
    var lines = advance()
    let now = now
    let request = TouchLocks.Request(
      milliseconds: UInt64(lock.milliseconds), exceptions: lock.exceptions.map(\.path),
      exit: TouchLocks.Exit(rawValue: UInt16(lock.exit.rawValue)))
    pipeline.lock(screen, request, at: now)
    lines += takeDeliveries(at: now)
    return lines
  }

  private func unlock() throws(ScriptError) -> [RehearsedLine] {
    var lines = advance()
    guard pipeline.unlock(screen, .requested) else {
      let name = screenName(screen)
      throw ScriptError("screen \"\(name)\" is not locked")
    }
    lines += takeDeliveries(at: now)
    return lines
  }

  // MARK: - Frames

  private func play(_ contacts: [TouchClient.InjectedContact]) throws -> [RehearsedLine] {
    let lines = advance()
    let time = now
    let made = contacts.map { Routing.InjectedContact($0) }
    let isFiltered = !filters.isOff
    let events: [DeviceEvent]
    do throws(InjectedDevice.Refusal) {
      events = try touchscreen.events(
        made, on: screen, of: configuration.layout.screens, at: time)
    } catch { throw ScriptError(error.text) }
    for contact in made {
      if contact.phase == .began { down.insert(contact.slot) }
      if contact.phase == .ended || contact.phase == .cancelled { down.remove(contact.slot) }
    }
    let reported = ReusableArray(events.map(\.asPalm))
    if isFiltered {
      filters.take(reported, into: &filtered)
      return lines + takeFiltered(at: time)
    }
    consume(reported) { $0 }
    return lines + takeDeliveries(at: time)
  }

  /// Routes events, and notes which touch each slot of the script has.
  ///
  /// - Parameter source: The script's slot behind a slot of the events; nil if it is not known.
  private func consume(
    _ events: ReusableArray<DeviceEvent>, _ source: (Int32) -> Int32?
  ) {
    var next = pipeline.sequencer.nextID
    for case .down(_, let slot, _, _, _) in events {
      if let own = source(slot) {
        touches[own] = TouchID(next)
        slots[TouchID(next)] = own
      }
      next += 1
    }
    pipeline.consume(events)
  }

  /// Routes what filters have left, and says what they did.
  private func takeFiltered(at time: Timestamp) -> [RehearsedLine] {
    let lines = filters.notes.map { RehearsedLine($0) }
    filters.forgetNotes()
    consume(filtered) { filters.source(of: $0, on: DeviceID(1)) }
    filtered.removeAll()
    return lines + takeDeliveries(at: time)
  }

  /// Has a program decide; one that is not there, or that has no part in the touch, decides
  /// nothing.
  private func decide(
    _ path: String, _ slot: Int32, keeps: Bool
  ) throws(ScriptError) -> [RehearsedLine] {
    try configuration.layout.requireResponder(path, word: 1)
    guard let touch = touches[slot] else {
      throw ScriptError("slot \(slot) has had no touch", word: 2)
    }
    var lines = advance()
    guard let (attachment, client) = attachments[path] else { return lines }
    let now = now
    if keeps {
      pipeline.accept(touch, through: attachment, by: client, at: now)
    } else {
      pipeline.decline(touch, through: attachment, by: client, at: now)
    }
    lines += takeDeliveries(at: now)
    return lines
  }

  /// When a filter, a recognizer, a screen or a lock is due.
  private var nextDeadline: Timestamp? {
    let router = [pipeline.router.gestureDeadline, pipeline.router.screenDeadline]
    return (router + [filters.nextDeadline]).compactMap { $0 }.min()
  }

  /// Lets filters and recognizers know of the time up to now; what is due now comes after what
  /// happens now.
  private func advance() -> [RehearsedLine] {
    var lines: [RehearsedLine] = []
    while let deadline = nextDeadline, deadline < now { lines += advance(to: deadline) }
    return lines
  }

  private func advance(to deadline: Timestamp) -> [RehearsedLine] {
    var lines: [RehearsedLine] = []
    if let due = filters.nextDeadline, due <= deadline {
      filters.advance(to: deadline, into: &filtered)
      lines += takeFiltered(at: deadline)
    }
    pipeline.advance(to: deadline)
    return lines + takeDeliveries(at: deadline)
  }

  private func takeDeliveries(at time: Timestamp) -> [RehearsedLine] {
    var lines: [RehearsedLine] = []
    for entry in pipeline.deliveries.entries {
      switch entry {
      case .frame(let frame):
        for index in frame.records where pipeline.deliveries.records[index].phase != .stationary {
          lines.append(line(pipeline.deliveries.records[index], frame.client, at: time))
        }
      case .gesture(let index):
        lines.append(line(pipeline.deliveries.gestures[index], at: time))
      case .screen(let change):
        lines.append(RehearsedLine(change, of: screenName(change.screen), at: time))
      case .lock(let change):
        lines.append(RehearsedLine(change, of: screenName(change.screen), at: time))
      case .feedback(let index):
        let given = pipeline.deliveries.feedbacks[index]
        lines.append(RehearsedLine(given, on: screenName(given.screen), at: time))
      case .layout, .detached, .idle: break
      }
    }
    pipeline.finishDeliveries()
    return lines
  }

  private func screenName(_ screen: ScreenIndex) -> String {
    configuration.layout.screens[Int(screen.rawValue)].name
  }

  private func line(
    _ record: Deliveries.Record, _ client: ClientID, at time: Timestamp
  ) -> RehearsedLine {
    var line = RehearsedLine(event: "touch", at: time, of: record.time)
    line.program = programs[client]
    line.touch = record.id.rawValue
    line.slot = slots[record.id]
    line.phase = record.phase.word
    line.reason = record.cancelReason?.word
    line.cancel_reason = line.reason
    line.target = configuration.layout.path(of: ResponderID(record.target))
    line.x = rounded(record.location.x)
    line.y = rounded(record.location.y)
    line.taps = Int(record.tapCount)
    line.replayed = record.flags.contains(.replayed)
    return line
  }

  private func path(of recognizer: RecognizerID) -> String {
    pipeline.router.recognizer(recognizer)?.path ?? ""
  }

  private func line(_ gesture: Deliveries.Gesture, at time: Timestamp) -> RehearsedLine {
    let event = gesture.event
    let path = path(of: event.recognizer)
    if case .failed(let reason) = event.change {
      var line = RehearsedLine(event: "failed", at: time, of: event.time)
      (line.gesture, line.path) = (path, path)
      line.reason = reason.text { self.path(of: $0) }
      return line
    }
    var line = RehearsedLine(event: "gesture", at: time, of: event.time)
    line.program = programs[gesture.client]
    (line.gesture, line.path) = (path, path)
    line.state = event.change.word
    if case .cancelled(let reason) = event.change {
      (line.reason, line.cancel_reason) = (reason.word, reason.word)
    }
    line.touches = event.values.touches
    line.x = rounded(event.values.location.x)
    line.y = rounded(event.values.location.y)
    line.location = [rounded(event.values.location.x), rounded(event.values.location.y)]
    if let kind = kinds[path] { line.add(event.values, of: kind) }
    return line
  }
}

extension Layout {
  /// Refuses the path of a responder that there is not.
  func requireResponder(_ path: String, word: Int) throws(ScriptError) {
    guard responder(at: path) == nil else { return }
    throw lack(of: "responder", path, word: word)
  }

  /// That there is nothing of that kind at a path, and what may be meant.
  func lack(of kind: String, _ path: String, word: Int) -> ScriptError {
    let hint = nearestPath(to: path).map { "; did you mean \"\($0)\"?" } ?? ""
    return ScriptError("there is no \(kind) \"\(path)\"\(hint)", word: word)
  }
}

/// With at most 3 decimals.
func rounded(_ number: Double) -> Double {
  let rounded = (number * 1000).rounded() / 1000
  return rounded == 0 ? 0 : rounded
}

extension DeviceEvent {
  /// The same; a contact that is cut short was a palm's. Rule T7.
  fileprivate var asPalm: DeviceEvent {
    if case .cancel(let device, let slot, _, let time) = self {
      return .cancel(device, slot: slot, reason: .palm, time: time)
    }
    return self
  }
}

extension Routing.InjectedContact {
  fileprivate init(_ contact: TouchClient.InjectedContact) {
    switch contact.change {
    case .began(let point): self.init(slot: contact.slot, phase: .began, location: point)
    case .moved(let point): self.init(slot: contact.slot, phase: .moved, location: point)
    case .ended: self.init(slot: contact.slot, phase: .ended, location: .zero)
    case .cancelled: self.init(slot: contact.slot, phase: .cancelled, location: .zero)
    }
  }
}

extension GestureEvent.Change {
  var word: String {
    switch self {
    case .recognized: "recognized"
    case .began: "began"
    case .changed: "changed"
    case .ended: "ended"
    case .cancelled: "cancelled"
    case .failed: "failed"
    }
  }
}
