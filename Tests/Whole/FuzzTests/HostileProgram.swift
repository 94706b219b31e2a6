import CTouchroute
import Glibc
import TestSupport

/// A program that says what the input says, byte by byte, to the daemon's socket.
final class HostileProgram {
  private let path: String
  private var descriptor: Int32 = -1
  private var received: [UInt8] = []
  /// Whether it reads what it is told.
  var isReading = true

  init(_ path: String) { self.path = path }

  deinit { leave() }

  /// Connects, where it is not connected.
  func come(withHello: Bool) throws {
    guard descriptor < 0 else { return }
    descriptor = try UnixSocket.connected(to: path)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    guard withHello else { return }
    var hello: [UInt8] = []
    for word in [1, TOUCHROUTE_MAGIC, TOUCHROUTE_VERSION, 3] {
      withUnsafeBytes(of: UInt32(word)) { hello += $0 }
    }
    say(opcode: UInt8(TOUCHROUTE_HELLO.rawValue), hello + Array("bad".utf8) + [0, 0, 0, 0, 0])
  }

  /// Hangs up.
  func leave() {
    guard descriptor >= 0 else { return }
    // A process that another test is just starting has the descriptor too.
    shutdown(descriptor, Int32(SHUT_RDWR))
    close(descriptor)
    descriptor = -1
    received = []
  }

  /// Says bytes, as they are. What the socket has no room for is not said.
  func say(_ bytes: [UInt8]) {
    guard descriptor >= 0 else { return }
    _ = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
  }

  /// Says a request whose size is right, whatever is in it.
  func say(opcode: UInt8, _ body: [UInt8]) {
    let header = touchroute_header(size: UInt32(8 + body.count), opcode: UInt16(opcode), flags: 0)
    say(withUnsafeBytes(of: header) { Array($0) } + body)
  }

  /// Reads what has come: whole messages, whose sizes are right (docs/protocol.md).
  func read() throws {
    guard isReading, descriptor >= 0 else { return }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(descriptor, &bytes, bytes.count, 0)
      guard count > 0 else { break }
      received += bytes[..<count]
    }
    var start = 0
    while received.count - start >= 8 {
      let size = received.withUnsafeBytes {
        Int($0.loadUnaligned(fromByteOffset: start, as: UInt32.self))
      }
      guard size >= 8, size % 8 == 0, size <= Int(TOUCHROUTE_MAX_MESSAGE) else {
        throw Finding("the daemon sends a message of \(size) bytes")
      }
      guard received.count - start >= size else { break }
      start += size
    }
    received.removeFirst(start)
  }
}
