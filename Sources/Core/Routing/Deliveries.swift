public import Wire
package import Gestures
public import Layout
public import TouchModel

/// What the router wants sent, in the order in which it must be sent. A pipeline fills the same one
/// anew each time: it is emptied with its capacity kept, so that a moving touch allocates nothing.
public final class Deliveries {
  /// One message to one client.
  public enum Entry: Equatable, Sendable, BitwiseCopyable {
    /// A frame of touches; its records are `records[frame.records]`.
    case frame(ClientFrame)
    /// The geometry of an attachment changed; sent before the first touch that it affects.
    case layout(ClientID, AttachmentID)
    /// What a recognizer has to tell: ``gestures`` at that index.
    case gesture(Int)
    /// The attachment is no more, though nobody asked.
    case detached(ClientID, AttachmentID, Wire.DetachReason)
    /// A screen is dark, waking or on.
    case screen(ScreenPower.Change)
    /// A screen is locked, or no longer.
    case lock(TouchLocks.Change)
    /// Nobody has touched what a client watches for so long, or somebody does again.
    case idle(IdleWatches.Change)
    /// Something was hit: ``feedbacks`` at that index.
    case feedback(Int)
  }

  /// One frame of one device, for one client. Rule T2.
  public struct ClientFrame: Equatable, Sendable, BitwiseCopyable {
    /// Who gets it.
    public var client: ClientID
    /// The device that made it.
    public var device: DeviceID
    /// The frame's time; of one device it never goes back, though a frame that the router makes
    /// itself may overtake one that the device made.
    public var time: Timestamp
    /// The frame's number; the same for every client that gets a part of it.
    public var sequence: UInt64
    /// Its records, as a range of ``Deliveries/records``.
    @inlinable
    public var records: Range<Int> { firstRecord..<recordEnd }

    // Two numbers, as a range is not plain bytes to the compiler.
    @usableFromInline var firstRecord: Int
    @usableFromInline var recordEnd: Int

    /// A frame of those records.
    @inlinable
    public init(
      client: ClientID, device: DeviceID, time: Timestamp, sequence: UInt64, records: Range<Int>
    ) {
      self.client = client
      self.device = device
      self.time = time
      self.sequence = sequence
      firstRecord = records.lowerBound
      recordEnd = records.upperBound
    }
  }

  /// One touch, as one attachment sees it.
  public struct Record: Equatable, Sendable, BitwiseCopyable {
    /// The touch.
    public var id: TouchID
    /// When it last changed.
    public var time: Timestamp
    /// The attachment that gets it.
    public var attachment: AttachmentID
    /// Whether that wants the samples of merged moves. Rule F2.
    public var wantsHistory: Bool
    /// The view that was hit. Rule H1.
    public var target: ViewIndex
    /// The target, counted among the views of the attachment's responder: see
    /// ``Layout/Layout/targetIndex(of:in:)``.
    public var targetIndex: UInt32
    /// Whether its client is told the target's path with it: with `began`, and with the first
    /// record that the attachment gets of the touch.
    public var namesTarget: Bool
    /// Its phase in this frame.
    public var phase: TouchPhase
    /// Why, where the phase is `cancelled`.
    public var cancelReason: CancelReason?
    /// The phases of this touch that the attachment gets: fixed when it began (rule R4), and more
    /// only where somebody declines it (rule R5).
    public var phases: TouchPhases
    /// What is special about it.
    public var flags: TouchFlags
    /// How many taps in a row it makes, itself included: 1 for the first. Rule T10.
    public var tapCount: UInt16
    /// The screen it is on.
    public var screen: ScreenIndex
    /// Where it is, in the target's coordinates. Rule T9.
    public var location: Point
    /// Where it was in the frame before, in the target's coordinates.
    public var previousLocation: Point
    /// Where it is, in the coordinates of the target's window.
    public var windowLocation: Point
    /// Where it is, in points of the screen.
    public var screenLocation: Point

    /// A touch as an attachment sees it.
    @inlinable
    public init(
      id: TouchID, time: Timestamp, attachment: AttachmentID, target: ViewIndex,
      targetIndex: UInt32, namesTarget: Bool, phase: TouchPhase, cancelReason: CancelReason?,
      phases: TouchPhases, flags: TouchFlags, tapCount: UInt16, screen: ScreenIndex,
      location: Point, previousLocation: Point, windowLocation: Point, screenLocation: Point,
      wantsHistory: Bool = false
    ) {
      self.id = id
      self.time = time
      self.attachment = attachment
      self.wantsHistory = wantsHistory
      self.target = target
      self.targetIndex = targetIndex
      self.namesTarget = namesTarget
      self.phase = phase
      self.cancelReason = cancelReason
      self.phases = phases
      self.flags = flags
      self.tapCount = tapCount
      self.screen = screen
      self.location = location
      self.previousLocation = previousLocation
      self.windowLocation = windowLocation
      self.screenLocation = screenLocation
    }
  }

  /// What a recognizer has to tell an attachment. Rules G12 and G13.
  package struct Gesture: Equatable, BitwiseCopyable {
    /// Who gets it.
    package var client: ClientID
    /// The attachment that gets it.
    package var attachment: AttachmentID
    /// What happened.
    package var event: GestureEvent
  }

  /// What observers are told of a recognizer. Rule F7.
  package struct ObservedGesture: Equatable, BitwiseCopyable {
    /// Its number.
    package let recognizer: RecognizerID
    /// What it came to; nil: it is possible, with its first touch, or again where it has none.
    package let change: GestureEvent.Change?
    /// When.
    package let time: Timestamp
    /// One of its touches.
    package let touch: TouchID?
    /// Who is told of it; nil where that client is gone.
    package let client: ClientID?
    /// Whether a touch of it is in a secure view.
    package let isSecure: Bool
    /// Whether it takes no part in the touch, as nobody would hear of it. Rule G2.
    package var isPassedBy = false
  }

  /// Something that ``StreamChecker`` must know, and no client is sent.
  struct Note: BitwiseCopyable {
    enum Happening: BitwiseCopyable {
      /// A device's frame said these of ``Deliveries/changes``.
      case changes(first: Int, end: Int)
      case attached(AttachmentID, ClientID)
      /// At its client's wish.
      case detached(AttachmentID)
      case declined(TouchID, AttachmentID)
      /// A touch ended, and clients do not hear of it yet. Rule G10.
      case endHeld(TouchID, at: Timestamp)
      case wentAway(ClientID)
    }

    let happening: Happening
    /// How many entries come before it.
    let entryCount: Int
  }

  /// What a frame said of one touch.
  struct Change: BitwiseCopyable {
    let touch: TouchID
    let phase: TouchPhase
  }

  /// The messages, in order.
  public let entries = ReusableList<Entry>()
  /// The records of all frames.
  public let records = ReusableList<Record>()
  /// What recognizers have to tell.
  package let gestures = ReusableList<Gesture>()
  /// The kind and the path of each recognizer in ``gestures``. Filled as the deliveries are taken.
  package let origins = ReusableList<GestureOrigin>()
  /// What is told to those who listen for feedback; empty where nobody does.
  public let feedbacks = ReusableList<Feedback>()
  /// What observers are told of recognizers; empty where nobody observes.
  package let observedGestures = ReusableList<ObservedGesture>()
  /// What observers are told of touches; empty where nobody observes.
  public let observations = Observations()

  /// What happened between the messages, in order.
  let notes = ReusableList<Note>()
  /// The changes of all frames that were routed.
  let changes = ReusableList<Change>()

  /// Without anything to send.
  public init() {}

  /// Notes that something happens, after all messages until now.
  @inline(__always)
  func note(_ happening: Note.Happening) {
    notes.append(Note(happening: happening, entryCount: entries.count))
  }

  /// Notes a device's frame, before it is routed.
  @inline(__always)
  func note(_ frame: TouchFrame) {
    let first = changes.count
    let noted = changes.extend(by: frame.touches.count)
    for index in 0..<frame.touches.count {
      noted[index] = Change(touch: frame.touches[index].id, phase: frame.touches[index].phase)
    }
    note(.changes(first: first, end: changes.count))
  }

  /// The touches whose fingers were lifted, and whose ends are held back, with the time; a touch
  /// may be told of more than once. Rule G10.
  package var heldEnds: [(touch: TouchID, time: Timestamp)] {
    notes.indices.compactMap {
      if case .endHeld(let touch, let time) = notes[$0].happening { (touch, time) } else { nil }
    }
  }

  /// Adds what a recognizer has to tell.
  @inline(__always)
  func add(_ event: GestureEvent, to attachment: AttachmentID, of client: ClientID) {
    entries.append(.gesture(gestures.count))
    gestures.append(Gesture(client: client, attachment: attachment, event: event))
  }

  /// Adds that something was hit.
  func add(_ feedback: Feedback) {
    entries.append(.feedback(feedbacks.count))
    feedbacks.append(feedback)
  }

  /// Empties it and keeps its capacity.
  @inline(__always)
  public func removeAll() {
    entries.removeAll()
    records.removeAll()
    gestures.removeAll()
    origins.removeAll()
    feedbacks.removeAll()
    observedGestures.removeAll()
    notes.removeAll()
    changes.removeAll()
    observations.removeAll()
  }
}
