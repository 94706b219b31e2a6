import CTouchroute
public import TouchModel

/// One touch of a frame, as one attachment of this program sees it.
public struct RoutedTouch: Equatable, Sendable {
  /// Flags of a touch; the bits are the wire's.
  public typealias Flags = TouchFlags

  /// A move that was merged into a later one. Rule F2.
  public struct Sample: Equatable, Sendable {
    /// When it happened.
    public var time: Timestamp
    /// Where, in the target's coordinates.
    public var location: Point
  }

  /// The touch. If several attachments get it, it has the same id in all.
  public var id: TouchID
  /// The attachment that gets it.
  public var attachment: AttachmentID
  /// Its phase in this frame.
  public var phase: TouchPhase
  /// Why, if the phase is `cancelled`; nil if this version does not know the reason. Rule R9.
  public var cancelReason: CancelReason?
  /// Its flags.
  public var flags: Flags
  /// How many taps this one and those before it are. Rule T10.
  public var tapCount: UInt16
  /// When it last changed, or 71 minutes before the frame if that is longer ago.
  public var time: Timestamp
  /// The view that was hit (rule H1): an index into the views that describe lists for the
  /// attachment's responder.
  public var target: UInt32
  /// That view's path; empty if it is over the limit of 3,072 bytes.
  public var targetPath: String
  /// The screen: an index into ``Welcome/screens``.
  public var screen: UInt32
  /// Where it is, in the target's coordinates. Rule T9.
  public var location: Point
  /// Where it was in the frame before, in the target's coordinates.
  public var previousLocation: Point
  /// Where it is, in the coordinates of the target's window.
  public var windowLocation: Point
  /// Where it is, in points of the screen.
  public var screenLocation: Point
  /// The moves that were merged into this one, oldest first, if the attachment asked for them.
  public var samples: [Sample]

  /// The record of a frame of that time as the C library shows it; nil where its phase is none.
  init?(_ record: touchroute_record, at frameTime: UInt64) {
    let touch = record.touch.pointee
    guard let phase = TouchPhase(rawValue: touch.phase) else { return nil }
    id = TouchID(touch.id)
    attachment = AttachmentID(touch.attachment)
    self.phase = phase
    cancelReason = CancelReason(rawValue: touch.cancel_reason)
    flags = Flags(rawValue: touch.flags)
    tapCount = touch.tap_count
    time = Timestamp(microseconds: frameTime - min(frameTime, UInt64(touch.age_us)))
    target = touch.target
    targetPath = String(cString: record.path)
    screen = UInt32(touch.screen)
    location = Point(touch.x, touch.y)
    previousLocation = Point(touch.previous_x, touch.previous_y)
    windowLocation = Point(touch.window_x, touch.window_y)
    screenLocation = Point(touch.screen_x, touch.screen_y)
    samples = UnsafeBufferPointer(start: record.samples, count: Int(touch.sample_count)).map {
      Sample(time: Timestamp(microseconds: $0.time_us), location: Point($0.x, $0.y))
    }
  }
}

extension Point {
  /// A point as the wire has it.
  fileprivate init(_ x: Float, _ y: Float) { self.init(x: Double(x), y: Double(y)) }
}

/// All live touches of one device that this program gets. Rule T2.
public struct RoutedFrame: Equatable, Sendable {
  /// The kernel's time of the frame.
  public var time: Timestamp
  /// The frame's number; it goes up, with gaps for frames that were not for this program.
  public var sequence: UInt64
  /// The device, from its arrival to its removal.
  public var device: DeviceID
  /// The touches, in the daemon's order: lifts, then moves, then begans. Rule T3.
  public var touches: [RoutedTouch]
  /// Whether the next event has further touches of the same frame.
  public var continues: Bool

  /// The frame as the C library shows it.
  init(_ frame: touchroute_frame) {
    time = Timestamp(microseconds: frame.time_us)
    sequence = frame.sequence
    device = DeviceID(frame.device)
    touches = UnsafeBufferPointer(start: frame.records, count: Int(frame.record_count))
      .compactMap { RoutedTouch($0, at: frame.time_us) }
    continues = frame.more != 0
  }
}
