import CTouchroute
public import Routing
public import TouchModel
public import Wire

/// What decides where touches go beside them, for observers that ask for it. Rule F7.
public enum ObservedChange: Equatable, Sendable {
  /// Another layout is in force, or other recognizers.
  case layout(generation: UInt32)
  /// A client holds a responder.
  case attached(Attachment, path: String)
  /// It no longer does.
  case detached(AttachmentID, of: ClientID, Wire.DetachReason)
  /// A client is gone, with all that it held.
  case gone(ClientID)
  /// A client does not read, or does again. Rule F3.
  case reads(ClientID, Bool)
  /// A client keeps a touch, or does not want it. Rule R5.
  case decided(TouchID, AttachmentID, of: ClientID, isKept: Bool)
  /// A finger was lifted, and a recognizer holds the end of its touch back. Rule G10.
  case lifted(TouchID)
  /// So many messages were dropped for this observer.
  case lost(UInt64)

  /// The message.
  ///
  /// - Parameter client: The process of a client, and what it calls itself.
  func message(
    at time: Timestamp, _ client: (ClientID) -> (pid: Int32, name: String)
  ) -> FixedMessage<touchroute_observed_change> {
    var fixed = touchroute_observed_change()
    fixed.time_us = time.microseconds
    (fixed.client, fixed.attachment) = (TOUCHROUTE_NONE, TOUCHROUTE_NONE)
    fixed.change = kind.rawValue
    if let about = self.client {
      fixed.client = about.slot
      fixed.pid = client(about).pid
    }
    var (path, name) = ("", "")
    switch self {
    case .layout(let generation): fixed.value = UInt64(generation)
    case .attached(let attachment, let responder):
      fixed.attachment = attachment.id.rawValue
      (fixed.handles, fixed.passes) = (attachment.handles.rawValue, attachment.passes.rawValue)
      fixed.gestures = attachment.handlesGestures ? 1 : 0
      (path, name) = (pathOnWire(responder), client(attachment.client).name)
      (fixed.path_size, fixed.name_size) = (UInt32(path.utf8.count), UInt32(name.utf8.count))
    case .detached(let attachment, _, let reason):
      fixed.attachment = attachment.rawValue
      fixed.value = UInt64(reason.rawValue)
    case .gone, .reads: break
    case .decided(let touch, let attachment, _, _):
      fixed.attachment = attachment.rawValue
      fixed.value = touch.rawValue
    case .lifted(let touch): fixed.value = touch.rawValue
    case .lost(let count): fixed.value = count
    }
    return FixedMessage(TOUCHROUTE_OBSERVED_CHANGE, fixed, path, name)
  }

  private var client: ClientID? {
    switch self {
    case .attached(let attachment, _): attachment.client
    case .detached(_, let client, _), .gone(let client), .reads(let client, _),
      .decided(_, _, let client, _):
      client
    case .layout, .lifted, .lost: nil
    }
  }

  private var kind: Wire.ObservedChangeKind {
    switch self {
    case .layout: .layout
    case .attached: .attached
    case .detached: .detached
    case .gone: .gone
    case .reads(_, let isReading): isReading ? .responsive : .unresponsive
    case .decided(_, _, _, let isKept): isKept ? .accepted : .declined
    case .lifted: .lifted
    case .lost: .lost
    }
  }
}
