import Glibc
import Testing

/// The two ends of a connected Unix stream socket.
struct SocketPair {
  /// The end that the code under test gets.
  let inner: Int32
  /// The test's end; non-blocking.
  let outer: Int32

  init() throws {
    var ends: [Int32] = [-1, -1]
    try #require(
      socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
    inner = ends[0]
    outer = ends[1]
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
  }
}
