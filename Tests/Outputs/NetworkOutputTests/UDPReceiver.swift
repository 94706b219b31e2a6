import Glibc
import TestSupport

/// A socket of UDP on this machine, and the bundles that have come to it.
final class UDPReceiver {
  /// What one datagram said.
  struct Bundle {
    let messages: [Message]

    var source: String { messages.first { $0.word == "source" }?.text ?? "" }
    var alive: [Int32] { messages.first { $0.word == "alive" }?.integers ?? [] }
    var cursors: [Message] { messages.filter { $0.word == "set" } }
    var frame: Int32 { messages.last.flatMap { $0.word == "fseq" ? $0.integers.first : nil } ?? 0 }
  }

  let port: UInt16
  private let descriptor: Int32
  private var bundles: [Bundle] = []

  /// - Parameter port: where it listens; 0 for one that is free.
  init(port: UInt16 = 0) throws {
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    self.descriptor = descriptor
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    address.sin_port = port.bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        let result = bind(descriptor, address, size)
        return result == 0 ? getsockname(descriptor, address, &size) : result
      }
    }
    guard result == 0 else { throw Missing("port \(port) can't be had: errno \(errno)") }
    self.port = UInt16(bigEndian: address.sin_port)
  }

  deinit { close(descriptor) }

  /// Waits until what has come is as told; all of it.
  func wait(until condition: ([Bundle]) -> Bool) throws -> [Bundle] {
    try waitUntil("the bundles that are waited for have come") {
      var bytes = [UInt8](repeating: 0, count: 65536)
      while true {
        let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        guard count > 0 else { break }
        bundles.append(Bundle(messages: Message.all(in: Array(bytes.prefix(count)))))
      }
      return condition(bundles)
    }
    return bundles
  }
}
