import Glibc

/// A port of [::1] on which a program listens that is not touchroute's.
final class LocalPort {
  struct InUse: Error {}

  let number: UInt16
  private let descriptor: Int32

  static let hasIPv6 = (try? LocalPort(0)) != nil

  /// Listens on a port; 0 is any that is free.
  init(_ port: UInt16) throws {
    descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = port.bigEndian
    address.sin6_addr = in6addr_loopback
    var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let descriptor = descriptor
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && listen(descriptor, 1) == 0
          && getsockname(descriptor, $0, &length) == 0
      }
    }
    number = UInt16(bigEndian: address.sin6_port)
    guard isBound else { throw InUse() }
  }

  deinit { close(descriptor) }
}
