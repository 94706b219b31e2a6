import CLibinput
import Glibc
import Logging
import TouchModel

/// Shows devices to libinput one by one and lets go of them again, never grabbing any.
final class LibinputTrial {
  private let context: OpaquePointer
  private let opener: DeviceOpener
  private let messages: MessageBuffer

  init(udev: OpaquePointer) throws(TouchInputError) {
    let messages = MessageBuffer()
    let opener = DeviceOpener(udev: udev, matcher: nil) { level, message in
      if level >= .warning { messages.lines.append(message) }
    }
    let user = Unmanaged.passUnretained(opener).toOpaque()
    guard let context = libinput_path_create_context(opener.interface, user) else {
      throw TouchInputError("libinput can't be set up")
    }
    LibinputLog.attach(to: context)
    self.context = context
    self.opener = opener
    self.messages = messages
  }

  deinit { libinput_unref(context) }

  /// What libinput makes of a device that udev calls a touchscreen; adds what libinput knows of it.
  func verdict(_ description: inout DeviceDescription) -> DeviceVerdict {
    let code = access(description.node)
    guard code == 0 else { return .unreachable(NodeAccess.explain(description.node, code)) }
    messages.lines.removeAll()
    guard let device = libinput_path_add_device(context, description.node) else {
      return .refused(messages.lines.last ?? "it gives no reason")
    }
    defer {
      libinput_path_remove_device(device)
      while let event = libinput_get_event(context) { libinput_event_destroy(event) }
    }
    guard libinput_device_has_capability(device, LIBINPUT_DEVICE_CAP_TOUCH) != 0 else {
      return .refused(messages.lines.last ?? "it takes it for something else")
    }
    if let known = DeviceDescription(libinputDevice: device) { description = known }
    return .touchscreen
  }

  /// The errno of opening the node, 0 where that works.
  private func access(_ node: String) -> Int32 {
    let descriptor = open(node, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return errno }
    close(descriptor)
    return 0
  }
}

/// What libinput has said.
private final class MessageBuffer {
  var lines: [String] = []
}
