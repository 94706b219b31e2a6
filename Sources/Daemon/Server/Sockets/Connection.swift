import CLinux
import Wire
import Glibc

/// What is done with a connection, whosever session it is.
enum Connection {
  /// Says why there is no session for it, as far as that can be sent at once.
  static func tellRefusal(
    _ descriptor: Int32, _ error: Wire.ErrorCode, _ reason: Wire.CloseReason,
    _ text: String
  ) {
    let queue = OutgoingQueue(limit: 0)
    queue.append(.error(serial: 0, error, request: 0, text: text))
    queue.append(.closing(reason, text))
    queue.flush(to: descriptor)
  }

  /// Asks the kernel for a send buffer of that size. Where it refuses, the default serves.
  static func setSendBuffer(_ descriptor: Int32, bytes: Int32) {
    var bytes = bytes
    setsockopt(
      descriptor, SOL_SOCKET, SO_SNDBUF, &bytes, socklen_t(MemoryLayout.size(ofValue: bytes)))
  }

  /// Whether bytes have come that were not read. The corresponding C call is ioctl with FIONREAD.
  static func hasUnread(_ descriptor: Int32) -> Bool {
    var count: Int32 = 0
    return ioctl(descriptor, UInt(FIONREAD), &count) == 0 && count > 0
  }

  /// Whether a socket takes bytes now. The corresponding C call is poll.
  static func canBeWritten(_ descriptor: Int32) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&polled, 1, 0) == 1 && polled.revents == Int16(POLLOUT)
  }

  /// The number by which the kernel knows a socket, whichever process has it; 0 for what is no
  /// socket. The corresponding C call is getsockopt with SO_COOKIE.
  static func cookie(of descriptor: Int32) -> UInt64 { clinux_socket_cookie(descriptor) }
}
