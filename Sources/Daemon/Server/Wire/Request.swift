package import Gestures
public import Layout
public import Routing
public import TouchModel

/// What a client asks for, once it has said hello. Every request but `accept` and `decline` has an
/// answer.
public enum Request: Equatable, Sendable {
  /// Hold a responder. Rule R2.
  case attach(AttachRequest)
  /// Give a responder back.
  case detach(AttachmentID)
  /// Take a touch for good, as that attachment gets it. Rule R5.
  case accept(TouchID, through: AttachmentID)
  /// Give a touch, as that attachment gets it, to the next responder up. Rule R5.
  case decline(TouchID, through: AttachmentID)
  /// Set properties of views and recognizers: all of them or none. Rule L6.
  case set([ViewChange])
  /// Add a recognizer, as long as that attachment lasts. Rule G1.
  case addGesture(GestureRequest)
  /// Take a recognizer away that this client has added.
  case removeGesture(UInt32)
  /// Add, change and remove views in one that an attachment holds. Rule L7.
  case changeViews(ViewsRequest)
  /// List the views of a path, or all where it is empty.
  case describe(path: String, first: Int, count: Int)
  /// Answer at once.
  case ping
  /// A screen is about to be dark, or is on again. Rule D2.
  case setScreen(ScreenRequest)
  /// Begin or stop to tell of the screens' states. Rule D2.
  case watchScreens(Bool)
  /// Tell once nobody has touched something for so long. Rule D7.
  case watchIdle(IdleWatches.Request)
  /// End such a watch.
  case unwatchIdle(UInt32)
  /// Keep others from being told that a window is idle, or no longer. Rule D8.
  case inhibitIdle(AttachmentID, Bool)
  /// Lock a screen for a time. Rule D9.
  case lock(LockRequest)
  /// End the lock of the screen of a name.
  case unlock(String)
  /// Begin or stop to tell of what is hit on the screen of a name. Rule D11.
  case watchFeedback(String, Bool)
  /// List the clients, attachments, devices and counters. Control socket only.
  case status
  /// Begin or stop to report every touch. Control socket only.
  case observe(Observing)
  /// Read the configuration again. Control socket only.
  case reload
  /// A frame of the client's own touchscreen. Control socket only.
  case inject([InjectedContact], ScreenIndex)
  /// End a touch, or all where it is nil, for everybody. Control socket only.
  case cancel(TouchID?)
  /// Let other programs read a touchscreen, as long as this client is there. Control socket only.
  case ungrab(DeviceID)
}

/// A recognizer that a client wants, as long as one of its attachments lasts.
public struct GestureRequest: Equatable, Sendable {
  /// What it is, and where.
  package var spec: RecognizerSpec
  /// The attachment.
  package let attachment: AttachmentID
  /// The message, whole: what the next daemon is left of it.
  let message: [UInt8]

  /// The bytes of the message.
  package var size: Int { message.count }

  init(_ spec: RecognizerSpec, with attachment: AttachmentID, message: [UInt8]) {
    self.spec = spec
    self.attachment = attachment
    self.message = message
  }

  /// Reads a message that the daemon before has taken, for the attachment that it was for; nil
  /// where it is none.
  init?(message: [UInt8], with attachment: AttachmentID) {
    guard message.count.isMultiple(of: 8), message.count <= RequestDecoder.capacity else {
      return nil
    }
    let parsed = message.withUnsafeBytes { bytes in
      try? ClientMessage(.addGesture, bytes)
    }
    guard case .request(.addGesture(let request)) = parsed?.body else { return nil }
    self.init(request.spec, with: attachment, message: message)
  }
}

/// Steps by which a client changes the views in one that it holds: a batch. Rule L7.
public struct ViewsRequest: Equatable, Sendable {
  /// One of them; paths are those from the attachment's view on.
  public enum Step: Equatable, Sendable {
    /// A view is added, in front of its siblings.
    case add(String, ViewProperties, order: Int?)
    /// A view that was added so is removed, with all that lies in it.
    case remove(String)
    /// Properties of a view are others; of the attachment's view itself where the path is empty.
    case change(String, [ViewChange.Property])
  }

  /// To which the views belong.
  public let attachment: AttachmentID
  /// At least one.
  public let steps: [Step]

  /// A batch.
  public init(_ steps: [Step], through attachment: AttachmentID) {
    self.steps = steps
    self.attachment = attachment
  }

  /// Whether views come or go by it, so that the layout is made anew.
  package var addsOrRemoves: Bool {
    steps.contains { if case .change = $0 { false } else { true } }
  }
}

/// The first message of a client.
struct Hello: Equatable, Sendable {
  /// The newest version of the protocol that it speaks.
  var version: UInt32
  /// What it calls itself.
  var name: String
}

/// A message of a client, decoded and checked.
struct ClientMessage: Equatable, Sendable {
  enum Body: Equatable, Sendable {
    case hello(Hello)
    case request(Request)
  }

  /// The client's number for it, which its answer bears.
  var serial: UInt32
  /// Which message it is.
  var opcode: Opcode
  /// What it says.
  var body: Body
}
