/// What the numbers of the protocol are called: written once, for the daemon, the Swift client and
/// the tool. touchroute-protocol.h is the protocol's definition, and tests hold every number here
/// to it.
///
/// What both sides say of touches, phases and reasons, is vocabulary and lies in TouchModel.
public enum Wire {
  /// Why the daemon refuses a request, or complains about a client: `enum touchroute_error_code`.
  public enum ErrorCode: UInt32, Sendable, CaseIterable {
    /// A refusal that this version does not know. Never sent.
    case other = 0
    /// A message was malformed: the connection ends. Rule F4.
    case malformed = 1
    /// There is no common version: the connection ends.
    case version = 2
    /// The layout has no responder of that path.
    case noResponder = 3
    /// Another client holds it. Rule R2.
    case held = 4
    /// The access rules, or the socket, do not allow it. Rules F6 and F7.
    case notAllowed = 5
    /// A limit was reached. Rule F5.
    case limit = 6
    /// This daemon does not carry it out.
    case notSupported = 7
    /// There is no such attachment.
    case notAttached = 8
    /// A value is out of range, or a configuration is not valid.
    case invalid = 9
  }

  /// Why the daemon ends a connection: `enum touchroute_close_reason`.
  public enum CloseReason: UInt32, Sendable, CaseIterable {
    /// The daemon stops.
    case stopping = 1
    /// The client broke the protocol. Rule F4.
    case malformed = 2
    /// The client has not read, and its queue reached the limit. Rule F3.
    case queueFull = 3
    /// There are too many clients. Rule F5.
    case limit = 4
  }

  /// Why an attachment ended: `enum touchroute_detach_reason`.
  public enum DetachReason: UInt32, Sendable, CaseIterable, BitwiseCopyable {
    /// Its client asked for it.
    case requested = 0
    /// The layout in force no longer has the responder. Rule R8.
    case removed = 1
    /// Another client took it over. Rule R2.
    case takenOver = 2
    /// The access rules in force do not allow it. Rule F6.
    case notAllowed = 3
  }

  /// By which right a property of a view is what it is: `enum touchroute_setter`. Rule L6.
  public enum Setter: UInt32, Sendable, CaseIterable {
    /// Nobody has set it: it is as configured, or as it was added.
    case none = 0
    /// By a program's attachment, with which it goes.
    case attachment = 1
    /// A client by an access rule's right, with which it goes.
    case rule = 2
    /// Over the control socket; it stays.
    case control = 3
  }
}

extension Wire {
  /// What a recognizer recognizes: `enum touchroute_gesture_kind`.
  public enum GestureKind: UInt8, Sendable, CaseIterable {
    /// Fingers that go down and up again, so many times.
    case tap = 1
    /// Fingers that stay where they are.
    case longPress = 2
    /// Fingers that move.
    case pan = 3
    /// Fingers that go far, one way, and fast.
    case swipe = 4
    /// Fingers that come closer or part.
    case pinch = 5
    /// Fingers that turn about each other.
    case rotation = 6
    /// Fingers that come in over an edge.
    case edgePan = 7
  }

  /// What happened to a gesture: `enum touchroute_gesture_state`. Rules G3 and G12.
  public enum GestureState: UInt8, Sendable, CaseIterable {
    /// A tap or a swipe has happened.
    case recognized = 1
    /// Another kind has begun.
    case began = 2
    /// Its values are others now.
    case changed = 3
    /// Its last finger was lifted.
    case ended = 4
    /// It was cut short; the reason says why.
    case cancelled = 5
  }

  /// What observers hear of a recognizer: `enum touchroute_gesture_state`. Rules G3 and F7.
  public enum RecognizerState: UInt8, Sendable, CaseIterable {
    /// A tap or a swipe has happened.
    case recognized = 1
    /// Another kind has begun.
    case began = 2
    /// Its values are others now.
    case changed = 3
    /// Its last finger was lifted.
    case ended = 4
    /// It was cut short; the reason says why.
    case cancelled = 5
    /// It can't recognize any more.
    case failed = 6
    /// It has taken its first touch; or, where no touch is told, it is so again.
    case possible = 7
  }

  /// A way along the axes of a view: `enum touchroute_direction`.
  public enum Direction: UInt8, Sendable, CaseIterable {
    /// Of a pan: any way.
    case any = 0
    /// Of a swipe, as the next three.
    case left = 1
    /// To the right.
    case right = 2
    /// Up.
    case up = 3
    /// Down.
    case down = 4
    /// Of a pan: left or right.
    case horizontal = 5
    /// Of a pan: up or down.
    case vertical = 6
  }

  /// An edge of a view's bounds: `enum touchroute_edge`.
  public enum Edge: UInt8, Sendable, CaseIterable {
    /// No edge pan.
    case none = 0
    /// The left edge.
    case left = 1
    /// The right edge.
    case right = 2
    /// The top edge.
    case top = 3
    /// The bottom edge.
    case bottom = 4
  }

  /// How a recognizer goes about it: `enum touchroute_gesture_flags`.
  public struct GestureFlags: OptionSet, Hashable, Sendable {
    /// One bit for each flag.
    public var rawValue: UInt16

    /// The flags of those bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// It takes no part. Rule G2.
    public static let disabled = GestureFlags(rawValue: 1 << 0)
    /// Programs keep its touches once it recognizes. Rule G9.
    public static let keepsTouches = GestureFlags(rawValue: 1 << 1)
    /// The ends of its touches are not held back. Rule G10.
    public static let passesEnded = GestureFlags(rawValue: 1 << 2)
    /// All of its touches is held back until it has failed. Rule G11.
    public static let delaysBegan = GestureFlags(rawValue: 1 << 3)
    /// It comes before others. Rules G5 and G8.
    public static let hasPriority = GestureFlags(rawValue: 1 << 4)

    /// Of one that is described: no program that handles gestures would hear of it. Rule G2.
    public static let unheard = GestureFlags(rawValue: 1 << 5)
    /// Of one that is described: so many come before it that no touch is offered to it. Rule G2.
    public static let crowdedOut = GestureFlags(rawValue: 1 << 6)

    /// All that a program may ask for.
    public static let all: GestureFlags = [
      .disabled, .keepsTouches, .passesEnded, .delaysBegan, .hasPriority,
    ]
  }
}
