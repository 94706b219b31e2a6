import Glibc
import TestSupport

/// A broker of MQTT for one client, in the test's own thread, that says what the test has it say.
final class HostileBroker {
  let port: UInt16
  private let listener: Int32
  private var client: Int32 = -1

  init() throws {
    port = try TCPPort.free()
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var one: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    address.sin_port = port.bigEndian
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0, listen(listener, 8) == 0 else {
      throw Missing("no broker at port \(port): errno \(errno)")
    }
  }

  deinit {
    if client >= 0 { close(client) }
    close(listener)
  }

  /// Waits for the client, and tells it that it is welcome.
  func accept() throws {
    if client >= 0 { close(client) }
    var ready = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, 30_000) == 1 else { throw Missing("no client within 30 s") }
    client = Glibc.accept(listener, nil, nil)
    var time = timeval(tv_sec: 30, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &time, size)
    setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &time, size)
    _ = try packet()
    send([0x20, 2, 0, 0])
  }

  /// The next packet's type and what is in it.
  func packet() throws -> (type: UInt8, body: [UInt8]) {
    let type = try read(1)[0]
    var length = 0
    var shift = 0
    while true {
      let byte = try read(1)[0]
      length |= Int(byte & 0x7f) << shift
      shift += 7
      if byte & 0x80 == 0 { break }
    }
    return (type, try read(length))
  }

  /// Sends bytes; whether the client has taken them.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var start = 0
    while start < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(
          client, $0.baseAddress?.advanced(by: start), $0.count - start, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      start += count
    }
    return true
  }

  private func read(_ count: Int) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let got = bytes.withUnsafeMutableBytes {
        recv(client, $0.baseAddress?.advanced(by: done), count - done, 0)
      }
      guard got > 0 else { throw Missing("the client has gone, or is silent: errno \(errno)") }
      done += got
    }
    return bytes
  }
}
