import EventLoop
import Logging
import Testing

@testable import Server

@Suite("ClientLog")
struct ClientLogTests {
  /// Keeps the lines of a logger; used in the test's own thread.
  private final class Lines: LogHandler, @unchecked Sendable {
    var all: [String] = []
    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }
    func log(event: LogEvent) { all.append("\(event.level): \(event.message)") }
  }

  private let root = PeerCredentials(pid: 1, uid: 0, gid: 0)
  private let lines = Lines()
  private let loop: EventLoop
  private let log: ClientLog
  private var made = 0

  init() throws {
    loop = try EventLoop(time: 1_000_000)
    let lines = lines
    log = try ClientLog(Logger(label: "test") { _ in lines }, on: loop)
  }

  private mutating func line() -> String {
    made += 1
    return "line \(made)"
  }

  @Test("a line over the limit is not made, and once in 10 s it is said how many there were (F1)")
  mutating func limited() {
    for _ in 0..<4231 { log.write(.warning, about: root, line()) }
    #expect(made == 20)
    #expect(lines.all == (1...20).map { "warning: line \($0)" })
    #expect(log.omittedCount == 4211)
    loop.advance(to: 10_999_999)
    #expect(lines.all.count == 20)
    loop.advance(to: 11_000_000)
    let told =
      "notice: ... and 4211 more lines about programs of user root were left out in the last 10 s"
    #expect(lines.all.dropFirst(20) == [told])
    // Nothing more was left out, so nothing more is said, and nothing wakes the loop.
    loop.advance(to: 100_000_000)
    #expect(lines.all.count == 21)
  }

  @Test("a line below the level of the log counts for nothing")
  mutating func level() {
    for _ in 0..<100 { log.write(.debug, about: root, line()) }
    #expect(made == 0 && log.omittedCount == 0)
    log.write(.info, about: root, line())
    #expect(lines.all == ["info: line 1"])
  }

  @Test("at the end it is said at once how many there were")
  mutating func end() {
    for _ in 0..<21 { log.write(.info, about: root, line()) }
    log.stop()
    let told =
      "notice: ... and 1 more line about programs of user root was left out in the last 1 s"
    #expect(lines.all.last == told)
  }
}
