import CTouchroute
public import TouchModel

/// A frame as it was routed, for observers on the control socket: every touch that changed,
/// whichever client got it.
public struct Observation: Equatable, Sendable {
  /// One responder of a chain. Rule R1.
  public struct Link: Equatable, Sendable {
    /// Its path.
    public var path: String
    /// The process that holds it; nil if none does.
    public var pid: Int32?
    /// The daemon's number of the attachment; nil if there is none.
    public var attachment: UInt32?
    /// What happened to the touch there; nil if this version does not know it.
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
    /// Why, if the phase is `cancelled`.
    public var cancelReason: CancelReason?
    /// Why no client gets it; nil if one does.
    public var discardReason: DiscardReason?
    /// Its flags.
    public var flags: RoutedTouch.Flags
    /// How many taps this one and those before it are. Rule T10.
    public var tapCount: UInt16
    /// The screen: an index into ``Welcome/screens``.
    public var screen: UInt32
    /// Where it is, in points of the screen; nil in a secure view. Rule F7.
    public var screenLocation: Point?
    /// The path of the view that was hit; empty if none was.
    public var targetPath: String
    /// With `began`: the responders that were asked, from the target up.
    public var chain: [Link]
    /// How many responders were asked. `chain` has fewer if they do not fit into a message.
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
  /// Whether the next event has further touches of the same frame.
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
