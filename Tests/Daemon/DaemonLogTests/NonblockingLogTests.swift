import EventLoop
import Foundation
import Glibc
import TestSupport
import Testing

@testable import DaemonLog

/// The log against standard errors of every kind that nobody reads. A write that waited would be
/// the end of these tests.
@Suite("NonblockingLog")
struct NonblockingLogTests {
  private func log(_ reader: LogReader, capacity: Int = 10_000) -> NonblockingLog {
    NonblockingLog(reader.writing, capacity: capacity) { "\($0) lost\n" }
  }

  /// Writes so many numbered lines of 40 bytes.
  private func write(_ numbers: Range<Int>, to log: NonblockingLog) {
    for number in numbers {
      let start = "line \(number) "
      log.write(start + String(repeating: ".", count: 39 - start.utf8.count) + "\n")
    }
  }

  /// Reads until all is written, and a last line after it: the lines before that.
  private func lines(of reader: LogReader, _ log: NonblockingLog) throws -> [Substring] {
    var text = reader.read()
    for _ in 0..<30_000 {
      guard log.isWaiting else { break }
      log.flush()
      let more = reader.read()
      // A terminal takes a moment from one end to the other.
      if more.isEmpty { usleep(1000) }
      text += more
    }
    log.write("end\n")
    for _ in 0..<30_000 {
      guard !text.hasSuffix("end\n") else { break }
      usleep(1000)
      text += reader.read()
    }
    try #require(text.hasSuffix("end\n"))
    return text.split(separator: "\n").dropLast()
  }

  /// Holds that what is there are whole lines in order, with those that are not there told in their
  /// place: how many of both there are, and how many were lost.
  private func count(_ lines: [Substring]) throws -> (lines: Int, lost: Int) {
    var next = 0
    var lost = 0
    for line in lines {
      if line.hasSuffix(" lost") {
        let count = try #require(Int(line.dropLast(5)))
        lost += count
        next += count
      } else {
        try #require(line.hasPrefix("line \(next) ") && line.utf8.count == 39, "\(line)")
        next += 1
      }
    }
    return (next, lost)
  }

  @Test(
    "lines beyond what nobody reads are lost, whole, and told in their place (F1)",
    arguments: LogReader.Kind.allCases)
  func loss(_ kind: LogReader.Kind) throws {
    let reader = try LogReader(kind)
    let log = log(reader)
    write(0..<20_000, to: log)
    #expect(log.isWaiting)
    let kept = try lines(of: reader, log)
    #expect(!log.isWaiting)
    let counted = try count(kept)
    #expect(counted.lines == 20_000 && counted.lost == log.lostCount)
    #expect(counted.lost > 1000 && kept.last?.hasSuffix(" lost") == true)
    // What comes then gets through as ever.
    write(20_000..<20_002, to: log)
    let rest = try lines(of: reader, log)
    #expect(rest.count == 2 && rest[0].hasPrefix("line 20000 "))
    #expect(log.lostCount == counted.lost)
  }

  @Test(
    "a line of which a part was read goes on where it was, however little is read at a time",
    arguments: LogReader.Kind.allCases)
  func partial(_ kind: LogReader.Kind) throws {
    let reader = try LogReader(kind)
    let log = log(reader)
    write(0..<5000, to: log)
    var text = ""
    var next = 5000
    while next < 6000 {
      text += reader.read(limit: 777)
      write(next..<next + 10, to: log)
      next += 10
    }
    text += try lines(of: reader, log).joined(separator: "\n")
    let counted = try count(text.split(separator: "\n"))
    #expect(counted.lines == 6000 && counted.lost == log.lostCount)
  }

  @Test(
    "those who share the descriptor may wait on it as before", arguments: LogReader.Kind.allCases)
  func shared(_ kind: LogReader.Kind) throws {
    let reader = try LogReader(kind)
    let before = fcntl(reader.writing, F_GETFL)
    let log = log(reader)
    write(0..<20_000, to: log)
    #expect(fcntl(reader.writing, F_GETFL) == before)
    #expect(before & O_NONBLOCK == 0)
  }

  @Test("a terminal that is stopped holds nobody up, and goes on where it was")
  func stoppedTerminal() throws {
    let reader = try LogReader(.terminal)
    let log = log(reader)
    try #require(tcflow(reader.writing, TCOOFF) == 0)
    write(0..<10, to: log)
    #expect(log.isWaiting)
    #expect(reader.read() == "")
    try #require(tcflow(reader.writing, TCOON) == 0)
    #expect(try lines(of: reader, log).count == 10)
  }

  @Test(
    "a line to a reader that is gone is lost, and nothing waits",
    arguments: [
      LogReader.Kind.pipe, .socket,
    ])
  func gone(_ kind: LogReader.Kind) throws {
    // A pipe that is broken must not end the process.
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [-1, -1]
    if kind == .pipe {
      ends = try LogReader.pipe()
    } else {
      let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
      try #require(socketpair(AF_UNIX, type, 0, &ends) == 0)
    }
    defer { close(ends[1]) }
    let log = NonblockingLog(ends[1]) { "\($0) lost\n" }
    close(ends[0])
    write(0..<5, to: log)
    #expect(log.lostCount >= 5)
    #expect(!log.isWaiting)
  }

  @Test("a loop writes the rest once it is read, and watches nothing while nothing waits")
  func flusher() throws {
    let reader = try LogReader(.socket)
    let log = log(reader)
    let loop = try EventLoop()
    let flusher = LogFlusher(log, on: loop)
    defer { withExtendedLifetime(flusher) {} }
    write(0..<20_000, to: log)
    let nudge = try loop.addTimer(after: 0) {}
    #expect(try loop.runTurn(timeoutMicroseconds: 1_000_000))
    // Nobody reads: it sleeps.
    #expect(try !loop.runTurn(timeoutMicroseconds: 20_000))
    var text = ""
    for _ in 0..<10_000 {
      guard log.isWaiting else { break }
      text += reader.read()
      _ = try loop.runTurn(timeoutMicroseconds: 1_000_000)
    }
    text += reader.read()
    #expect(text.hasSuffix(" lost\n"))
    // It can be written to, and nobody is woken by that.
    nudge.arm(after: 0)
    _ = try loop.runTurn(timeoutMicroseconds: 1_000_000)
    #expect(try !loop.runTurn(timeoutMicroseconds: 20_000))
  }
}
