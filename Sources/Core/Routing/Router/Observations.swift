public import Layout
public import TouchModel

/// What observers are told of frames: every touch that changed, whoever got it.
///
/// Plain bytes in lists that keep their memory: an observer is told of every frame.
public final class Observations {
  /// The frames, in order.
  public let frames = ReusableList<Observation>()
  /// The touches of all frames: those of one are `records[frame.records]`.
  public let records = ReusableList<Observation.Record>()
  /// The responders that were asked of all touches.
  public let links = ReusableList<Observation.Link>()

  /// Without any yet.
  public init() {}

  /// Whether there is none.
  @inlinable
  public var isEmpty: Bool { frames.isEmpty }

  /// Forgets them, and keeps their memory.
  @inline(__always)
  public func removeAll() {
    frames.removeAll()
    records.removeAll()
    links.removeAll()
  }

  /// The responders that were asked of a touch of a frame, from the target up; with `began` alone.
  public func chain(
    of record: Observation.Record, in frame: Observation
  ) -> Slice<ReusableList<Observation.Link>> {
    let first = frame.firstLink + Int(record.firstLink)
    return links[first..<first + Int(record.linkCount)]
  }

  /// Adds what another one has behind its own.
  public func append(contentsOf other: Observations) {
    for index in other.frames.indices {
      var frame = other.frames[index]
      frame.firstRecord += records.count
      frame.firstLink += links.count
      frames.append(frame)
    }
    records.append(contentsOf: other.records)
    links.append(contentsOf: other.links)
  }

  /// The next frame of a device, which has no touches yet.
  func frame(of device: DeviceTouches, sequence: UInt64) -> Observation {
    Observation(
      device: device.device, screen: device.screen, time: device.time, sequence: sequence,
      firstRecord: records.count, recordCount: 0, firstLink: links.count)
  }

  /// Adds the responders that were asked of a touch of the next frame.
  func add(_ chain: [Observation.Link], toRecordAt index: Int, of frame: Observation) {
    records[index].firstLink = UInt32(links.count - frame.firstLink)
    records[index].linkCount = UInt32(chain.count)
    for link in chain { links.append(link) }
  }

  /// Adds the frame, of the touches that were added since it was made.
  func append(_ frame: Observation) {
    var frame = frame
    frame.recordCount = records.count - frame.firstRecord
    frames.append(frame)
  }
}

/// One frame as it was routed, for observers.
public struct Observation: Equatable, Sendable, BitwiseCopyable {
  /// One touch that changed.
  public struct Record: Equatable, Sendable, BitwiseCopyable {
    /// The touch.
    public let id: TouchID
    /// Where it is, in points of the screen; of one in a secure view not a number (rule F7).
    public let screenLocation: Point
    /// The view that was hit, if one was; of one in a secure view that view (rule F7).
    public let target: ViewIndex?
    /// Its phase in this frame.
    public let phase: TouchPhase
    /// Why, where the phase is `cancelled`.
    public let cancelReason: CancelReason?
    /// Why nobody gets it, where nobody does.
    public internal(set) var discardReason: DiscardReason?
    /// What is special about it.
    public let flags: TouchFlags
    /// How many taps in a row it makes, itself included: 1 for the first. Rule T10.
    public let tapCount: UInt16
    /// How many responders ``Observations/chain(of:in:)`` has.
    public internal(set) var linkCount: UInt32 = 0
    /// The first of these, counted from the first link of its frame: so frames are copied as bytes.
    fileprivate var firstLink: UInt32 = 0

    /// The touch as observers may see it: of one in a secure view neither where it is nor which
    /// view within it was hit (rule F7).
    ///
    /// - Parameter reason: Why it is cancelled for everybody, where its shares say so.
    @inline(__always)
    init(_ touch: LiveTouch, cancelled reason: CancelReason? = nil, in layout: Layout) {
      let isSecure = touch.flags.contains(.secure)
      id = touch.id
      screenLocation = isSecure ? Point(x: .nan, y: .nan) : touch.screenLocation
      target = isSecure ? touch.target.flatMap { layout.secureRoot(of: $0) } : touch.target
      phase = reason == nil ? touch.phase : .cancelled
      cancelReason = reason ?? touch.cancelReason
      discardReason =
        switch touch.fate {
        case .delivered: nil
        case .discarded(let reason): reason
        case .dead: .over
        }
      flags = touch.flags
      tapCount = touch.tapCount
    }
  }

  /// What became of a touch at one responder of its chain.
  public struct Link: Equatable, Sendable, BitwiseCopyable {
    /// The responder.
    public let responder: ResponderID
    /// The client that holds it, if one does.
    public let client: ClientID?
    /// That client's attachment.
    public let attachment: AttachmentID?
    /// What happened.
    public internal(set) var outcome: ChainOutcome
    /// The phases that it gets.
    public internal(set) var phases: TouchPhases
  }

  /// The device.
  public let device: DeviceID
  /// The device's screen.
  public let screen: ScreenIndex
  /// The frame's time.
  public let time: Timestamp
  /// The frame's number.
  public let sequence: UInt64
  /// The touches that changed, among ``Observations/records``.
  @inlinable
  public var records: Range<Int> { firstRecord..<firstRecord + recordCount }

  // Two numbers, as a range is not plain bytes to the compiler.
  @usableFromInline var firstRecord: Int
  @usableFromInline var recordCount: Int
  fileprivate var firstLink: Int
}
