public import Layout
public import Routing
public import TouchModel

/// What one daemon leaves to the next about the clients of which it leaves the sockets: as text, so
/// that a person can read it, with a version, so that neither has to be of the same release.
public struct Handover: Equatable {
  /// A client, by its socket.
  public struct Client: Equatable {
    /// The socket's SO_COOKIE.
    public var cookie: UInt64
    /// Where it connected.
    public var socket: SocketKind
    /// What it calls itself; empty before its hello.
    public var name: String
    /// The version of the protocol that both speak; 0 before its hello.
    public var version: UInt32
    /// Whether every touch is reported to it.
    public var observing: Observing
    /// What it has sent and was not decoded.
    public var received: [UInt8]
    /// What it has yet to be sent: whole messages, of the first of which `sent` bytes went.
    public var unsent: [UInt8]
    /// See `unsent`.
    public var sent: Int
    /// The slot of its session, by which observers know it; nil of a daemon that did not say.
    public var slot: UInt32?
    /// What it is called where it has set something by a rule's right; a number from 1 on.
    public var setter: UInt32?
    /// The screens that it is the blanker of. Rule D2.
    public var blanks: [String] = []
    /// Whether it is told of all screens.
    public var watchesScreens = false
    /// What it watches for idleness. Rule D7.
    public var watches: [IdleWatch] = []
    /// The screens of which it hears what is hit. Rule D11.
    public var feedbackScreens: [String] = []
    /// The screens that it has locked. Rule D9.
    public var locks: [String] = []
    /// Those of its attachments that inhibit idle. Rule D8.
    public var inhibiting: [AttachmentID] = []
    /// What it holds, oldest first.
    public var attachments: [Hold] = []
  }

  /// An attachment. Its request's `takesOver` is false: it was granted.
  public struct Hold: Equatable {
    /// The number that the client knows it by.
    public var id: AttachmentID
    /// What it was granted.
    public var request: AttachRequest
    /// Of a window: what the client was told last of others that hold something in it. Rule F6.
    public var believed: [HolderNotice]
    /// Whether it is in line, and holds nothing.
    public var isWaiting: Bool
    /// The recognizers that were added with it, by their numbers.
    public var gestures: [HeldGesture] = []

    /// The attachment.
    public init(
      id: AttachmentID, request: AttachRequest, believed: [HolderNotice] = [],
      isWaiting: Bool = false
    ) {
      self.id = id
      self.request = request
      self.believed = believed
      self.isWaiting = isWaiting
    }
  }

  /// A recognizer that a client has added.
  public struct HeldGesture: Equatable {
    /// The number that the client knows it by.
    public var number: UInt32
    /// What it asked for.
    public var request: GestureRequest

    /// The recognizer.
    public init(number: UInt32, request: GestureRequest) {
      self.number = number
      self.request = request
    }
  }

  /// A screen that is not on. Rule D6.
  public struct ScreenState: Equatable {
    /// Its name.
    public var name: String
    /// What it is.
    public var state: TouchModel.ScreenState

    /// A screen.
    public init(name: String, state: TouchModel.ScreenState) {
      self.name = name
      self.state = state
    }
  }

  /// A screen's lock, with what is left of its time. Rule D9.
  public struct Lock: Equatable {
    /// The screen's name.
    public var screen: String
    /// The lock.
    public var request: TouchLocks.Request

    /// A lock.
    public init(screen: String, request: TouchLocks.Request) {
      self.screen = screen
      self.request = request
    }
  }

  /// What a client watches for idleness. Rule D7.
  public struct IdleWatch: Equatable {
    /// The number that the client knows it by.
    public var number: UInt32
    /// What it asked for.
    public var request: IdleWatches.Request
    /// Whether it was told that nobody touches that.
    public var isIdle: Bool

    /// A watch.
    public init(number: UInt32, request: IdleWatches.Request, isIdle: Bool) {
      self.number = number
      self.request = request
      self.isIdle = isIdle
    }
  }

  /// How many numbers of attachments, and of recognizers, the programs of each user have used. Rule
  /// F5.
  public var usedAttachments: [UInt32: Int] = [:]
  /// See ``usedAttachments``.
  public var usedGestures: [UInt32: Int] = [:]
  /// The screens that are not on. Rule D6.
  public var screens: [ScreenState] = []
  /// The locks of screens. Rule D9.
  public var locks: [Lock] = []
  /// The clients.
  public var clients: [Client] = []
  /// The views that programs have added, in their order; of an attachment, `.attachment` with its
  /// number.
  public var views: [AddedView] = []
  /// What is set of the layout, in its order; of an attachment, `.attachment` with its number, and
  /// of a client by a rule's right, `.named` with its `setter`.
  public var changes: [SetChange] = []
  /// The next touch's id. Rule T1.
  public var nextTouch: UInt64
  /// The router's.
  public var numbers: Router.Numbers

  /// Nothing but the numbers yet.
  public init(nextTouch: UInt64, numbers: Router.Numbers) {
    self.nextTouch = nextTouch
    self.numbers = numbers
  }
}
