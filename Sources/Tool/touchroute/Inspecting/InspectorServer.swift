import Glibc
import InspectorLink

/// The program touchroute-inspect, which serves the page: started, told and heard.
final class InspectorServer {
  /// Readable when it has said something.
  let descriptor: CInt
  private let process: pid_t
  private var reader = InspectorMessageReader()
  private var waiting: [InspectorMessage] = []
  private var bytes: [UInt8] = []

  /// Starts it.
  init(_ settings: InspectorSettings) throws(Failure) {
    var ends: [CInt] = [-1, -1]
    let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw Failure("no socket is to be had: \(String(cString: strerror(errno)))")
    }
    descriptor = ends[0]
    defer { close(ends[1]) }
    process = try OwnProgram.start(
      "touchroute-inspect", of: "touchroute-inspect", ["--link"], descriptor: ends[1])
    send(InspectorMessage(.begin, 0, settings.body))
    flush()
  }

  deinit { close(descriptor) }

  /// Adds a message; it is sent with the next ``flush()``.
  func send(_ message: InspectorMessage) { bytes.append(contentsOf: message.bytes) }

  /// Sends what was added.
  func flush() {
    var start = 0
    while start < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(
          descriptor, $0.baseAddress?.advanced(by: start), $0.count - start,
          CInt(MSG_NOSIGNAL))
      }
      if count > 0 { start += count } else if errno != EINTR { end() }
    }
    bytes.removeAll(keepingCapacity: true)
  }

  /// Reads what it has said, once ``descriptor`` is readable; waits for it otherwise.
  func read() {
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    let count = Glibc.read(descriptor, &piece, piece.count)
    if count < 0, errno == EINTR { return }
    guard count > 0 else { end() }
    reader.add(piece.prefix(count))
    do {
      while let message = try reader.next() { waiting.append(message) }
    } catch {
      Failure("touchroute-inspect has sent what is no message: it is of another version").report()
      exit(1)
    }
  }

  /// Waits until it says something, and reads that; whether it has. Where nobody reads what this
  /// process prints any more, such as the end of an ssh connection, the process ends.
  ///
  /// - Parameter milliseconds: how long it waits; -1 for ever.
  func wait(milliseconds: Int32 = -1) -> Bool {
    var descriptors = [
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: STDOUT_FILENO, events: 0, revents: 0),
    ]
    _ = poll(&descriptors, nfds_t(descriptors.count), milliseconds)
    if descriptors[1].revents & Int16(POLLERR | POLLHUP) != 0 { exit(0) }
    guard descriptors[0].revents != 0 else { return false }
    read()
    return true
  }

  /// The next thing that it has said.
  func next() -> InspectorMessage? { waiting.isEmpty ? nil : waiting.removeFirst() }

  /// It has ended, having said why, and so does this process.
  private func end() -> Never {
    var status: CInt = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7f
    if signal != 0 {
      Failure("touchroute-inspect has ended by the signal \(signal)").report()
    }
    exit(1)
  }
}
