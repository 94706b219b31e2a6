import TouchClient
import TouchModel

/// A frame of `monitor` as a line of JSON. Lengths are in points, times in microseconds of
/// CLOCK_MONOTONIC.
struct ObservedFrame: Encodable {
  var device: UInt32
  var device_name: String
  var sequence: UInt64
  var time_us: UInt64
  var touches: [Touch]

  /// A touch that changed.
  struct Touch: Encodable {
    var cancel_reason: String?
    var chain: [Link]?
    var discard_reason: String?
    var flags: [String]
    var id: UInt64
    var phase: String
    /// x and y on the screen; not in a secure view.
    var screen_location: [Double]?
    var tap_count: UInt16
    var target: String?
  }

  /// A responder that was asked.
  struct Link: Encodable {
    var outcome: String?
    var path: String
    var phases: [String]
    var pid: Int32?
  }

  init(_ frame: Observation, _ records: [Observation.Record], device: String) {
    self.device = frame.device.rawValue
    device_name = device
    sequence = frame.sequence
    time_us = frame.time.microseconds
    touches = records.map { record in
      Touch(
        cancel_reason: record.cancelReason?.word,
        chain: record.phase == .began ? record.chain.map(Link.init) : nil,
        discard_reason: record.discardReason?.word, flags: record.flags.words,
        id: record.id.rawValue, phase: record.phase.word,
        screen_location: record.screenLocation.map { [$0.x, $0.y] }, tap_count: record.tapCount,
        target: record.targetPath.isEmpty ? nil : record.targetPath)
    }
  }
}

extension ObservedFrame.Link {
  fileprivate init(_ link: Observation.Link) {
    outcome = link.outcome?.word
    path = link.path
    phases = link.phases.words
    pid = link.pid
  }
}

/// What happened to a recognizer, as a line of JSON.
struct ObservedGestureReport: Encodable {
  var cancel_reason: String?
  /// The recognizer's path, as `path` is; this is its former name.
  var gesture: String
  var kind: String?
  var path: String
  var pid: Int32?
  /// Why it failed, or takes no part.
  var reason: String?
  var state: String
  var time_us: UInt64
  var touch: UInt64?

  init(_ observed: ObservedGesture) {
    cancel_reason = observed.cancelReason?.word
    gesture = observed.path
    path = observed.path
    kind = observed.kind?.word
    pid = observed.pid
    reason = observed.state == .failed ? observed.text : nil
    state = observed.isPassedBy ? "passed_by" : observed.state.word
    time_us = observed.time.microseconds
    touch = observed.touch?.rawValue
  }
}

/// What a filter did, or what is wrong with a device, as a line of JSON.
struct ObservedSignalReport: Encodable {
  var device: UInt32
  var device_name: String
  /// What is wrong with the device.
  var fault: String?
  /// What the filter did.
  var filter: String?
  /// With `fault`, whether that is no longer wrong.
  var is_over: Bool?
  /// x and y on the screen, as the device reported them; not in a secure view.
  var reported_location: [Double]?
  /// With `fault`: what is wrong, in words that follow the device's name.
  var text: String?
  var time_us: UInt64
  /// Not of a contact that has not begun.
  var touch: UInt64?

  init(_ signal: ObservedSignal, device name: String) {
    device = signal.device.rawValue
    device_name = name
    if signal.finding.isFault {
      fault = signal.finding.word
      is_over = signal.isOver
      text = signal.text
    } else {
      filter = signal.finding.word
    }
    reported_location = signal.screenLocation.map { [$0.x, $0.y] }
    time_us = signal.time.microseconds
    touch = signal.touch?.rawValue
  }
}
