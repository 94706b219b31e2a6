import CLinux
import Glibc

/// The terminal while one program has all of it. What it showed before is there again at the end.
final class Terminal {
  /// In characters.
  struct Size: Equatable {
    var columns: Int
    var rows: Int
  }

  /// How the terminal was, while it is ours.
  private var settings: termios?
  private var isEntered = false

  /// Whether standard output is a terminal that knows control sequences.
  static var isThere: Bool {
    let name = getenv("TERM").map { String(cString: $0) } ?? ""
    return isatty(STDOUT_FILENO) == 1 && !name.isEmpty && name != "dumb"
  }

  /// Whether keys can be read.
  static var hasKeys: Bool { isatty(STDIN_FILENO) == 1 }

  deinit { leave() }

  /// The size; nil where standard output is no terminal, or that does not know it.
  static var size: Size? {
    var (columns, rows) = (CInt(0), CInt(0))
    guard clinux_terminal_size(STDOUT_FILENO, &columns, &rows) == 0, columns > 0, rows > 0 else {
      return nil
    }
    return Size(columns: Int(columns), rows: Int(rows))
  }

  /// Begins: keys come at once and are not shown, and the other screen is shown, without a cursor.
  func enter() {
    guard !isEntered else { return }
    isEntered = true
    var now = termios()
    if Self.hasKeys, tcgetattr(STDIN_FILENO, &now) == 0 {
      settings = now
      now.c_lflag &= ~tcflag_t(ICANON | ECHO)
      tcsetattr(STDIN_FILENO, TCSADRAIN, &now)
    }
    write("\u{1b}[?1049h\u{1b}[?25l")
  }

  /// Puts everything back; twice is once.
  func leave() {
    guard isEntered else { return }
    isEntered = false
    write("\u{1b}[?25h\u{1b}[?1049l")
    // Keys that nobody has read are not for the shell.
    if var settings { tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings) }
    settings = nil
  }

  /// Shows lines from the top, none wider than the terminal, in place of what is there.
  func show(_ lines: [String]) {
    let text = lines.map { "\($0)\u{1b}[K" }.joined(separator: "\n")
    write("\u{1b}[H\(text)\u{1b}[J")
  }

  private func write(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count > 0 {
        bytes.removeFirst(count)
      } else if errno == EAGAIN {
        var wait = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        poll(&wait, 1, -1)
      } else if errno != EINTR {
        // There is no terminal any more, and so nothing to put back.
        return
      }
    }
  }
}
