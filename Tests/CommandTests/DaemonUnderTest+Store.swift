import Glibc
import Testing

/// The descriptors that a daemon leaves to its service manager, by their names; closed with this.
final class KeptDescriptors {
  fileprivate(set) var all: [(name: String, descriptor: Int32)] = []

  /// Those of one name.
  func named(_ name: String) -> [Int32] { all.filter { $0.name == name }.map(\.descriptor) }

  /// What a service manager does to pass them on, with ``DaemonUnderTest``'s `passing`.
  var prelude: String {
    "export LISTEN_PID=$$ LISTEN_FDS=\(all.count) "
      + "LISTEN_FDNAMES=\(all.map(\.name).joined(separator: ":"))"
  }

  deinit { for kept in all { close(kept.descriptor) } }
}

extension DaemonUnderTest {
  /// Ends it with SIGTERM; what it has left until it was gone.
  func stopKeeping() throws -> KeptDescriptors {
    kill(pid, SIGTERM)
    #expect(try waitForExit() == 0)
    let kept = KeptDescriptors()
    while let (text, descriptors) = receive() {
      let lines = text.split(separator: "\n")
      guard lines.contains("FDSTORE=1") else { continue }
      let name = try #require(lines.first { $0.hasPrefix("FDNAME=") }).dropFirst(7)
      kept.all += descriptors.map { (String(name), $0) }
    }
    return kept
  }

  /// The next datagram that is there, with its descriptors; nil where none is.
  private func receive() -> (text: String, descriptors: [Int32])? {
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
          count = recvmsg(notifications, &header, Int32(MSG_DONTWAIT))
        }
      }
    }
    guard count >= 0 else { return nil }
    // The control messages: each a header of 16 bytes, then its descriptors.
    let descriptors: [Int32] = control.withUnsafeBytes { ancillary in
      guard header.msg_controllen >= 16 else { return [] }
      let size = ancillary.load(as: Int.self)
      guard ancillary.load(fromByteOffset: 8, as: Int32.self) == SOL_SOCKET,
        ancillary.load(fromByteOffset: 12, as: Int32.self) == SCM_RIGHTS
      else { return [] }
      return stride(from: 16, to: size, by: 4).map {
        ancillary.load(fromByteOffset: $0, as: Int32.self)
      }
    }
    return (String(decoding: bytes.prefix(count), as: UTF8.self), descriptors)
  }
}
