import Gestures
import Layout
import Routing
import Testing
import TouchModel

/// The daemon's pipeline without its sockets, with what it says as text.
final class RoutingWorld {
  var pipeline: TouchPipeline
  /// Microseconds; every step takes a millisecond.
  var now: UInt64 = 0
  var device = DeviceID(1)
  private var lines: [String] = []
  private var events: ReusableArray<DeviceEvent> = []

  init(
    _ layout: Layout, gestures: [RecognizerSpec] = [], options: RouterOptions = RouterOptions()
  ) {
    pipeline = TouchPipeline(layout: layout, gestures: gestures, options: options)
  }

  /// home, with a toolbar that has a controller and a button, over nav and media; the lower two
  /// windows side by side, 800 by 480 points in all. home and media are the dashboard's.
  static func layout(
    _ change: (inout LayoutDescription) -> Void = { _ in }
  ) throws -> Layout {
    func properties(
      _ x: Double, _ y: Double, _ width: Double, _ height: Double, controller: String? = nil
    ) -> ViewProperties {
      var properties = ViewProperties(
        frame: FrameDescription(Rect(x: x, y: y, width: width, height: height)))
      properties.controller = controller
      return properties
    }
    var description = LayoutDescription(
      screens: [Screen(name: "panel", size: Size(width: 800, height: 480))],
      windows: [
        .init(
          name: "home", screen: ScreenIndex(0), application: "dashboard",
          properties: properties(0, 0, 800, 240)),
        .init(name: "nav", screen: ScreenIndex(0), properties: properties(0, 240, 400, 240)),
        .init(
          name: "media", screen: ScreenIndex(0), application: "dashboard",
          properties: properties(400, 240, 400, 200)),
      ],
      views: [
        .init(path: "home/toolbar", properties: properties(0, 0, 800, 60, controller: "bar")),
        .init(path: "home/toolbar/back", properties: properties(8, 8, 44, 44)),
        .init(path: "nav/map", properties: properties(100, 100, 200, 100)),
      ])
    change(&description)
    return try Layout(description)
  }

  /// What observers are to be told.
  var observations: Observations { pipeline.deliveries.observations }

  /// The responders that were asked of each touch that observers are to be told of.
  var observedChains: [[Observation.Link]] {
    observations.frames.flatMap { frame in
      observations.records[frame.records].map { Array(observations.chain(of: $0, in: frame)) }
    }
  }

  var time: Timestamp { Timestamp(microseconds: now) }

  /// The client of that number.
  static func client(_ slot: UInt32) -> ClientID { ClientID(slot: slot, generation: 1) }

  // MARK: What happens

  @discardableResult
  func attach(
    _ client: UInt32, _ path: String, handles: TouchPhases = .all, passes: TouchPhases = [],
    takesOver: Bool = false, gestures: Bool = false
  ) throws -> Routing.Attachment {
    let request = AttachRequest(
      path: path, handles: handles, passes: passes, takesOver: takesOver,
      handlesGestures: gestures)
    return try pipeline.attach(request, by: Self.client(client), at: time)
  }

  func accept(_ touch: UInt64, through attachment: UInt32, by client: UInt32) {
    pipeline.accept(
      TouchID(touch), through: AttachmentID(attachment), by: Self.client(client), at: time)
  }

  /// A decline, and what it brought.
  func decline(
    _ touch: UInt64, through attachment: UInt32, by client: UInt32,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> [String] {
    drain(sourceLocation: sourceLocation)
    pipeline.decline(
      TouchID(touch), through: AttachmentID(attachment), by: Self.client(client), at: time)
    return said(sourceLocation: sourceLocation)
  }

  func goAway(_ client: UInt32) {
    pipeline.gone(Self.client(client), at: time)
  }

  func setUnresponsive(_ client: UInt32, _ isUnresponsive: Bool) {
    pipeline.setUnresponsive(Self.client(client), isUnresponsive, at: time)
  }

  func feed(_ event: DeviceEvent, flags: TouchFlags = []) {
    events.removeAll()
    events.append(event)
    pipeline.consume(events, flags: flags)
  }

  func down(_ slot: Int32, _ x: Double, _ y: Double) {
    feed(
      .down(device, slot: slot, screen: ScreenIndex(0), location: Point(x: x, y: y), time: time))
  }

  func move(_ slot: Int32, _ x: Double, _ y: Double) {
    feed(.motion(device, slot: slot, location: Point(x: x, y: y), time: time))
  }

  func up(_ slot: Int32) { feed(.up(device, slot: slot, time: time)) }

  /// The frame mark; returns what it brought, as text.
  func frame() -> [String] {
    feed(.frame(device, time: time))
    return said()
  }

  /// A tap, and what it brought.
  func tap(_ x: Double, _ y: Double) -> [String] {
    down(99, x, y)
    let began = frame()
    up(99)
    return began + frame()
  }

  // MARK: What is said

  /// All that was said since the last call, checked, a line a message:
  /// `0: began 1 a1 (5, 5) | moved 2 a1 (7, 7)`, the locations in the target's coordinates.
  func said(sourceLocation: SourceLocation = #_sourceLocation) -> [String] {
    drain(sourceLocation: sourceLocation)
    now += 1000
    defer { lines.removeAll() }
    return lines
  }

  /// Checks what was said until now, as the daemon does after each thing that happens.
  func drain(sourceLocation: SourceLocation = #_sourceLocation) {
    guard pipeline.hasUntaken else { return }
    lines += pipeline.deliveries.entries.map(line)
    let before = pipeline.checker.violationCount
    pipeline.finishDeliveries()
    if pipeline.checker.violationCount > before, let violation = pipeline.checker.latestViolation {
      Issue.record("\(violation)", sourceLocation: sourceLocation)
    }
  }

  private func line(_ entry: Deliveries.Entry) -> String {
    switch entry {
    case .frame(let frame):
      let records = pipeline.deliveries.records[frame.records].map(Self.text)
      return "\(frame.client.slot): " + records.joined(separator: " | ")
    case .layout(let client, let attachment):
      return "\(client.slot): layout a\(attachment.rawValue)"
    case .gesture(let index):
      let gesture = pipeline.deliveries.gestures[index]
      let path = path(of: gesture.event.recognizer)
      return "\(gesture.client.slot): \(path) \(text(gesture.event.change))"
    case .detached(let client, let attachment, let reason):
      return "\(client.slot): detached a\(attachment.rawValue) \(reason)"
    case .screen(let change): return "screen \(change.state)"
    case .lock(let change): return "lock \(change.cause)"
    case .idle(let change): return "\(change.client.slot): idle \(change.isIdle)"
    case .feedback(let index):
      let feedback = pipeline.deliveries.feedbacks[index]
      return "feedback \(feedback.name) \(feedback.cause) \(feedback.target ?? "(secure)")"
    }
  }

  private func path(of recognizer: RecognizerID) -> String {
    pipeline.router.recognizer(recognizer)?.path ?? ""
  }

  private func text(_ change: GestureEvent.Change) -> String {
    switch change {
    case .failed(let reason): "failed: " + reason.text { path(of: $0) }
    case .cancelled(let reason): "cancelled \(reason)"
    case .recognized, .began, .changed, .ended: "\(change)"
    }
  }

  private static func text(_ record: Deliveries.Record) -> String {
    let reason = record.cancelReason.map { " \($0)" } ?? ""
    let replayed = record.flags.contains(.replayed) ? " replayed" : ""
    let coalesced = record.flags.contains(.coalesced) ? " coalesced" : ""
    let place = "(\(number(record.location.x)), \(number(record.location.y)))"
    return "\(record.phase)\(reason)\(replayed)\(coalesced) \(record.id.rawValue)"
      + " a\(record.attachment.rawValue) \(place)"
  }

  private static func number(_ value: Double) -> String {
    value == value.rounded() ? String(Int(value)) : String(value)
  }
}
