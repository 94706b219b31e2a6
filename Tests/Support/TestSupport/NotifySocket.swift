import Glibc

/// What a service manager hears: the datagrams of sd_notify, with the descriptors that come along.
package final class NotifySocket {
  package let path: String
  private let descriptor: Int32

  /// Binds the socket, in place of one that is there.
  package init(path: String) throws {
    self.path = path
    unlink(path)
    descriptor = try UnixSocket.datagrams(at: path)
  }

  deinit { close(descriptor) }

  /// Fills its queue with datagrams that say `full`, so that whoever sends one waits.
  package func fill() throws {
    let sender = try UnixSocket.sending(to: path)
    defer { close(sender) }
    while send(sender, "full", 4, Int32(MSG_DONTWAIT)) == 4 {}
    guard errno == EAGAIN else { throw Missing("the queue can't be filled: errno \(errno)") }
  }

  /// The next datagram and its descriptors, which are the caller's; nil where none comes.
  package func next(seconds: Int32) -> (text: String, descriptors: [Int32])? {
    var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, seconds * 1000) == 1 else { return nil }
    var bytes = [UInt8](repeating: 0, count: 4096)
    var control = [UInt64](repeating: 0, count: 256)
    var header = msghdr()
    var count = 0
    bytes.withUnsafeMutableBytes { text in
      control.withUnsafeMutableBytes { ancillary in
        var vector = iovec(iov_base: text.baseAddress, iov_len: text.count)
        withUnsafeMutablePointer(to: &vector) {
          header.msg_iov = $0
          header.msg_iovlen = 1
          header.msg_control = ancillary.baseAddress
          header.msg_controllen = ancillary.count
          count = recvmsg(descriptor, &header, Int32(MSG_DONTWAIT))
        }
      }
    }
    guard count >= 0 else { return nil }
    let text = String(decoding: bytes.prefix(count), as: UTF8.self)
    return (text, Self.descriptors(of: header, control))
  }

  /// The descriptors of the control messages: each is a header of 16 bytes, then its descriptors.
  private static func descriptors(of header: msghdr, _ control: [UInt64]) -> [Int32] {
    guard header.msg_controllen >= 16 else { return [] }
    return control.withUnsafeBytes { ancillary in
      guard ancillary.load(fromByteOffset: 8, as: Int32.self) == SOL_SOCKET,
        ancillary.load(fromByteOffset: 12, as: Int32.self) == SCM_RIGHTS
      else { return [] }
      return stride(from: 16, to: ancillary.load(as: Int.self), by: 4).map {
        ancillary.load(fromByteOffset: $0, as: Int32.self)
      }
    }
  }
}
