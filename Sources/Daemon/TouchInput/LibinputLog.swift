import CLibinput
import Logging
import TouchModel

/// libinput's messages, passed on.
enum LibinputLog {
  /// Passes the context's messages to its `DeviceOpener`, which is its user data.
  static func attach(to context: OpaquePointer) {
    libinput_log_set_priority(context, LIBINPUT_LOG_PRIORITY_INFO)
    clibinput_log_set_handler(context) { context, priority, text in
      guard let context, let text, let user = libinput_get_user_data(context) else { return }
      // The kernel's names of devices are in it.
      let line = DeviceDescription.trimmed(String(cString: text)).printable()
      // libinput's information is about every device of every kind: ours for looking into a bug.
      let level: Logger.Level = priority == LIBINPUT_LOG_PRIORITY_ERROR ? .warning : .debug
      let opener = Unmanaged<DeviceOpener>.fromOpaque(user).takeUnretainedValue()
      opener.report(level, "libinput: \(line)")
      // It begins with the node's name, and libinput has no other way to say it.
      if line.contains("SYN_DROPPED"), let name = line.split(separator: " ").first {
        opener.onDrop("/dev/input/\(name)")
      }
    }
  }
}
