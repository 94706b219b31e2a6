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
  /// The responders that were asked of all touches: those of one are `links[record.chain]`.
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

  /// Adds what another one has behind its own.
  public func append(contentsOf other: Observations) {
    let (firstRecord, firstLink) = (records.count, links.count)
    for index in other.frames.indices {
      var frame = other.frames[index]
      frame.firstRecord += firstRecord
      frame.recordEnd += firstRecord
      frames.append(frame)
    }
    for index in other.records.indices {
      records.append(other.records[index])
      records[firstRecord + index].firstLink += firstLink
      records[firstRecord + index].linkEnd += firstLink
    }
    for index in other.links.indices { links.append(other.links[index]) }
  }

  /// Adds the responders that were asked of a touch.
  func add(_ chain: [Observation.Link], toRecordAt index: Int) {
    records[index].firstLink = links.count
    for link in chain { links.append(link) }
    records[index].linkEnd = links.count
  }

  /// Adds a frame of the touches from a record on.
  func appendFrame(of device: DeviceTouches, sequence: UInt64, from firstRecord: Int) {
    frames.append(
      Observation(
        device: device.device, screen: device.screen, time: device.time, sequence: sequence,
        firstRecord: firstRecord, recordEnd: records.count))
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
    /// With `began`: the responders asked, from the target up, among ``Observations/links``.
    @inlinable
    public var chain: Range<Int> { firstLink..<linkEnd }

    // Two numbers, as a range is not plain bytes to the compiler.
    @usableFromInline var firstLink = 0
    @usableFromInline var linkEnd = 0

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
  public var records: Range<Int> { firstRecord..<recordEnd }

  @usableFromInline var firstRecord: Int
  @usableFromInline var recordEnd: Int
}
