import Wire
import CTouchroute
import Layout
import Routing
import TouchModel

/// The answers to requests, and what clients are told unasked. The struct's header is filled in by
/// `append`.
extension OutgoingQueue {
  /// Serial 0 where the screens have changed. Screens beyond what a message holds have no entry.
  mutating func appendWelcome(
    _ greeting: Greeting, version: UInt32, isControl: Bool, serial: UInt32
  ) {
    var room = Int(TOUCHROUTE_MAX_MESSAGE) - MemoryLayout<touchroute_welcome>.size
    let screens = greeting.screens.prefix { screen in
      room -= MemoryLayout<touchroute_screen>.size + padded(screen.name.utf8.count)
      return room >= 0
    }
    let size = screens.reduce(MemoryLayout<touchroute_welcome>.size) {
      $0 + MemoryLayout<touchroute_screen>.size + padded($1.name.utf8.count)
    }
    let start =
      serial == 0 ? append(size, basisOf: StateKey(TOUCHROUTE_WELCOME)) : append(size)
    guard var place = start else { return }
    let message = touchroute_welcome(
      header: messageHeader(TOUCHROUTE_WELCOME, size: size), serial: serial, version: version,
      max_request: TOUCHROUTE_MAX_REQUEST,
      max_attachments: UInt32(clamping: greeting.maximumAttachments),
      decision_timeout_ms: UInt32(clamping: greeting.decisionTimeoutMilliseconds),
      unresponsive_after_ms: UInt32(clamping: greeting.unresponsiveAfterMilliseconds),
      is_control: isControl ? 1 : 0, screen_count: UInt32(screens.count))
    place.storeBytes(of: message, as: touchroute_welcome.self)
    place += MemoryLayout<touchroute_welcome>.size
    for screen in screens {
      let fixed = touchroute_screen(
        width: screen.size.width, height: screen.size.height, rotation: screen.rotation.rawValue,
        name_size: UInt32(screen.name.utf8.count))
      place.storeBytes(of: fixed, as: touchroute_screen.self)
      place = (place + MemoryLayout<touchroute_screen>.size).store(screen.name)
    }
  }

  /// `attached`, or `layout` where the serial is 0.
  mutating func appendAttached(
    _ attachment: Attachment, in layout: Layout, generation: UInt32, serial: UInt32
  ) {
    var message = touchroute_attached()
    message.serial = serial
    message.attachment = attachment.id.rawValue
    message.generation = generation
    message.screen = TOUCHROUTE_NONE
    message.view_count = UInt32(layout.viewCount(of: attachment.responder))
    if let view = layout.view(of: attachment.responder) {
      message.screen = UInt32(bitPattern: layout.window(of: view).screen.rawValue)
      message.frame = wireRect(layout.frameOnScreen(of: view))
      message.bounds = wireRect(layout.bounds(of: view))
      message.transform = wireTransform(layout.screenTransform(of: view))
    }
    if serial == 0 {
      let state = StateKey(TOUCHROUTE_LAYOUT, of: attachment.id.rawValue)
      append(TOUCHROUTE_LAYOUT, message, stateOf: state)
    } else {
      append(TOUCHROUTE_ATTACHED, message)
    }
  }

  mutating func appendDone(serial: UInt32, total: Int, generation: UInt32, text: String) {
    let text = clipped(text, to: Self.longestText)
    append(
      TOUCHROUTE_DONE,
      touchroute_done(
        header: touchroute_header(), serial: serial, total: UInt32(clamping: total),
        generation: generation, text_size: UInt32(text.utf8.count)), text)
  }

  mutating func appendError(serial: UInt32, code: Wire.ErrorCode, request: UInt16, text: String) {
    let text = clipped(text, to: Self.longestText)
    append(
      TOUCHROUTE_ERROR,
      touchroute_error(
        header: touchroute_header(), serial: serial, code: code.rawValue, request: UInt32(request),
        text_size: UInt32(text.utf8.count)), text)
  }

  mutating func appendPong(serial: UInt32) {
    append(
      TOUCHROUTE_PONG,
      touchroute_pong(header: touchroute_header(), serial: serial, reserved: 0))
  }

  mutating func appendDetached(_ attachment: AttachmentID, reason: Wire.DetachReason, text: String)
  {
    let text = clipped(text, to: Self.longestText)
    append(
      TOUCHROUTE_DETACHED,
      touchroute_detached(
        header: touchroute_header(), serial: 0, attachment: attachment.rawValue,
        reason: reason.rawValue,
        text_size: UInt32(text.utf8.count)), text)
  }

  mutating func appendHolder(_ notice: HolderNotice) {
    let path = pathOnWire(notice.path)
    var message = touchroute_holder()
    message.attachment = notice.window.rawValue
    message.is_held = notice.isHeld ? 1 : 0
    message.pid = notice.holder.pid
    message.uid = notice.holder.uid
    message.handles = notice.holder.handles.rawValue
    message.passes = notice.holder.passes.rawValue
    message.path_size = UInt32(path.utf8.count)
    message.name_size = UInt32(notice.holder.name.utf8.count)
    append(TOUCHROUTE_HOLDER, message, path, notice.holder.name)
  }

  mutating func appendClosing(_ reason: Wire.CloseReason, _ text: String) {
    let text = clipped(text, to: Self.longestText)
    append(
      TOUCHROUTE_CLOSING,
      touchroute_closing(
        header: touchroute_header(), reason: reason.rawValue, text_size: UInt32(text.utf8.count)),
      text)
  }

  /// Texts are cut there, in bytes: no message is over its size, and none fills a queue.
  static let longestText = 32_768
}

func wireRect(_ rect: Rect) -> (Double, Double, Double, Double) {
  (rect.x, rect.y, rect.width, rect.height)
}

func wireTransform(_ map: AffineTransform) -> (Double, Double, Double, Double, Double, Double) {
  (map.a, map.b, map.c, map.d, map.tx, map.ty)
}
