import TouchClient
import TouchModel

/// An event of `listen` as a line of JSON. Lengths are in points, times in microseconds of
/// CLOCK_MONOTONIC.
struct ListenedEvent: Encodable {
  /// `attached`, `layout`, `detached`, `waiting`, `holder` or `touches`.
  var event: String
  /// The path that was attached to; not with `touches`, each of which has its own.
  var attachment: String?
  /// The box round the view on the screen: x, y, width, height.
  var frame: [Double]?
  var reason: String?
  var device: UInt32?
  var sequence: UInt64?
  var time_us: UInt64?
  var touches: [Touch]?
  /// With `holder`: the responder, whether that program holds it now or has let it go, and the
  /// program.
  var path: String?
  var is_held: Bool?
  var pid: Int32?
  var uid: UInt32?
  var name: String?
  var handles: [String]?
  var passes: [String]?

  /// A touch of a frame.
  struct Touch: Encodable {
    var attachment: String
    var cancel_reason: String?
    var flags: [String]
    var id: UInt64
    /// x and y in the target's coordinates.
    var location: [Double]
    var phase: String
    var previous_location: [Double]
    var samples: [Sample]?
    var screen_location: [Double]
    var tap_count: UInt16
    var target: String
    var time_us: UInt64
    var window_location: [Double]
  }

  /// A move that was merged.
  struct Sample: Encodable {
    var location: [Double]
    var time_us: UInt64
  }

  /// Nil for events that say nothing about touches.
  init?(_ event: TouchEvent, _ names: [AttachmentID: String]) {
    switch event {
    case .attached(let geometry), .layout(let geometry):
      self.event = if case .attached = event { "attached" } else { "layout" }
      attachment = names[geometry.attachment]
      if geometry.screen != nil {
        let box = geometry.frame
        frame = [box.x, box.y, box.width, box.height]
      }
    case .detached(let detachment):
      self.event = "detached"
      attachment = names[detachment.attachment]
      reason = detachment.text
    case .waiting(let waiting):
      self.event = "waiting"
      attachment = names[waiting.attachment]
      reason = waiting.text
    case .holder(let holder):
      self.event = "holder"
      attachment = names[holder.attachment]
      path = holder.path
      is_held = holder.isHeld
      pid = holder.pid
      uid = holder.uid
      name = holder.name
      handles = holder.handles.words
      passes = holder.passes.words
    case .touches(let routed):
      self.event = "touches"
      device = routed.device.rawValue
      sequence = routed.sequence
      time_us = routed.time.microseconds
      touches = routed.touches.map { Touch($0, names) }
    default:
      return nil
    }
  }
}

extension ListenedEvent.Touch {
  fileprivate init(_ touch: RoutedTouch, _ names: [AttachmentID: String]) {
    attachment = names[touch.attachment] ?? ""
    cancel_reason = touch.cancelReason?.word
    flags = touch.flags.words
    id = touch.id.rawValue
    location = [touch.location.x, touch.location.y]
    phase = touch.phase.word
    previous_location = [touch.previousLocation.x, touch.previousLocation.y]
    screen_location = [touch.screenLocation.x, touch.screenLocation.y]
    tap_count = touch.tapCount
    target = touch.targetPath
    time_us = touch.time.microseconds
    window_location = [touch.windowLocation.x, touch.windowLocation.y]
    if !touch.samples.isEmpty {
      samples = touch.samples.map {
        ListenedEvent.Sample(
          location: [$0.location.x, $0.location.y], time_us: $0.time.microseconds)
      }
    }
  }
}
