package import Configuration
import Gestures
import Layout
import Routing
import TouchClient
import TouchModel

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

  /// A rehearsal with programs at those responders; at all where there is none.
  package init(_ configuration: Configuration, programs paths: [String]) throws {
    self.configuration = configuration
    var options = RouterOptions()
    options.decisionTimeoutMilliseconds = UInt64(configuration.touch.decisionTimeoutMilliseconds)
    options.holdLimitMilliseconds = UInt64(configuration.touch.holdLimitMilliseconds)
    options.tapIntervalMilliseconds = UInt64(configuration.touch.tapIntervalMilliseconds)
    options.tapDistance = configuration.touch.tapDistance
    options.maximumLiveTouches = configuration.limits.touches
    pipeline = TouchPipeline(
      layout: configuration.layout, gestures: configuration.gestures, options: options)
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

  /// Lets time go on until no recognizer waits, and cancels the fingers that are still down.
  package func finish() -> [RehearsedLine] {
    var lines: [RehearsedLine] = []
    var end = now
    while let deadline = pipeline.router.gestureDeadline {
      end = max(end, deadline)
      pipeline.advance(to: deadline)
      lines += takeDeliveries(at: deadline)
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

  private func choose(screen name: String) throws {
    let screens = configuration.layout.screens
    guard let index = screens.firstIndex(where: { $0.name == name }) else {
      let names = screens.map(\.name).joined(separator: ", ")
      throw ScriptError("there is no screen \"\(name)\"; the layout has \(names)", word: 1)
    }
    screen = ScreenIndex(Int32(index))
  }

  private func play(_ contacts: [TouchClient.InjectedContact]) throws -> [RehearsedLine] {
    var lines = advance()
    let time = now
    let made = contacts.map { Routing.InjectedContact($0) }
    let events: [DeviceEvent]
    do throws(InjectedDevice.Refusal) {
      events = try touchscreen.events(
        made, on: screen, of: configuration.layout.screens, at: time)
    } catch { throw ScriptError(error.text) }
    var next = pipeline.sequencer.nextID
    for contact in made where contact.phase == .began {
      touches[contact.slot] = TouchID(next)
      slots[TouchID(next)] = contact.slot
      next += 1
    }
    for contact in made {
      if contact.phase == .began { down.insert(contact.slot) }
      if contact.phase == .ended || contact.phase == .cancelled { down.remove(contact.slot) }
    }
    pipeline.consume(ReusableArray(events.map(\.asPalm)))
    lines += takeDeliveries(at: time)
    return lines
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

  /// Lets recognizers know of the time up to now; what is due now comes after what happens now.
  private func advance() -> [RehearsedLine] {
    var lines: [RehearsedLine] = []
    while let deadline = pipeline.router.gestureDeadline, deadline < now {
      pipeline.advance(to: deadline)
      lines += takeDeliveries(at: deadline)
    }
    return lines
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
      case .layout, .detached, .screen, .lock, .idle: break
      }
    }
    pipeline.finishDeliveries()
    return lines
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
    let hint = nearestPath(to: path).map { "; did you mean \"\($0)\"?" } ?? ""
    throw ScriptError("there is no responder \"\(path)\"\(hint)", word: word)
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
  fileprivate var word: String {
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
