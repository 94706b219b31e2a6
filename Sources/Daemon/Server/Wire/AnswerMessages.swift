import CTouchroute
import Layout
import Routing
import TouchModel
import Wire

// The answers to requests, and what clients are told unasked.

extension OutgoingMessage where Self == FixedMessage<touchroute_attached> {
  /// `attached`.
  static func attached(
    _ attachment: Attachment, in layout: Layout, generation: UInt32, serial: UInt32
  ) -> Self {
    FixedMessage(
      TOUCHROUTE_ATTACHED,
      touchroute_attached(attachment, in: layout, generation: generation, serial: serial))
  }

  /// `layout`, of an attachment through which so many views are added.
  static func layout(
    of attachment: Attachment, in layout: Layout, generation: UInt32, addedCount: Int
  ) -> Self {
    var fixed = touchroute_attached(attachment, in: layout, generation: generation, serial: 0)
    fixed.added_count = UInt32(clamping: addedCount)
    return FixedMessage(TOUCHROUTE_LAYOUT, fixed)
  }

  /// `attached` of an attachment that has waited.
  static func granted(_ attachment: Attachment, in layout: Layout, generation: UInt32) -> Self {
    FixedMessage(
      TOUCHROUTE_ATTACHED,
      touchroute_attached(attachment, in: layout, generation: generation, serial: 0))
  }
}

extension OutgoingMessage where Self == FixedMessage<touchroute_waiting> {
  /// An attachment stands in line: as the answer to attach, since its responder is held; or with
  /// the serial 0, since it has lost it.
  static func waiting(
    _ attachment: AttachmentID, because reason: Wire.DetachReason?, text: String, serial: UInt32
  ) -> Self {
    let text = clipped(text, to: longestText)
    let fixed = touchroute_waiting(
      header: touchroute_header(), serial: serial, attachment: attachment.rawValue,
      reason: reason?.rawValue ?? 0, text_size: UInt32(text.utf8.count))
    return FixedMessage(TOUCHROUTE_WAITING, fixed, text)
  }
}

extension touchroute_attached {
  /// An attachment, with the geometry of its responder.
  fileprivate init(
    _ attachment: Attachment, in layout: Layout, generation: UInt32, serial: UInt32
  ) {
    self.init()
    self.serial = serial
    self.attachment = attachment.id.rawValue
    self.generation = generation
    screen = TOUCHROUTE_NONE
    view_count = UInt32(layout.viewCount(of: attachment.responder))
    guard let view = layout.view(of: attachment.responder) else { return }
    screen = UInt32(bitPattern: layout.window(of: view).screen.rawValue)
    frame = layout.frameOnScreen(of: view).onWire
    bounds = layout.bounds(of: view).onWire
    transform = layout.screenTransform(of: view).onWire
  }
}

extension OutgoingMessage where Self == FixedMessage<touchroute_done> {
  /// The end of an answer.
  static func done(serial: UInt32, total: Int, generation: UInt32, text: String = "") -> Self {
    let text = clipped(text, to: longestText)
    let fixed = touchroute_done(
      header: touchroute_header(), serial: serial, total: UInt32(clamping: total),
      generation: generation, text_size: UInt32(text.utf8.count))
    return FixedMessage(TOUCHROUTE_DONE, fixed, text)
  }
}

extension OutgoingMessage where Self == FixedMessage<touchroute_error> {
  /// A refusal; `request` is the opcode of what is refused, 0 where that is not known.
  static func error(
    serial: UInt32, _ code: Wire.ErrorCode, request: UInt16, text: String
  ) -> Self {
    let text = clipped(text, to: longestText)
    let fixed = touchroute_error(
      header: touchroute_header(), serial: serial, code: code.rawValue, request: UInt32(request),
      text_size: UInt32(text.utf8.count))
    return FixedMessage(TOUCHROUTE_ERROR, fixed, text)
  }
}

extension OutgoingMessage where Self == FixedMessage<touchroute_pong> {
  /// The answer to `ping`.
  static func pong(serial: UInt32) -> Self {
    FixedMessage(
      TOUCHROUTE_PONG, touchroute_pong(header: touchroute_header(), serial: serial, reserved: 0))
  }
}

extension OutgoingMessage where Self == FixedMessage<touchroute_detached> {
  /// The end of an attachment that its client did not ask for.
  static func detached(
    _ attachment: AttachmentID, _ reason: Wire.DetachReason, text: String
  ) -> Self {
    let fixed = touchroute_detached(
      header: touchroute_header(), serial: 0, attachment: attachment.rawValue,
      reason: reason.rawValue, text_size: UInt32(text.utf8.count))
    return FixedMessage(TOUCHROUTE_DETACHED, fixed, text)
  }
}

extension OutgoingMessage where Self == FixedMessage<touchroute_holder> {
  /// Who holds a responder in a client's window, or held it. Rule F6.
  static func holder(_ notice: HolderNotice) -> Self {
    let path = pathOnWire(notice.path)
    let holder = notice.holder
    let fixed = touchroute_holder(
      header: touchroute_header(), attachment: notice.window.rawValue,
      is_held: notice.isHeld ? 1 : 0, pid: holder.pid, uid: holder.uid,
      handles: holder.handles.rawValue, passes: holder.passes.rawValue,
      path_size: UInt32(path.utf8.count), name_size: UInt32(holder.name.utf8.count), reserved: 0)
    return FixedMessage(TOUCHROUTE_HOLDER, fixed, path, holder.name)
  }
}

extension OutgoingMessage where Self == FixedMessage<touchroute_closing> {
  /// The last word to a client.
  static func closing(_ reason: Wire.CloseReason, _ text: String) -> Self {
    let text = clipped(text, to: longestText)
    let fixed = touchroute_closing(
      header: touchroute_header(), reason: reason.rawValue, text_size: UInt32(text.utf8.count))
    return FixedMessage(TOUCHROUTE_CLOSING, fixed, text)
  }
}

/// Texts are cut there, in bytes: no message is over its size, and none fills a queue.
private let longestText = 32_768

extension Rect {
  /// x, y, width, height.
  var onWire: (Double, Double, Double, Double) { (x, y, width, height) }
}

extension AffineTransform {
  /// a, b, c, d, tx, ty.
  var onWire: (Double, Double, Double, Double, Double, Double) { (a, b, c, d, tx, ty) }
}
