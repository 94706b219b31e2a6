import TouchModel

/// What ``StreamChecker`` has seen of one touch at one attachment.
struct TouchStream {
  let touch: TouchID
  let client: ClientID
  let attachment: AttachmentID
  let device: DeviceID
  /// The phases that the attachment was said to get.
  private(set) var phases: TouchPhases
  /// The number of the latest frame that had it.
  private(set) var sequence: UInt64
  /// Whether it ended or was cancelled.
  private(set) var isOver: Bool
  /// Whether the layout changed for the attachment, so that the target may have another number.
  var mayChangeTarget = false

  private var targetIndex: UInt32
  private var time: Timestamp

  /// What a first record begins.
  init(_ record: Deliveries.Record, of frame: Deliveries.ClientFrame) {
    touch = record.id
    client = frame.client
    attachment = record.attachment
    device = frame.device
    phases = record.phases
    sequence = frame.sequence
    isOver = record.phase.isFinal
    targetIndex = record.targetIndex
    time = record.time
  }

  /// Whether an end must have come before the touch leaves the glass. An attachment that gets only
  /// one of `ended` and `cancelled` may rightly hear neither.
  var mustEnd: Bool { !isOver && phases.isSuperset(of: [.ended, .cancelled]) }

  /// Whether every frame for its client must have it (rule T2): an attachment that hears of moves
  /// and of any end.
  var mustBeInFrames: Bool { mustEnd && phases.contains(.moved) }

  /// What is wrong with a record as the first one of its stream, if something is. Of a touch that
  /// left the glass the stream may have been forgotten, and what is said further is a replay.
  static func violation(
    ofFirst record: Deliveries.Record, isOnGlass: Bool = true
  ) -> Violation.Kind? {
    if !record.phases.contains(TouchPhases(record.phase)) { return .wrongPhase }
    if !isOnGlass && record.flags.contains(.replayed) { return nil }
    if record.phases.contains(.began) && record.phase != .began { return .noBegan }
    return record.namesTarget ? nil : .unnamed
  }

  /// Whether a record goes on with it.
  @inline(__always)
  func isOf(_ record: Deliveries.Record) -> Bool {
    touch == record.id && attachment == record.attachment
  }

  /// Takes a further record, and returns what is wrong with it, if something is.
  mutating func take(
    _ record: Deliveries.Record, of frame: Deliveries.ClientFrame
  ) -> Violation.Kind? {
    if isRestart(record) {
      self = TouchStream(record, of: frame)
      return Self.violation(ofFirst: record)
    }
    let violation = violation(of: record, in: frame)
    phases = record.phases
    sequence = frame.sequence
    isOver = isOver || record.phase.isFinal
    targetIndex = record.targetIndex
    mayChangeTarget = false
    time = max(time, record.time)
    return violation
  }

  /// Takes a further record if it goes on with the stream as nearly all do: nothing but where it
  /// is and the time is new. What it takes `take` would take without a violation, in more steps.
  @inline(__always)
  mutating func takePlain(_ record: Deliveries.Record, of frame: Deliveries.ClientFrame) -> Bool {
    guard
      (record.phase == .moved || record.phase == .stationary)
        && phases.contains(.moved) && record.phases == phases && !isOver && client == frame.client
        && device == frame.device && sequence != frame.sequence && !mayChangeTarget
        && record.targetIndex == targetIndex && record.time >= time
    else { return false }
    sequence = frame.sequence
    time = record.time
    return true
  }

  /// Whether a touch of which the attachment was passed a part without `began` is now given to it
  /// from its beginning, because somebody declined it. Rule R5.
  private func isRestart(_ record: Deliveries.Record) -> Bool {
    record.phase == .began && record.flags.contains(.replayed) && !phases.contains(.began)
  }

  /// Marks that nothing more may come.
  mutating func finish() { isOver = true }

  private func violation(
    of record: Deliveries.Record, in frame: Deliveries.ClientFrame
  ) -> Violation.Kind? {
    if isOver { return .afterEnd }
    if client != frame.client { return .notAttached }
    if device != frame.device { return .deviceChanged }
    if sequence == frame.sequence { return .wrongOrder }
    if record.phase == .began { return .beganAgain }
    if !record.phases.isSuperset(of: phases) { return .wrongPhase }
    if !record.phases.contains(TouchPhases(record.phase)) { return .wrongPhase }
    if record.targetIndex != targetIndex && !mayChangeTarget { return .targetChanged }
    if record.time < time { return .timeWentBack }
    return nil
  }
}
