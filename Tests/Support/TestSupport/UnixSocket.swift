import Glibc

/// Unix sockets by their paths, which have at most 107 bytes. A descriptor is the caller's.
package enum UnixSocket {
  /// A stream that is connected to whoever listens there.
  package static func connected(to path: String) throws -> Int32 {
    try make(path, SOCK_STREAM) { connect($0, $1, $2) }
  }

  /// A socket that listens there for streams.
  package static func listening(at path: String) throws -> Int32 {
    let listener = try make(path, SOCK_STREAM) { bind($0, $1, $2) }
    guard listen(listener, 64) == 0 else {
      defer { close(listener) }
      throw Missing("nobody can listen at \(path): errno \(errno)")
    }
    return listener
  }

  /// Streams as many as fit into the queue of whoever listens there.
  package static func filling(_ path: String) -> [Int32] {
    var all: [Int32] = []
    while let next = try? make(
      path, SOCK_STREAM,
      {
        _ = fcntl($0, F_SETFL, O_NONBLOCK)
        return connect($0, $1, $2)
      })
    {
      all.append(next)
    }
    return all
  }

  /// A socket to which datagrams can be sent there.
  package static func datagrams(at path: String) throws -> Int32 {
    try make(path, SOCK_DGRAM) { bind($0, $1, $2) }
  }

  /// A socket whose datagrams go there.
  package static func sending(to path: String) throws -> Int32 {
    try make(path, SOCK_DGRAM) { connect($0, $1, $2) }
  }

  /// Two streams that are connected to one another.
  package static func pair(isBlocking: Bool = true) throws -> (Int32, Int32) {
    var ends: [Int32] = [-1, -1]
    let flags = SOCK_CLOEXEC.rawValue | (isBlocking ? 0 : SOCK_NONBLOCK.rawValue)
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | flags), 0, &ends) == 0 else {
      throw Missing("no pair of sockets: errno \(errno)")
    }
    return (ends[0], ends[1])
  }

  /// Whether this process may have thousands of descriptors, and not the usual 1,024 alone: tests
  /// of hundreds of clients run beside each other.
  private static let mayHaveThousands: Bool = {
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return false }
    limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, 16_384))
    return setrlimit(resource, &limit) == 0
  }()

  private static func make(
    _ path: String, _ type: __socket_type,
    _ body: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws -> Int32 {
    _ = mayHaveThousands
    let descriptor = socket(AF_UNIX, Int32(type.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw Missing("no socket for \(path): errno \(errno)") }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { bytes in
      bytes.copyBytes(from: path.utf8.prefix(bytes.count - 1))
    }
    let result = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else {
      defer { close(descriptor) }
      throw Missing("no socket at \(path): errno \(errno)")
    }
    return descriptor
  }
}
