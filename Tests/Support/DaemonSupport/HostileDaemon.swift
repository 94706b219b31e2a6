import CTouchroute
import Glibc
import TestSupport

/// A daemon that means its programs badly: whatever it names or says would steer a terminal. It
/// serves one connection after the other, in a thread of its own.
package final class HostileDaemon {
  /// What it does once a program asks for something.
  package enum Manner: Sendable {
    /// Refuses whatever it is asked.
    case refuses
    /// Has attachments wait, then ends them.
    case waits
    /// Attaches, tells of a tap and a gesture, then says why it closes.
    case attaches
    /// Describes a layout, and how it is.
    case describes
    /// Tells who listens to feedback that something was hit.
    case hits
    /// Describes the same view, wherever a page is to begin.
    case repeats
    /// Describes a view that lies in itself.
    case knots
    /// Describes a view whose content lies further away than any daemon lets it.
    case strays
    /// Describes gestures, and never all of them.
    case multiplies
    /// Tells of more than an observer keeps, and never who was there.
    case floods
    /// Loses all of its screens once somebody observes.
    case losesScreens
    /// Says that a touchscreen is ill, and closes amid that answer; refuses from then on.
    case breaksOff
  }

  /// What it says: a title for the window, the end of the line, another line, and a turned
  /// direction. The quotation mark would end a string of JSON.
  package static let words =
    "x\u{1b}]0;y\u{7}\r\nforged: \u{9b}31m\u{85}\u{202e}\u{2028}\"\\\u{e0041}"

  /// Where it listens.
  package let path: String
  private let directory: TemporaryDirectory
  private let listener: Int32

  /// Listens, and serves from now on.
  package init(_ manner: Manner) throws {
    directory = try TemporaryDirectory()
    path = directory.file("client.sock")
    listener = try UnixSocket.listening(at: path)
    symlink(path, directory.file("control.sock"))
    var thread = pthread_t()
    let work = Work(listener: listener, manner: manner)
    let result = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<Work>.fromOpaque(context).takeRetainedValue().serve()
        return nil
      }, Unmanaged.passRetained(work).toOpaque())
    guard result == 0 else { throw Missing("no thread for a daemon: errno \(result)") }
    pthread_detach(thread)
  }

  /// Whoever waits in accept is told so, and ends.
  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  /// Whether a text steers nothing, and has no line that the daemon has made up.
  package static func isHarmless(_ text: String) -> Bool {
    let steering: [Unicode.GeneralCategory] = [
      .control, .format, .lineSeparator, .paragraphSeparator,
    ]
    return text.unicodeScalars.split(separator: "\n").allSatisfy { line in
      !String(line).hasPrefix("forged")
        && !line.contains { steering.contains($0.properties.generalCategory) }
    }
  }
}

/// What the thread does.
private final class Work {
  private let listener: Int32
  private var manner: HostileDaemon.Manner

  init(listener: Int32, manner: HostileDaemon.Manner) {
    (self.listener, self.manner) = (listener, manner)
  }

  func serve() {
    while true {
      let client = accept(listener, nil, nil)
      guard client >= 0 else { return }
      while let (opcode, rest) = request(from: client) {
        let answer = HostileMessages(to: rest, manner).answer(to: opcode)
        _ = answer.withUnsafeBytes {
          send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        // It has said that it closes.
        if manner == .attaches, opcode == TOUCHROUTE_ATTACH.rawValue { break }
        if manner == .floods, opcode == TOUCHROUTE_OBSERVE.rawValue { break }
        if manner == .breaksOff, opcode == TOUCHROUTE_STATUS.rawValue {
          manner = .refuses
          break
        }
      }
      close(client)
    }
  }

  /// The next request, and what follows its header.
  private func request(from client: Int32) -> (opcode: UInt16, rest: [UInt8])? {
    guard let head = read(MemoryLayout<touchroute_header>.size, from: client) else { return nil }
    let header = head.withUnsafeBytes { $0.load(as: touchroute_header.self) }
    guard let rest = read(Int(header.size) - head.count, from: client) else { return nil }
    return (header.opcode, rest)
  }

  private func read(_ count: Int, from client: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let got = bytes.withUnsafeMutableBytes {
        recv(client, $0.baseAddress?.advanced(by: done), count - done, 0)
      }
      guard got > 0 else { return nil }
      done += got
    }
    return bytes
  }
}
