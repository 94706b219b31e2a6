import CLibinput
import Glibc
import Logging

/// libinput's messages, passed on.
enum LibinputLog {
  /// Passes the context's messages to its `DeviceOpener`, which is its user data.
  static func attach(to context: OpaquePointer) {
    libinput_log_set_priority(context, LIBINPUT_LOG_PRIORITY_INFO)
    libinput_log_set_handler(context) { context, priority, format, arguments in
      guard let context, let format, let arguments,
        let user = libinput_get_user_data(context)
      else { return }
      var text = [CChar](repeating: 0, count: 1024)
      vsnprintf(&text, text.count, format, arguments)
      let bytes = text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
      let line = DeviceDescription.trimmed(String(decoding: bytes, as: UTF8.self))
      // libinput's information is about every device of every kind: ours for looking into a fault.
      let level: Logger.Level = priority == LIBINPUT_LOG_PRIORITY_ERROR ? .warning : .debug
      Unmanaged<DeviceOpener>.fromOpaque(user).takeUnretainedValue()
        .report(level, "libinput: \(line)")
    }
  }
}
