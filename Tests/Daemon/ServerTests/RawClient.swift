import CTouchroute
import Glibc
import TestSupport

/// A client that speaks bytes: the test's end of a connection.
final class RawClient {
  let descriptor: Int32
  private var received: [UInt8] = []
  /// Whether the daemon has hung up, with or without a reset.
  private(set) var isClosed = false

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Connects to a listening socket.
  convenience init(path: String) throws {
    let descriptor = try UnixSocket.connected(to: path)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    self.init(descriptor)
  }

  deinit { hangUp() }

  private var isHungUp = false

  func hangUp() {
    guard !isHungUp else { return }
    isHungUp = true
    close(descriptor)
  }

  /// Sends as much as the socket takes; how much that was. -1 where the daemon has hung up.
  @discardableResult
  func send(_ bytes: some Collection<UInt8>) -> Int {
    let bytes = Array(bytes)
    var sent = 0
    while sent < bytes.count {
      let result = bytes.withUnsafeBytes {
        Glibc.send(
          descriptor, $0.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      if result < 0 { return errno == EAGAIN ? sent : -1 }
      sent += result
    }
    return sent
  }

  /// Reads whatever is there.
  func receive() {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let result = recv(descriptor, &buffer, buffer.count, 0)
      if result > 0 {
        received += buffer[..<result]
        continue
      }
      if result == 0 || errno != EAGAIN { isClosed = true }
      return
    }
  }

  /// The next message, without reading further ones from the socket.
  func nextAlone() -> Message? {
    var size = received.isEmpty ? 8 : Int(Message(bytes: Array(received[..<8])).header.size)
    while received.count < size {
      var buffer = [UInt8](repeating: 0, count: size - received.count)
      let result = recv(descriptor, &buffer, buffer.count, 0)
      guard result > 0 else { return nil }
      received += buffer[..<result]
      if received.count == 8 { size = Int(Message(bytes: received).header.size) }
    }
    return Message.takeFirst(from: &received)
  }

  /// The next message, if one is there whole.
  func next() -> Message? {
    if let message = Message.takeFirst(from: &received) { return message }
    if !isHungUp { receive() }
    return Message.takeFirst(from: &received)
  }
}
