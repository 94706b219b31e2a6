import CLinux
import Glibc

/// The path of a Unix socket, and what lies there.
struct SocketAddress {
  let path: String
  private var address = sockaddr_un()

  /// The longest path that a socket's address holds, in bytes.
  static let longestPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

  init(_ path: String) throws(ServerError) {
    let size = path.utf8.count
    guard size > 0, size <= Self.longestPath, !path.utf8.contains(0) else {
      throw ServerError(
        "the socket path \"\(path)\" has \(size) bytes: a socket's path has 1 to "
          + "\(Self.longestPath); choose a shorter one")
    }
    self.path = path
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
  }

  /// Makes the path free: it is, or a dead socket there is removed.
  ///
  /// - Throws: where somebody answers there, what lies there is no socket, or its directory is
  ///   missing.
  func clear() throws(ServerError) {
    let file = try SocketFile(path)
    guard let status = try file.status() else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw ServerError("\(path) exists and is no socket: remove it, or choose another path")
    }
    guard try !isAnswered() else {
      throw ServerError(
        "another process answers on \(path): stop it first, or choose another path with --socket "
          + "or --control-socket")
    }
    let code = file.remove()
    guard code == 0 || code == ENOENT else {
      throw ServerError("can't remove the dead socket", path, code: code)
    }
  }

  /// Binds a socket to the path, which becomes a file of mode 0660.
  @discardableResult
  func bind(_ descriptor: Int32, group: UInt32?) throws(ServerError) -> SocketFile.Identity {
    let file = try SocketFile(path)
    // Nobody else's until its group is right. The kernel gives the file the mode of the socket; the
    // umask, which is the whole process's, need not be touched.
    guard fchmod(descriptor, 0o600) == 0 else {
      throw ServerError("can't give its mode to the socket", path, code: errno)
    }
    guard withAddress({ Glibc.bind(descriptor, $0, $1) }) == 0 else {
      throw ServerError("can't make the socket", path, code: errno)
    }
    return try file.open(to: group)
  }

  /// The path that a socket is bound to, empty where it has none. The corresponding C function is
  /// getsockname.
  static func path(of descriptor: Int32) -> String {
    var address = sockaddr_un()
    var size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
    }
    guard result == 0 else { return "" }
    return withUnsafeBytes(of: &address.sun_path) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  private func isAnswered() throws(ServerError) -> Bool {
    let type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    let probe = socket(AF_UNIX, Int32(type), 0)
    guard probe >= 0 else { throw ServerError("can't make a socket for", path, code: errno) }
    // Whoever answers may have passed it a descriptor.
    defer { ConnectionCloser.closeAlone(probe) }
    guard withAddress({ connect(probe, $0, $1) }) != 0 else { return true }
    switch errno {
    case ECONNREFUSED, ENOENT: return false
    // Its backlog is full: somebody is there, and busy. EPROTOTYPE: there, of another kind.
    case EAGAIN, EPROTOTYPE: return true
    case let code: throw ServerError("can't tell whether anybody answers on", path, code: code)
    }
  }

  func withAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
