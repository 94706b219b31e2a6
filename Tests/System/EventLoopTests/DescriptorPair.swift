import Glibc

/// Two connected stream sockets, closed with the object.
final class DescriptorPair: Sendable {
  let left: Int32
  let right: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    let result = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0, &ends)
    precondition(result == 0, "socketpair: errno \(errno)")
    (left, right) = (ends[0], ends[1])
  }

  deinit {
    close(left)
    close(right)
  }

  /// Writes one byte at the right end, for the left one to read.
  func poke() {
    var byte: UInt8 = 1
    precondition(write(right, &byte, 1) == 1)
  }

  /// Reads whatever waits at the left end.
  func drain() -> Int {
    var bytes = [UInt8](repeating: 0, count: 4096)
    return max(0, read(left, &bytes, bytes.count))
  }
}
