import Configuration
import Layout
import Routing
import Testing
import TouchModel

/// Fingers on the screens of a configuration, routed as the daemon does it.
struct Fingers: ~Copyable {
  private let layout: Layout
  private var pipeline: TouchPipeline
  private let device = DeviceID(1)
  private var time = Timestamp(microseconds: 1_000_000)

  init(_ configuration: Configuration) {
    layout = configuration.layout
    var options = RouterOptions()
    options.tapIntervalMilliseconds = UInt64(configuration.touch.tapIntervalMilliseconds)
    options.tapDistance = configuration.touch.tapDistance
    pipeline = TouchPipeline(layout: layout, options: options)
  }

  /// A client of its own that handles everything of a responder.
  mutating func attach(_ path: String, passes: TouchPhases = []) throws {
    let slot = UInt32(pipeline.router.attachments.all.count)
    _ = try pipeline.attach(
      AttachRequest(path: path, handles: .all, passes: passes, takesOver: false),
      by: ClientID(slot: slot, generation: 1), at: time)
    pipeline.finishDeliveries()
  }

  /// Clients for all windows.
  mutating func attachToWindows() throws {
    for window in layout.windows { try attach(layout.path(of: window.root)) }
  }

  /// Puts a finger down; what is delivered.
  mutating func down(_ slot: Int32, _ x: Double, _ y: Double) -> [Deliveries.Record] {
    feed(
      .down(device, slot: slot, screen: ScreenIndex(0), location: Point(x: x, y: y), time: time))
  }

  /// Lifts it.
  mutating func up(_ slot: Int32) { _ = feed(.up(device, slot: slot, time: time)) }

  mutating func wait(milliseconds: UInt64) {
    time = Timestamp(microseconds: time.microseconds + milliseconds * 1000)
  }

  /// The responders that are asked for the touch of a finger, from its target on.
  mutating func responders(_ x: Double, _ y: Double) -> [String] {
    let paths = pipeline.router.attachments.all.reduce(into: [AttachmentID: String]()) {
      $0[$1.id] = layout.path(of: $1.responder)
    }
    let began = down(0, x, y).filter { $0.phase == .began }
    up(0)
    return began.map { paths[$0.attachment] ?? "?" }
  }

  /// The targets of fingers put down one after the other and held; `-` for a touch discarded.
  mutating func targets(_ points: [Point]) -> [String] {
    let targets = points.enumerated().map { slot, point in
      let began = down(Int32(slot), point.x, point.y).filter { $0.phase == .began }
      return began.first.map { layout.path(of: $0.target) } ?? "-"
    }
    for slot in points.indices { up(Int32(slot)) }
    return targets
  }

  private mutating func feed(_ event: DeviceEvent) -> [Deliveries.Record] {
    pipeline.consume([event, .frame(device, time: time)])
    wait(milliseconds: 1)
    defer { pipeline.finishDeliveries() }
    return Array(pipeline.deliveries.records)
  }
}
