import FoundationEssentials
import Glibc
import Measuring

/// Measures `touchroute play --dry --compare` with a record of a day of use: against the layout
/// that the day was recorded with, and against another one.
@main struct RecordBench {
  private static let usage = """
    usage: RecordBench TOUCHROUTE FOLDER [TOUCHES [SEED]]
           RecordBench --write FOLDER TOUCHES SEED
    """

  static func main() {
    var words = CommandLine.arguments.dropFirst()
    guard words.count >= 2, let first = words.popFirst(), let folder = words.popFirst(),
      let touches = words.isEmpty ? 100_000 : words.popFirst().flatMap({ Int($0) }), touches > 0,
      let seed = words.isEmpty
        ? UInt64.random(in: 0..<1 << 32)
        : words.popFirst().flatMap({ UInt64($0) })
    else {
      print(usage)
      exit(64)
    }
    do {
      if first == "--write" { return try Day(touches: touches, seed: seed).write(to: folder) }
      try measure(first, folder, touches, seed)
    } catch {
      print("\(error)")
      exit(1)
    }
  }

  private static func measure(
    _ tool: String, _ folder: String, _ touches: Int, _ seed: UInt64
  ) throws {
    let record = "\(folder)/\(Day.record)"
    defer { unlink(record) }
    try Day(touches: touches, seed: seed).write(to: folder)
    var status = stat()
    guard stat(record, &status) == 0 else { throw BenchError("\(record) is not there") }
    print(
      """
      a day of \(touches) touches, seed \(seed): \(fixed(Double(status.st_size) / 1e6, 1)) MB
      touchroute play --dry --compare, with the layout of the day and with another one

      """)
    show(["layout", "s", "s of processor", "MiB", "exit status", ""])
    for (layout, expected) in [(Day.layout, 0), (Day.otherLayout, 2)] {
      let words = ["play", "--dry", "--compare", "--config", "\(folder)/\(layout)", record]
      let run = try Run(tool, words, output: "\(folder)/differences")
      show([
        layout, fixed(run.seconds, 1), fixed(run.processorSeconds, 1), fixed(run.mebibytes, 1),
        "\(run.status)", run.lastLine,
      ])
      guard run.status == expected else {
        throw BenchError("the exit status must be \(expected): see \(folder)/differences")
      }
    }
  }

  private static func show(_ cells: [String]) {
    let widths = [12, 7, 16, 7, 13, 0]
    print(
      zip(cells, widths).map { cell, width in
        width == 0
          ? "  \(cell)" : String(repeating: " ", count: max(0, width - cell.count)) + cell
      }.joined())
  }
}

/// What is wrong, in a sentence.
struct BenchError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// A program that has run to its end, and what it took.
private struct Run {
  let status: Int32
  let seconds: Double
  let processorSeconds: Double
  /// The most memory that it had.
  let mebibytes: Double
  /// The last line that it printed.
  let lastLine: String

  init(_ program: String, _ arguments: [String], output: String) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(
      &actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var pid: pid_t = 0
    let start = wallTime()
    let failure = posix_spawn(&pid, program, &actions, nil, &words, environ)
    guard failure == 0 else {
      throw BenchError("\(program) can't be run: \(String(cString: strerror(failure)))")
    }
    var result: Int32 = 0
    var usage = rusage()
    while wait4(pid, &result, 0, &usage) < 0, errno == EINTR {}
    seconds = (wallTime() - start) / 1e9
    status = result & 0x7f == 0 ? result >> 8 & 0xff : -(result & 0x7f)
    processorSeconds = [usage.ru_utime, usage.ru_stime].map {
      Double($0.tv_sec) + Double($0.tv_usec) / 1e6
    }.reduce(0, +)
    mebibytes = Double(usage.ru_maxrss) / 1024
    let text = try String(decoding: Data(contentsOf: URL(filePath: output)), as: UTF8.self)
    lastLine = text.split(separator: "\n").last.map(String.init) ?? ""
  }
}
