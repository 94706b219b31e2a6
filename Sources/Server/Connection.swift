import Wire
import Glibc

/// What is done with a connection that is, or will be, nobody's session.
enum Connection {
  /// Says why there is no session for it, as far as that can be sent at once.
  static func tellRefusal(
    _ descriptor: Int32, _ error: Wire.ErrorCode, _ reason: Wire.CloseReason,
    _ text: String
  ) {
    var queue = OutgoingQueue(limit: 0)
    queue.appendError(serial: 0, code: error, request: 0, text: text)
    queue.appendClosing(reason, text)
    _ = queue.flush(to: descriptor)
  }

  /// Asks the kernel for a send buffer of that size. Where it refuses, the default serves.
  static func setSendBuffer(_ descriptor: Int32, bytes: Int32) {
    var bytes = bytes
    setsockopt(
      descriptor, SOL_SOCKET, SO_SNDBUF, &bytes, socklen_t(MemoryLayout.size(ofValue: bytes)))
  }
}
