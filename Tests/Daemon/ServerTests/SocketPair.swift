import TestSupport

/// The two ends of a connected Unix stream socket, which do not block.
struct SocketPair {
  /// The end that the code under test gets.
  let inner: Int32
  /// The test's end.
  let outer: Int32

  init() throws { (inner, outer) = try UnixSocket.pair(isBlocking: false) }
}
