import CLinux
import CTouchroute
import Glibc

/// What is done with a connection that is, or will be, nobody's session.
enum Connection {
  /// Says why there is no session for it, as far as that can be sent at once.
  static func tellRefusal(
    _ descriptor: Int32, _ error: touchroute_error_code, _ reason: touchroute_close_reason,
    _ text: String
  ) {
    var queue = OutgoingQueue(limit: 0)
    queue.appendError(serial: 0, code: wire(error), request: 0, text: text)
    queue.appendClosing(reason, text)
    _ = queue.flush(to: descriptor)
  }

  /// Has what a client sends read in its order, out of band or not: so none of it is dropped by
  /// reading on, with a descriptor that was passed with it.
  static func readInOrder(_ descriptor: Int32) { _ = clinux_out_of_band_inline(descriptor) }

  /// Asks the kernel for a send buffer of that size. Where it refuses, the default serves.
  static func setSendBuffer(_ descriptor: Int32, bytes: Int32) {
    var bytes = bytes
    setsockopt(
      descriptor, SOL_SOCKET, SO_SNDBUF, &bytes, socklen_t(MemoryLayout.size(ofValue: bytes)))
  }
}
