import Foundation
import Glibc
import TestSupport
import Testing

/// The tool on a terminal of its own, beside a ``House``.
final class TerminalCommand {
  let process: ChildProcess
  /// All that it has written, without returns.
  private(set) var transcript = ""
  private let house: House
  private let terminal: PseudoTerminal
  private let settings: [UInt32]
  /// The bytes of what it has written.
  private var bytes: [UInt8] = []

  /// Starts it on a terminal of so many characters.
  ///
  /// - Parameter type: what it is told of the terminal's type.
  init(
    _ arguments: [String], of house: House, columns: Int = 80, rows: Int = 24,
    type: String = "xterm"
  ) throws {
    self.house = house
    terminal = try PseudoTerminal(columns: columns, rows: rows)
    settings = terminal.settings
    let screen = open(terminal.path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(screen >= 0)
    defer { close(screen) }
    // A session of its own, so that Ctrl-C on the terminal is a signal to it. Under nohup the tests
    // ignore SIGHUP; it must not.
    process = try ChildProcess(
      URL(filePath: "/usr/bin/env"),
      ["--default-signal", "setsid", "-c", Command.tool.path] + arguments,
      environment: [
        "TOUCHROUTE_SOCKET": house.clientSocket, "TERM": type, "PATH": "/usr/bin:/bin",
      ], input: screen, output: screen, errors: screen)
  }

  deinit { process.signal(SIGKILL) }

  /// Types keys.
  func type(_ keys: String) { terminal.type(keys) }

  /// Gives the terminal another size.
  func resize(columns: Int, rows: Int) throws { try terminal.resize(columns: columns, rows: rows) }

  /// The lines of the latest whole picture.
  var picture: [String] {
    let pictures = transcript.components(separatedBy: "\u{1b}[H")
    let whole = pictures.dropFirst().last { $0.contains("\u{1b}[J") } ?? ""
    return whole.components(separatedBy: "\u{1b}[J")[0].components(separatedBy: "\n")
      .map { $0.replacing("\u{1b}[K", with: "") }
  }

  /// Waits for a picture that is as the test wants it.
  func wait(_ condition: ([String]) -> Bool) throws {
    try house.turn({ self.transcript.debugDescription }) {
      read()
      return condition(picture) || !process.isRunning
    }
    #expect(condition(picture), "it ended: \(transcript.debugDescription)")
  }

  /// Waits for its end: its exit status, or minus the signal that it died of.
  func waitForEnd() throws -> Int32 {
    try house.turn({ self.transcript.debugDescription }) {
      read()
      return !process.isRunning
    }
    read()
    return process.waitForExit()
  }

  /// Lets the daemon work until something is so.
  func turn(until condition: () -> Bool) throws {
    try house.turn({ self.transcript.debugDescription }) {
      read()
      return condition()
    }
  }

  /// Whether the terminal is as it was before: its settings, its screen and its cursor.
  var isAsBefore: Bool {
    func last(_ sequence: String) -> String.Index? {
      transcript.range(of: sequence, options: .backwards)?.lowerBound
    }
    guard let screen = last("\u{1b}[?1049l"), let cursor = last("\u{1b}[?25h") else { return false }
    let isShown = last("\u{1b}[?1049h").map { $0 < screen } ?? true
    let hasCursor = last("\u{1b}[?25l").map { $0 < cursor } ?? true
    return isShown && hasCursor && terminal.settings == settings
  }

  private func read() {
    let read = terminal.read()
    guard !read.isEmpty else { return }
    bytes += read
    // The terminal adds returns to line feeds.
    transcript = String(decoding: bytes.filter { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
  }
}
