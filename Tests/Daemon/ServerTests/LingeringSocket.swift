import Glibc
import Testing

/// A TCP socket within this machine that has bytes to send, a peer that reads none, and SO_LINGER:
/// whoever drops the last reference to it waits for `seconds`.
final class LingeringSocket {
  /// Longer than any test waits for what is to come true.
  static let seconds: Int32 = 300

  /// -1 once it is given away.
  private var descriptor: Int32
  private let peer: Int32
  private let begin = LingeringSocket.now

  private static var now: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec
  }

  init() throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(listener) }
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var small: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &small, 4)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let target = descriptor
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) == 0 && listen(listener, 1) == 0
          && getsockname(listener, $0, &size) == 0 && connect(target, $0, size) == 0
      }
    }
    peer = accept(listener, nil, nil)
    try #require(result && peer >= 0, "no TCP connection within this machine: errno \(errno)")
    let bytes = [UInt8](repeating: 0, count: 65_536)
    while send(descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT)) > 0 {}
    var linger = linger(l_onoff: 1, l_linger: Self.seconds)
    let isSet = setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    try #require(isSet == 0)
  }

  deinit {
    // The peer first, so that nothing is to be waited for.
    close(peer)
    if descriptor >= 0 { close(descriptor) }
  }

  /// Whether its time is over: whoever dropped it may have waited for that.
  var isOver: Bool { Self.now - begin >= Int(Self.seconds) }

  /// Passes the last references to sockets over a Unix socket, with one byte: 0, or an errno.
  static func pass(_ sockets: [LingeringSocket], over socket: Int32, flags: Int32 = 0) -> Int32 {
    // A cmsghdr: its size, SOL_SOCKET and SCM_RIGHTS, and what it holds.
    let size = 16 + sockets.count * 4
    var control = [UInt32](repeating: 0, count: (size + 7) / 8 * 2)
    control[0] = UInt32(size)
    control[2] = UInt32(SOL_SOCKET)
    control[3] = UInt32(SCM_RIGHTS)
    for (index, socket) in sockets.enumerated() {
      control[4 + index] = UInt32(socket.descriptor)
    }
    var byte: UInt8 = 0
    let result = withUnsafeMutablePointer(to: &byte) { byte in
      control.withUnsafeMutableBytes { control in
        var bytes = iovec(iov_base: byte, iov_len: 1)
        return withUnsafeMutablePointer(to: &bytes) { bytes in
          var message = msghdr()
          message.msg_iov = bytes
          message.msg_iovlen = 1
          message.msg_control = control.baseAddress
          message.msg_controllen = control.count
          return sendmsg(socket, &message, flags | Int32(MSG_NOSIGNAL))
        }
      }
    }
    guard result == 1 else { return errno }
    for socket in sockets { socket.giveUp() }
    return 0
  }

  private func giveUp() {
    close(descriptor)
    descriptor = -1
  }
}
