import Foundation
import Glibc

/// What the log's lines go into, and the end that reads them.
package final class LogReader {
  package enum Kind: CaseIterable, Sendable { case pipe, socket, terminal }

  package let kind: Kind
  package let writing: Int32
  package let reading: Int32

  package init(_ kind: Kind) throws {
    self.kind = kind
    var ends: [Int32] = [-1, -1]
    switch kind {
    case .pipe: ends = try Self.pipe()
    case .socket:
      let (first, second) = try UnixSocket.pair()
      ends = [first, second]
    case .terminal:
      var (master, slave): (Int32, Int32) = (-1, -1)
      let result = openpty(&master, &slave, nil, nil, nil)
      guard result == 0 else { throw Failure(code: errno) }
      ends = [master, slave]
      var settings = termios()
      guard tcgetattr(ends[1], &settings) == 0 else { throw Failure(code: errno) }
      cfmakeraw(&settings)
      guard tcsetattr(ends[1], TCSANOW, &settings) == 0 else { throw Failure(code: errno) }
    }
    (reading, writing) = (ends[0], ends[1])
  }

  /// A pipe, neither end of which any process of another test inherits: reading, writing.
  package static func pipe() throws -> [Int32] {
    let directory = try TemporaryDirectory()
    let path = directory.url.appending(path: "pipe").path
    guard mkfifo(path, 0o600) == 0 else { throw Failure(code: errno) }
    let reading = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    let writing = open(path, O_WRONLY | O_CLOEXEC)
    guard reading >= 0 && writing >= 0 else { throw Failure(code: errno) }
    return [reading, writing]
  }

  deinit {
    close(writing)
    close(reading)
  }

  /// What is there at present.
  package func read(limit: Int = .max) -> String {
    var text: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 4096)
    while text.count < limit {
      var ready = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
      guard poll(&ready, 1, 0) == 1 else { break }
      let count = Glibc.read(reading, &bytes, min(bytes.count, limit - text.count))
      guard count > 0 else { break }
      text += bytes.prefix(count)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// A pipe or a terminal could not be made.
  package struct Failure: Error {
    package let code: Int32
  }
}
