import Foundation
import Glibc
import TestSupport
import Testing

/// HTTP by the byte: a connection of a browser, or of nobody's good friend.
final class RawHTTP {
  /// An answer.
  struct Answer: Equatable {
    var status = 0
    var headers: [String: String] = [:]
    var body = ""
  }

  let descriptor: Int32
  private var received: [UInt8] = []

  /// Connects to a port of 127.0.0.1.
  ///
  /// - Parameters:
  ///   - buffer: how many bytes the kernel may keep for this end; nil for what is usual.
  ///   - seconds: how long the other end may be silent.
  init(port: UInt16, buffer: Int32? = nil, seconds: Int = 30) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    if var buffer {
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &buffer, socklen_t(MemoryLayout<Int32>.size))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw Missing("nobody listens on port \(port): errno \(errno)") }
    bound(seconds)
  }

  /// Connects to a Unix socket.
  init(socket path: String) throws {
    descriptor = try UnixSocket.connected(to: path)
    bound(30)
  }

  /// What never comes must not be waited for for ever.
  private func bound(_ seconds: Int) {
    var time = timeval(tv_sec: seconds, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  /// Sends text; whether the other end takes it.
  @discardableResult
  func send(_ text: String) -> Bool {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      bytes.removeFirst(count)
    }
    return true
  }

  /// Receives more; false at the end.
  private func receive() throws -> Bool {
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(descriptor, &piece, piece.count, 0)
    if count < 0, errno == EAGAIN { throw Missing("nothing came in time") }
    guard count > 0 else { return false }
    received += piece.prefix(count)
    return true
  }

  /// The next line, without its end; nil where there is none any more.
  func line() throws -> String? {
    while true {
      if let end = received.firstIndex(of: 0x0a) {
        let line = received[..<end]
        received.removeFirst(end + 1)
        return String(decoding: line.last == 0x0d ? line.dropLast() : line, as: UTF8.self)
      }
      guard try receive() else { return nil }
    }
  }

  /// The next answer's status and headers; nil where the other end has closed.
  func head() throws -> Answer? {
    guard let first = try line() else { return nil }
    var answer = Answer()
    answer.status = Int(first.split(separator: " ").dropFirst().first ?? "") ?? 0
    while let line = try line(), !line.isEmpty {
      let colon = try #require(line.firstIndex(of: ":"))
      let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      answer.headers[line[..<colon].lowercased()] = value
    }
    return answer
  }

  /// The next answer, whole; nil where the other end has closed.
  func answer() throws -> Answer? {
    guard var answer = try head() else { return nil }
    let length = Int(answer.headers["content-length"] ?? "") ?? 0
    while received.count < length, try receive() {}
    answer.body = String(decoding: received.prefix(length), as: UTF8.self)
    received.removeFirst(min(length, received.count))
    return answer
  }
}
