// scripts/generate makes this file of touchroute-protocol.h.

extension Wire {
  /// Why a request was refused, or what a client did wrong.
  /// `enum touchroute_error_code`.
  public enum ErrorCode: UInt32, Sendable, CaseIterable {
    /// A refusal that this version does not know. Never sent.
    case other = 0
    /// Malformed: the connection ends after it (rule F4).
    case malformed = 1
    /// No common version: the connection ends after it.
    case version = 2
    /// The layout has no responder at that path.
    case noResponder = 3
    /// Another client holds it.
    case held = 4
    /// By the access rules, or not on this socket.
    case notAllowed = 5
    /// A limit was reached; the text names it.
    case limit = 6
    /// Reserved: touchrouted never sends it.
    case notSupported = 7
    /// This client has no such attachment.
    case notAttached = 8
    /// A value out of range; a configuration that is not valid.
    case invalid = 9
  }

  /// Why the daemon ends a connection.
  /// `enum touchroute_close_reason`.
  public enum CloseReason: UInt32, Sendable, CaseIterable {
    case stopping = 1
    case malformed = 2
    /// The client has not read and its queue reached the limit.
    case queueFull = 3
    /// Too many clients.
    case limit = 4
  }

  /// Why an attachment ended, or lost its responder, without detach.
  /// `enum touchroute_detach_reason`.
  public enum DetachReason: UInt32, Sendable, CaseIterable, BitwiseCopyable {
    case requested = 0
    /// The layout in force no longer has the responder.
    case removed = 1
    case takenOver = 2
    /// By the access rules in force.
    case notAllowed = 3
  }

  /// Who has set a property, and so when the override ends (rule L6).
  /// `enum touchroute_setter`.
  public enum Setter: UInt32, Sendable, CaseIterable {
    /// Not overridden: as configured, or as it was added.
    case none = 0
    /// Set through an attachment, and ends with it.
    case attachment = 1
    /// Set by an access rule's right, and ends with the client.
    case rule = 2
    /// Set over the control socket, and stays.
    case control = 3
  }

  /// What a recognizer recognizes.
  /// `enum touchroute_gesture_kind`.
  public enum GestureKind: UInt8, Sendable, CaseIterable {
    case tap = 1
    case longPress = 2
    case pan = 3
    case swipe = 4
    case pinch = 5
    case rotation = 6
    case edgePan = 7
  }

  /// The state of a gesture (rules G3 and G12). A tap and a swipe are recognized; the other kinds
  /// begin, change, and end or are cancelled.
  /// `enum touchroute_gesture_state`.
  public enum GestureState: UInt8, Sendable, CaseIterable {
    case recognized = 1
    case began = 2
    case changed = 3
    case ended = 4
    case cancelled = 5
  }

  /// The state of a gesture (rules G3 and G12). A tap and a swipe are recognized; the other kinds
  /// begin, change, and end or are cancelled.
  /// `enum touchroute_gesture_state`.
  public enum RecognizerState: UInt8, Sendable, CaseIterable {
    case recognized = 1
    case began = 2
    case changed = 3
    case ended = 4
    case cancelled = 5
    /// For observers alone, as the next two: it can't recognize now.
    case failed = 6
    /// With its first touch; without a touch: it is so again.
    case possible = 7
  }

  /// What else decides where touches go.
  /// `enum touchroute_observed_change_kind`.
  public enum ObservedChangeKind: UInt32, Sendable, CaseIterable {
    /// Another layout is in force, or other recognizers.
    case layout = 1
    /// A client holds a responder.
    case attached = 2
    /// It no longer does.
    case detached = 3
    /// A client has disconnected, with all that it held.
    case gone = 4
    /// It does not read (rule F3).
    case unresponsive = 5
    /// It does again.
    case responsive = 6
    /// It keeps a touch (rule R5).
    case accepted = 7
    /// It does not want it.
    case declined = 8
    /// Messages for this observer were dropped.
    case lost = 9
    /// A finger was lifted, and the end is held back (rule G10).
    case lifted = 10
  }

  /// In the coordinates of the recognizer's view. 0 is none, or any for a pan.
  /// `enum touchroute_direction`.
  public enum Direction: UInt8, Sendable, CaseIterable {
    case any = 0
    /// Of a swipe, as the next three.
    case left = 1
    case right = 2
    case up = 3
    case down = 4
    /// Of a pan, as the next.
    case horizontal = 5
    case vertical = 6
  }

  /// The edge of a view at which an edge pan begins.
  /// `enum touchroute_edge`.
  public enum Edge: UInt8, Sendable, CaseIterable {
    case none = 0
    case left = 1
    case right = 2
    case top = 3
    case bottom = 4
  }

  /// The counters of status: indices into the counters of touchroute_status_daemon.
  /// `enum touchroute_counter`.
  public enum Counter: Int, Sendable, CaseIterable {
    /// Frames from the devices.
    case frames = 0
    /// Touches that began.
    case began = 1
    /// Those that ended.
    case ended = 2
    /// Those that were cancelled.
    case cancelled = 3
    /// Touches that a client got.
    case delivered = 4
    case discardedNoWindow = 5
    case discardedOutsideScreen = 6
    case discardedUnhandled = 7
    case discardedSingleTouch = 8
    case discardedExclusive = 9
    case discardedDeclined = 10
    case discardedLimit = 11
    case strayEvents = 12
    /// Touches whose client disconnected (rule R7).
    case orphaned = 13
    /// Accept or decline of an unknown touch.
    case unknownTouches = 14
    /// Touches messages queued.
    case messages = 15
    /// Found by the checker; must stay 0 (rule T5).
    case violations = 16
    /// Frames merged into one still unsent (rule F2).
    case coalesced = 17
    /// Samples dropped from a full history (rule F2).
    case droppedSamples = 18
    /// Times a client became unresponsive (rule F3).
    case unresponsive = 19
    /// Declines after which another one got it (rule R5).
    case passedOn = 20
    /// Too late, or after accept (rule R5).
    case lateDeclines = 21
    /// Touches that began by inject.
    case injected = 22
    /// The log's reader did not keep up.
    case lostLogLines = 23
    /// Over the limit of their user's programs.
    case omittedLogLines = 24
    /// Began while a gesture had its fingers (rule G9).
    case discardedGesture = 25
    /// Began on a dark screen (rule D3).
    case discardedDark = 26
    /// Began on a locked screen (rule D9).
    case discardedLocked = 27
  }

  /// Options of a recognizer; 0 is the default of each (rules G2, G5, G9 to G11).
  /// `enum touchroute_gesture_flags`.
  public struct GestureFlags: OptionSet, Hashable, Sendable {
    /// One bit for each of them.
    public var rawValue: UInt16

    /// Those of these bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// `enabled = false` of the configuration.
    public static let disabled = GestureFlags(rawValue: 1 << 0)

    /// `cancels_touches = false` of the configuration.
    public static let keepsTouches = GestureFlags(rawValue: 1 << 1)

    /// `delays_ended = false` of the configuration.
    public static let passesEnded = GestureFlags(rawValue: 1 << 2)

    /// `delays_began = true` of the configuration.
    public static let delaysBegan = GestureFlags(rawValue: 1 << 3)

    /// `priority = true` of the configuration.
    public static let hasPriority = GestureFlags(rawValue: 1 << 4)

    /// In described_gesture alone: no client that handles gestures would hear of it, so it takes no
    /// part (rules G2 and G13).
    public static let unheard = GestureFlags(rawValue: 1 << 5)

    /// In described_gesture alone: too many recognizers of programs come before it, so it takes no
    /// part (rule G2).
    public static let crowdedOut = GestureFlags(rawValue: 1 << 6)
  }

  /// How an attachment is made.
  /// `enum touchroute_attach_flags`.
  public struct AttachFlags: OptionSet, Hashable, Sendable {
    /// One bit for each of them.
    public var rawValue: UInt32

    /// Those of these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Take the responder from the client that holds it, where that is allowed (rule R2).
    public static let takeOver = AttachFlags(rawValue: 1 << 0)

    /// Merged moves come with their samples.
    public static let history = AttachFlags(rawValue: 1 << 1)

    /// Wait in the queue if another client holds it (rule R2).
    public static let wait = AttachFlags(rawValue: 1 << 2)

    /// The attachment handles gestures (rule G13).
    public static let gestures = AttachFlags(rawValue: 1 << 3)
  }

  /// Properties of a view that are on or off.
  /// `enum touchroute_view_flags`.
  public struct ViewFlags: OptionSet, Hashable, Sendable {
    /// One bit for each of them.
    public var rawValue: UInt32

    /// Those of these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Touches skip it and what is in it (rule H2).
    public static let hidden = ViewFlags(rawValue: 1 << 0)

    /// Likewise, though it is seen.
    public static let noInteraction = ViewFlags(rawValue: 1 << 1)

    /// It takes one touch at a time (rule T13).
    public static let singleTouch = ViewFlags(rawValue: 1 << 2)

    /// Its touch keeps out those of others (rule T13).
    public static let exclusiveTouch = ViewFlags(rawValue: 1 << 3)

    /// Observers get no location of its touches (rule F7).
    public static let secure = ViewFlags(rawValue: 1 << 4)
  }

  /// Further flags of a view, in view_details.
  /// `enum touchroute_view_details_flags`.
  public struct ViewDetailsFlags: OptionSet, Hashable, Sendable {
    /// One bit for each of them.
    public var rawValue: UInt32

    /// Those of these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// A program has added it (rule L7).
    public static let added = ViewDetailsFlags(rawValue: 1 << 0)

    /// A window's: resizable = true (rule L6).
    public static let resizable = ViewDetailsFlags(rawValue: 1 << 1)

    /// A property has more words or points than a message.
    public static let incomplete = ViewDetailsFlags(rawValue: 1 << 2)
  }

  /// The state of a client.
  /// `enum touchroute_client_flags`.
  public struct ClientFlags: OptionSet, Hashable, Sendable {
    /// One bit for each of them.
    public var rawValue: UInt32

    /// Those of these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// It is connected to the control socket.
    public static let control = ClientFlags(rawValue: 1 << 0)

    /// It observes.
    public static let observer = ClientFlags(rawValue: 1 << 1)

    /// It does not read (rule F3).
    public static let unresponsive = ClientFlags(rawValue: 1 << 2)
  }

  /// The state of a device.
  /// `enum touchroute_device_flags`.
  public struct DeviceFlags: OptionSet, Hashable, Sendable {
    /// One bit for each of them.
    public var rawValue: UInt32

    /// Those of these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// No other program reads it.
    public static let grabbed = DeviceFlags(rawValue: 1 << 0)

    /// It is not read now.
    public static let suspended = DeviceFlags(rawValue: 1 << 1)

    /// The configuration leaves it alone.
    public static let ignored = DeviceFlags(rawValue: 1 << 2)
  }

  /// What may be idle (rule D7).
  /// `enum touchroute_idle_scope`.
  public enum IdleScope: UInt16, Sendable, CaseIterable {
    /// Every screen.
    case seat = 1
    /// The screen of a name.
    case screen = 2
    /// A window that the client holds, by its name.
    case window = 3
  }

  /// What a watch of idle leaves out (rules D7 and D8).
  /// `enum touchroute_idle_flags`.
  public struct IdleFlags: OptionSet, Hashable, Sendable {
    /// One bit for each of them.
    public var rawValue: UInt16

    /// Those of these bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Tell also while a program inhibits idle (D8).
    public static let ignoresInhibitors = IdleFlags(rawValue: 1 << 0)

    /// Injected touches are no activity.
    public static let ignoresInjected = IdleFlags(rawValue: 1 << 1)
  }

  /// What gives feedback (rule D10).
  /// `enum touchroute_feedback_cause`.
  public enum FeedbackCause: UInt16, Sendable, CaseIterable {
    /// A touch began on a view, and a client gets it.
    case touch = 1
    /// A recognizer has recognized or begun.
    case gesture = 2
  }

  /// How set_screen is asked for.
  /// `enum touchroute_set_screen_flags`.
  public struct SetScreenFlags: OptionSet, Hashable, Sendable {
    /// One bit for each of them.
    public var rawValue: UInt16

    /// Those of these bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Become the screen's blanker (rule D2).
    public static let blanker = SetScreenFlags(rawValue: 1 << 0)
  }
}
