import CTouchroute
public import TouchModel

/// A frame as it was routed: every touch that changed, whoever got it. For those who observe on the
/// control socket.
public struct Observation: Equatable, Sendable {
  /// One responder of a chain. Rule R1.
  public struct Link: Equatable, Sendable {
    /// Its path.
    public var path: String
    /// The process that holds it, where one does.
    public var pid: Int32?
    /// The daemon's number of the attachment, where there is one.
    public var attachment: UInt32?
    /// What became of the touch there; nil where this version does not know it.
    public var outcome: ChainOutcome?
    /// The phases that it gets.
    public var phases: TouchPhases
  }

  /// One touch that changed.
  public struct Record: Equatable, Sendable {
    /// The touch.
    public var id: TouchID
    /// Its phase in this frame.
    public var phase: TouchPhase
    /// Why, where the phase is `cancelled`.
    public var cancelReason: CancelReason?
    /// Why nobody gets it, where nobody does.
    public var discardReason: DiscardReason?
    /// What is special about it.
    public var flags: RoutedTouch.Flags
    /// How many taps it and its predecessors are. Rule T10.
    public var tapCount: UInt16
    /// The screen, counted among those of ``Welcome``.
    public var screen: UInt32
    /// Where it is, in points of the screen; nil in a secure view. Rule F7.
    public var screenLocation: Point?
    /// The path of the view that was hit; empty where none was.
    public var targetPath: String
    /// With `began`: the responders asked, from the target up.
    public var chain: [Link]
    /// How many responders were asked: more than `chain` holds where a message has no room for it.
    public var chainTotal: UInt32
  }

  /// The kernel's time of the frame.
  public var time: Timestamp
  /// The frame's number.
  public var sequence: UInt64
  /// The device.
  public var device: DeviceID
  /// The touches that changed.
  public var records: [Record]
  /// Whether the same frame goes on, with other touches, in the next event.
  public var continues: Bool

  /// The message as the C library shows it.
  init(_ observation: touchroute_observation) {
    time = Timestamp(microseconds: observation.time_us)
    sequence = observation.sequence
    device = DeviceID(observation.device)
    records = UnsafeBufferPointer(
      start: observation.records, count: Int(observation.record_count)
    ).compactMap { Record($0) }
    continues = observation.more != 0
  }
}

extension Observation.Record {
  /// The record as the C library shows it; nil where its phase is none.
  fileprivate init?(_ record: touchroute_observed_record) {
    let touch = record.touch
    guard let phase = TouchPhase(rawValue: touch.phase) else { return nil }
    let location = Point(x: touch.screen_x, y: touch.screen_y)
    self.init(
      id: TouchID(touch.id), phase: phase,
      cancelReason: CancelReason(rawValue: touch.cancel_reason),
      discardReason: DiscardReason(rawValue: touch.discard_reason),
      flags: RoutedTouch.Flags(rawValue: touch.flags), tapCount: touch.tap_count,
      screen: touch.screen, screenLocation: location.isFinite ? location : nil,
      targetPath: String(cString: record.path),
      chain: UnsafeBufferPointer(start: record.chain, count: Int(touch.chain_count)).map {
        Observation.Link($0)
      },
      chainTotal: touch.chain_total)
  }
}

extension Observation.Link {
  /// The link as the C library shows it.
  fileprivate init(_ link: touchroute_chain_link) {
    self.init(
      path: String(cString: link.path), pid: link.entry.pid == 0 ? nil : link.entry.pid,
      attachment: link.entry.attachment == TOUCHROUTE_NONE ? nil : link.entry.attachment,
      outcome: ChainOutcome(rawValue: link.entry.outcome),
      phases: TouchPhases(rawValue: link.entry.phases))
  }
}
