package import Configuration
import Gestures
import Layout
import Routing
import TouchModel

/// Plays a record through the daemon's pipeline with another configuration, in the record's time:
/// what devices and programs did, not what came of it.
package final class RecordPlayer {
  private var pipeline: TouchPipeline
  private var world: RecordedWorld
  /// The screens of the record, as the configuration has them.
  private var screens: [ScreenIndex]
  private let known: [Screen]
  private var contacts = RecordedContacts()
  /// The numbers in the record of the pipeline's touches.
  private var recorded: [TouchID: UInt64] = [:]
  /// When an attachment has ended last.
  private var latestDetaching: UInt64?
  /// Fingers that were lifted in a frame of which the other touches are yet to come.
  private var lifts: [(touch: UInt64, time: UInt64)] = []
  /// What a frame's touchscreen reports; kept, so that it is allocated once.
  private var events: ReusableArray<DeviceEvent> = []
  /// The latest time.
  private var now = Timestamp(microseconds: 0)

  /// Whether touches that only moved are part of what comes of a line.
  package var tellsMoves = true

  /// What the configuration does not have of what the record says, each once.
  package var notes: [String] { world.notes }

  /// A player of a record's first line.
  ///
  /// - Throws: If a screen of the record is not in the configuration.
  package init(
    _ configuration: Configuration, _ header: RecordHeader, _ layout: RecordedLayout
  ) throws(ScriptError) {
    known = configuration.layout.screens
    screens = try Self.find(header.screens, among: known)
    pipeline = TouchPipeline(
      layout: configuration.layout, gestures: configuration.gestures,
      options: RouterOptions(rehearsing: configuration))
    pipeline.isObserved = true
    world = RecordedWorld(configuration)
    now = Timestamp(microseconds: header.time_us)
    try take(layout)
    _ = results(in: pipeline.layout)
  }

  private static func find(
    _ screens: [RecordedScreen], among known: [Screen]
  ) throws(ScriptError) -> [ScreenIndex] {
    var indices: [ScreenIndex] = []
    for screen in screens {
      guard let index = known.firstIndex(where: { $0.name == screen.name }) else {
        let names = known.map(\.name).joined(separator: ", ")
        throw ScriptError(
          "the record has a screen \"\(screen.name)\", and the configuration has \(names)")
      }
      indices.append(ScreenIndex(Int32(index)))
    }
    return indices
  }

  /// A player of a touchscreen's recording, with a program at each responder that handles every
  /// phase and every gesture.
  package convenience init(everybodyIn configuration: Configuration) throws(ScriptError) {
    let layout = configuration.layout
    try self.init(
      configuration,
      RecordHeader(
        touchroute: Release.version, started: 0, time_us: 0,
        screens: layout.screens.map {
          RecordedScreen(
            name: $0.name, size: [$0.size.width, $0.size.height], rotation: $0.rotation.rawValue)
        }), RecordedLayout(time_us: 0))
    for number in 0..<UInt32(layout.responderCount) {
      let path = layout.path(of: ResponderID(Int32(number)))
      world.attach(
        RecordedAttachment(
          time_us: 0, attachment: number + 1, client: number, name: path, path: path,
          handles: .all, passes: [], gestures: true), in: &pipeline)
    }
    _ = results(in: pipeline.layout)
  }

  /// Plays a line; what comes of it.
  package func play(_ line: RecordLine) throws(ScriptError) -> [RecordLine] {
    if case .event(let event) = line, event.event == "lifted", let touch = event.touch {
      if lifts.last.map({ $0.time == event.time_us }) == false { return try lift() + play(line) }
      lifts.append((touch, event.time_us))
      return []
    }
    var results = try liftUnlessIn(line)
    switch line {
    case .header, .gesture: break
    case .frame(let frame):
      results += advance(to: frame.time_us)
      try play(frame)
    case .attached(let item):
      results += advance(to: item.time_us)
      world.attach(item, in: &pipeline)
    case .event(let event):
      results += advance(to: event.time_us)
      play(event)
    case .layout(let layout):
      results += advance(to: layout.time_us)
      let old = pipeline.layout
      try take(layout)
      return results + self.results(in: old)
    }
    return results + self.results(in: pipeline.layout)
  }

  /// Lets time go on until no recognizer waits.
  package func finish() -> [RecordLine] {
    var results = (try? lift()) ?? []
    while let deadline = pipeline.router.nextDeadline {
      pipeline.advance(to: deadline)
      results += self.results(in: pipeline.layout)
    }
    return results
  }

  /// Lets recognizers and decisions know of the time up to there; what is due then comes after what
  /// happens then.
  private func advance(to time: UInt64) -> [RecordLine] {
    var results: [RecordLine] = []
    let time = Timestamp(microseconds: time)
    while let deadline = pipeline.router.nextDeadline, deadline < time {
      pipeline.advance(to: deadline)
      results += self.results(in: pipeline.layout)
    }
    now = max(now, time)
    return results
  }

  // MARK: - What happened

  /// Plays the fingers that were lifted, unless a line is the frame that they were lifted in.
  private func liftUnlessIn(_ line: RecordLine) throws(ScriptError) -> [RecordLine] {
    guard let lift = lifts.first else { return [] }
    if case .frame(let frame) = line, frame.time_us == lift.time,
      contacts[lift.touch]?.device == frame.device
    {
      return []
    }
    return try self.lift()
  }

  /// Plays the fingers that were lifted as frames of their devices.
  private func lift() throws(ScriptError) -> [RecordLine] {
    guard let time = lifts.first?.time else { return [] }
    var results = advance(to: time)
    for device in Set(lifts.compactMap { contacts[$0.touch]?.device }).sorted() {
      try play(
        RecordedFrame(device: device, screen: 0, sequence: 0, time_us: time, touches: []))
      results += self.results(in: pipeline.layout)
    }
    lifts.removeAll()
    return results
  }

  private func play(_ frame: RecordedFrame) throws(ScriptError) {
    guard screens.indices.contains(Int(frame.screen)) else {
      throw ScriptError("there is no screen \(frame.screen) in the record")
    }
    let time = Timestamp(microseconds: frame.time_us)
    let device = DeviceID(frame.device)
    events.removeAll()
    var lifted: [UInt64] = []
    for (id, _) in lifts {
      guard let contact = contacts[id], contact.device == frame.device else { continue }
      events.append(.up(device, slot: contact.slot, time: time))
      lifted.append(id)
    }
    lifts.removeAll { lifted.contains($0.touch) }
    for touch in frame.touches where touch.phase != "began" {
      guard let contact = contacts[touch.id] else { continue }
      let slot = contact.slot
      switch (touch.phase, touch.point) {
      case ("moved", let point?):
        events.append(.motion(device, slot: slot, location: point, time: time))
      case ("ended", _): events.append(.up(device, slot: slot, time: time))
      case ("cancelled", _):
        guard let reason = touch.cause, !comesOfDetaching(reason, at: frame.time_us) else {
          continue
        }
        events.append(.cancel(device, slot: slot, reason: reason, time: time))
      default: continue
      }
      if touch.phase != "moved" { lifted.append(touch.id) }
    }
    let isInjected = put(frame, at: time)
    for id in lifted { contacts.remove(id) }
    guard !events.isEmpty else { return }
    events.append(.frame(device, time: time))
    pipeline.consume(events, flags: isInjected ? .injected : [])
  }

  /// Whether touches were cancelled since an attachment ended just then, which happens again by
  /// itself: their fingers stay on the glass. Rule R9.
  private func comesOfDetaching(_ reason: CancelReason, at time: UInt64) -> Bool {
    reason == .requested && time == latestDetaching
  }

  /// Adds the touches that begin; whether they are injected.
  private func put(_ frame: RecordedFrame, at time: Timestamp) -> Bool {
    var isInjected = false
    var next = pipeline.sequencer.nextID
    for touch in frame.touches where touch.isNew {
      guard let point = touch.point, !touch.isOfBlindScreen else { continue }
      let slot = contacts.add(touch.id, of: frame.device)
      recorded[TouchID(next)] = touch.id
      next += 1
      isInjected = isInjected || touch.flags?.contains("injected") == true
      events.append(
        .down(
          DeviceID(frame.device), slot: slot, screen: screens[Int(frame.screen)], location: point,
          time: time))
    }
    return isInjected
  }

  private func play(_ event: RecordedEvent) {
    let time = Timestamp(microseconds: event.time_us)
    switch event.event {
    case "accepted", "declined":
      guard let id = event.touch, let client = event.client, let attachment = event.attachment,
        let touch = recorded.first(where: { $0.value == id })?.key,
        let holder = world.knownClient(client)
      else { return }
      let through = AttachmentID(attachment)
      if event.event == "accepted" {
        pipeline.accept(touch, through: through, by: holder, at: time)
      } else {
        pipeline.decline(touch, through: through, by: holder, at: time)
      }
    case "lost":
      // What the fingers did meanwhile is not known.
      pipeline.cancelAll(.requested, at: time)
      for contact in contacts.all {
        let events: [DeviceEvent] = [
          .cancel(DeviceID(contact.device), slot: contact.slot, reason: .requested, time: time),
          .frame(DeviceID(contact.device), time: time),
        ]
        pipeline.consume(ReusableArray(events))
      }
      contacts.removeAll()
    default:
      if event.event == "detached" { latestDetaching = event.time_us }
      world.take(event, in: &pipeline)
    }
  }

  private func take(_ layout: RecordedLayout) throws(ScriptError) {
    if let recorded = layout.screens { screens = try Self.find(recorded, among: known) }
    let time = Timestamp(microseconds: layout.time_us)
    if world.takeViews(layout) { pipeline.replaceLayout(world.layout, at: time) }
    if let gestures = layout.gestures { world.put(gestures, at: time, in: &pipeline) }
  }

  // MARK: - What came of it

  private func results(in layout: Layout) -> [RecordLine] {
    guard pipeline.hasUntaken else { return [] }
    let deliveries = pipeline.takeDeliveries()
    var lines: [RecordLine] = []
    let observations = deliveries.observations
    for frame in observations.frames {
      let touches = observations.records[frame.records].compactMap { record in
        tellsMoves || record.phase != .moved
          ? recorded[record.id].map {
            RecordedTouch(record, observations.chain(of: record, in: frame), as: $0, in: layout)
          } : nil
      }
      guard tellsMoves || !touches.isEmpty else { continue }
      lines.append(
        .frame(
          RecordedFrame(
            device: frame.device.rawValue, screen: UInt32(frame.screen.rawValue),
            sequence: frame.sequence, time_us: frame.time.microseconds,
            touches: touches)))
    }
    for gesture in deliveries.observedGestures {
      if let event = event(gesture) { lines.append(.gesture(event)) }
    }
    pipeline.finishDeliveries()
    forgetEnded(lines)
    return lines
  }

  /// Forgets the numbers of touches of which nothing more can be said: their fingers are gone.
  private func forgetEnded(_ lines: [RecordLine]) {
    guard recorded.count > 4 * (contacts.count + 64) else { return }
    let newest = recorded.keys.map(\.rawValue).max() ?? 0
    // Somebody may still decline the latest ones (R5).
    recorded = recorded.filter { contacts[$0.value] != nil || $0.key.rawValue + 64 > newest }
  }

  private func event(_ gesture: Deliveries.ObservedGesture) -> RecordedGestureEvent? {
    guard gesture.change != .changed, !gesture.isPassedBy,
      let path = pipeline.router.recognizer(gesture.recognizer)?.path
    else { return nil }
    var event = RecordedGestureEvent(
      path: path, state: gesture.change?.word ?? "possible", time_us: gesture.time.microseconds)
    event.touch = gesture.touch.flatMap { recorded[$0] }
    if case .cancelled(let reason) = gesture.change { event.cancel_reason = reason.word }
    if case .failed(let reason) = gesture.change {
      event.reason = reason.text { pipeline.router.recognizer($0)?.path ?? "" }
    }
    return event
  }
}

extension RecordedTouch {
  /// Where it is, if the record says so.
  fileprivate var point: Point? {
    guard let at, at.count == 2, at[0].isFinite, at[1].isFinite else { return nil }
    return Point(x: at[0], y: at[1])
  }

  /// Whether a finger came down, and not only another program got it.
  fileprivate var isNew: Bool { phase == "began" && flags?.contains("replayed") != true }

  fileprivate init(
    _ record: Observation.Record, _ links: some Sequence<Observation.Link>, as id: UInt64,
    in layout: Layout
  ) {
    let place = record.screenLocation
    self.init(
      id: id, phase: record.phase.word, at: place.x.isFinite ? [place.x, place.y] : nil)
    cancel_reason = record.cancelReason?.word
    discard_reason = record.discardReason?.word
    guard record.phase == .began else { return }
    target = record.target.map { layout.path(of: $0) }
    taps = record.tapCount > 1 ? Int(record.tapCount) : nil
    let words = record.flags.words
    flags = words.isEmpty ? nil : words
    chain = links.map { link in
      RecordedLink(
        path: layout.path(of: link.responder), outcome: link.outcome.word,
        attachment: link.attachment?.rawValue, pid: nil, phases: link.phases.words)
    }
  }
}

extension RouterOptions {
  /// What the router goes by, of a configuration that is rehearsed.
  init(rehearsing configuration: Configuration) {
    self.init()
    decisionTimeoutMilliseconds = UInt64(configuration.touch.decisionTimeoutMilliseconds)
    holdLimitMilliseconds = UInt64(configuration.touch.holdLimitMilliseconds)
    tapIntervalMilliseconds = UInt64(configuration.touch.tapIntervalMilliseconds)
    tapDistance = configuration.touch.tapDistance
    maximumLiveTouches = configuration.limits.touches
    maximumAttachmentsPerClient = configuration.limits.attachments
    maximumAddedRecognizersPerTouch = configuration.limits.gesturesPerTouch
  }
}
