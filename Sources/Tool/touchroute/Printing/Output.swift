import Glibc
import TouchModel

/// Standard output: gathered, written by the piece, and ended quietly when its reader goes.
final class Output {
  /// Whether the process is for the sake of what it writes, and ends when nobody reads that.
  let needsReader: Bool
  private var bytes: [UInt8] = []
  private static let piece = 1 << 16

  init(needsReader: Bool = true) { self.needsReader = needsReader }

  /// Adds one line; it is written with the next ``flush()`` at the latest. A line feed in it is
  /// escaped: names come from others, and must not forge a line.
  func line(_ text: String) throws(Failure) { try add(text.printable()) }

  /// Adds a text of several lines.
  func lines(_ text: String) throws(Failure) { try add(text.printable(keepingLines: true)) }

  private func add(_ text: String) throws(Failure) {
    bytes.append(contentsOf: text.utf8)
    bytes.append(UInt8(ascii: "\n"))
    if bytes.count >= Self.piece { try flush() }
  }

  /// Writes what was added. Where nobody reads any more, the process ends with status 0, or it is
  /// forgotten.
  func flush() throws(Failure) {
    var start = 0
    while start < bytes.count {
      let count = bytes.withUnsafeBytes {
        write(STDOUT_FILENO, $0.baseAddress?.advanced(by: start), $0.count - start)
      }
      if count >= 0 {
        start += count
      } else if errno == EPIPE {
        if needsReader { exit(0) }
        break
      } else if errno == EAGAIN {
        var wait = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        poll(&wait, 1, -1)
      } else if errno != EINTR {
        throw Failure("standard output can't be written: \(String(cString: strerror(errno)))")
      }
    }
    bytes.removeAll(keepingCapacity: true)
  }
}
