import Foundation
import TestSupport

/// A program of somebody else's that reads touchscreens, as Debian has packaged it.
final class ForeignProgram {
  let program: RunningProgram
  private var heard = 0

  /// Starts it.
  ///
  /// - Parameter hidden: Nodes that it can't read, as in a container of its own.
  init(
    _ path: String, _ arguments: [String], hiding hidden: [String] = [],
    environment: [String: String] = [:]
  ) throws {
    let script = """
      while [ "$1" != -- ]; do mount --bind /dev/null "$1" || exit; shift; done
      shift
      exec stdbuf -oL "$@" 2>&1
      """
    program = try RunningProgram(
      URL(filePath: "/usr/bin/unshare"),
      ["--mount", "/bin/sh", "-c", script, "sh"] + hidden + ["--", path] + arguments,
      environment: environment)
  }

  /// All that it has said.
  var lines: [String] { program.lines }

  /// The next line with that in it, after the one that was waited for last; so many seconds are the
  /// bound of failure.
  @discardableResult func wait(for words: String, seconds: Int = 60) throws -> String {
    for _ in 0..<100 * seconds {
      let lines = lines
      if let index = lines.indices.dropFirst(heard).first(where: { lines[$0].contains(words) }) {
        heard = index + 1
        return lines[index]
      }
      guard program.isRunning else { break }
      usleep(10_000)
    }
    throw Missing("\"\(words)\" after \(lines.prefix(heard)); then came \(lines.dropFirst(heard))")
  }

  /// Ends it without a word.
  func kill() { program.kill() }
}
