import CChildProcess
import Glibc

/// A terminal for a program that a test has started, with the test at its keyboard and screen.
package final class PseudoTerminal {
  /// The path of the program's side.
  package let path: String
  private let keyboard: Int32

  /// A terminal of so many characters.
  package init(columns: Int, rows: Int) throws {
    var name = [CChar](repeating: 0, count: 100)
    keyboard = child_terminal_open(&name, name.count)
    guard keyboard >= 0 else { throw Missing("no pseudo-terminal: errno \(errno)") }
    path = name.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    try resize(columns: columns, rows: rows)
  }

  deinit { close(keyboard) }

  /// Types keys.
  package func type(_ keys: String) {
    _ = Array(keys.utf8).withUnsafeBytes { write(keyboard, $0.baseAddress, $0.count) }
  }

  /// What has been written to it since the last time.
  package func read() -> [UInt8] {
    var text: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(keyboard, &bytes, bytes.count)
      guard count > 0 else { return text }
      text += bytes[..<count]
    }
  }

  /// How it treats what is typed and written.
  package var settings: [UInt32] {
    var settings = termios()
    guard tcgetattr(keyboard, &settings) == 0 else { return [] }
    return [settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag]
  }

  /// Gives it another size.
  package func resize(columns: Int, rows: Int) throws {
    let result = try RunningProgram.run(
      "stty", "-F", path, "rows", "\(rows)", "columns", "\(columns)")
    guard result.status == 0 else { throw Missing("stty: \(result.errors)") }
  }
}
