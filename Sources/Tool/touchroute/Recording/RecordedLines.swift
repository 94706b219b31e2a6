import TouchClient
import TouchModel
import TouchScripts

// What the daemon tells observers, as lines of a record.

extension RecordedFrame {
  /// A frame as it was routed.
  init(_ frame: Observation) {
    self.init(
      device: frame.device.rawValue, screen: frame.records.first?.screen ?? 0,
      sequence: frame.sequence, time_us: frame.time.microseconds,
      touches: frame.records.map(RecordedTouch.init))
  }
}

extension RecordedTouch {
  fileprivate init(_ record: Observation.Record) {
    let place = record.screenLocation
    self.init(
      id: record.id.rawValue, phase: record.phase.word, at: place.map { [$0.x, $0.y] })
    cancel_reason = record.cancelReason?.word
    discard_reason = record.discardReason?.word
    guard record.phase == .began else { return }
    target = record.targetPath.isEmpty ? nil : record.targetPath
    taps = record.tapCount > 1 ? Int(record.tapCount) : nil
    flags = record.flags.isEmpty ? nil : record.flags.words
    chain = record.chain.map { link in
      RecordedLink(
        path: link.path, outcome: link.outcome?.word ?? "unknown", attachment: link.attachment,
        pid: link.pid, phases: link.phases.words)
    }
  }
}

extension RecordedGestureEvent {
  /// What a recognizer came to.
  init(_ gesture: ObservedGesture) {
    self.init(
      path: gesture.path, state: gesture.isPassedBy ? "passed_by" : gesture.state.word,
      time_us: gesture.time.microseconds)
    kind = gesture.kind?.word
    touch = gesture.touch?.rawValue
    pid = gesture.pid
    cancel_reason = gesture.cancelReason?.word
    reason = gesture.text.isEmpty ? nil : gesture.text
  }
}

extension RecordedAttachment {
  /// A client that holds a responder; nil where the change is another one.
  init?(_ change: ObservedChange) {
    guard change.kind == .attached, let id = change.attachment, let client = change.client else {
      return nil
    }
    self.init(
      time_us: change.time.microseconds, attachment: id, client: client, name: change.name,
      path: change.path, handles: change.handles, passes: change.passes,
      gestures: change.handlesGestures)
    pid = change.pid
  }
}

extension RecordedEvent {
  /// What else happened; nil where records say that otherwise.
  init?(_ change: ObservedChange) {
    let word: String
    switch change.kind {
    case .layout, .attached: return nil
    case .detached: word = "detached"
    case .gone: word = "gone"
    case .unresponsive: word = "unresponsive"
    case .responsive: word = "responsive"
    case .accepted: word = "accepted"
    case .declined: word = "declined"
    case .lost: word = "lost"
    case .lifted: word = "lifted"
    }
    self.init(event: word, time_us: change.time.microseconds)
    (attachment, client, pid) = (change.attachment, change.client, change.pid)
    switch change.kind {
    case .accepted, .declined, .lifted: touch = change.value
    case .lost: count = change.value
    case .detached: reason = Self.reasons[change.value]
    default: break
    }
  }

  private static let reasons: [UInt64: String] = [1: "removed", 2: "taken_over", 3: "not_allowed"]
}
