import Testing

@testable import Server

@Suite("LogLimiter")
struct LogLimiterTests {
  private var limiter = LogLimiter()

  /// How many of so many lines are let through.
  private mutating func admitted(_ count: Int, of uid: UInt32, at now: UInt64) -> Int {
    (0..<count).count { _ in limiter.admits(uid, at: now) }
  }

  @Test("a user's programs cause 20 lines in a row, then 2 a second (F1, S10)")
  mutating func rate() {
    #expect(admitted(1000, of: 1000, at: 5_000_000) == 20)
    #expect(admitted(10, of: 1000, at: 5_499_999) == 0)
    #expect(admitted(10, of: 1000, at: 5_500_000) == 1)
    #expect(admitted(10, of: 1000, at: 7_500_000) == 4)
    #expect(admitted(1000, of: 1000, at: 3_600_000_000) == 20)
    #expect(limiter.omittedCount == 980 + 10 + 9 + 6 + 980)
  }

  @Test("what one user's programs cause takes nothing from another's (F1, S10)")
  mutating func users() {
    #expect(admitted(1000, of: 1000, at: 0) == 20)
    #expect(admitted(20, of: 1001, at: 0) == 20)
    #expect(
      limiter.takeOmissions() == [LogLimiter.Omission(uid: 1000, count: 980, since: 0)])
    #expect(limiter.takeOmissions() == [])
  }

  @Test("what was left out is told with the time of the first such line, each time anew (F1)")
  mutating func since() {
    #expect(admitted(22, of: 1000, at: 1_000) == 20)
    #expect(admitted(3, of: 1000, at: 2_000) == 0)
    #expect(
      limiter.takeOmissions() == [LogLimiter.Omission(uid: 1000, count: 5, since: 1_000)])
    #expect(admitted(1, of: 1000, at: 3_000) == 0)
    #expect(
      limiter.takeOmissions() == [LogLimiter.Omission(uid: 1000, count: 1, since: 3_000)])
  }

  @Test("beyond 64 users at a time those to come share what is one user's (F5)")
  mutating func manyUsers() {
    for uid in UInt32(0)..<64 { #expect(admitted(21, of: uid, at: 1) == 20) }
    var total = 0
    for uid in UInt32(64)..<10_000 { total += admitted(1, of: uid, at: 1) }
    #expect(total == 20)
    let omissions = limiter.takeOmissions()
    #expect(omissions.count == 65)
    #expect(omissions.last == LogLimiter.Omission(uid: nil, count: 9916, since: 1))
    // The first ones are forgotten once that makes no difference.
    #expect(admitted(30, of: 70_000, at: 60_000_000) == 20)
    #expect(limiter.takeOmissions().map(\.uid) == [70_000])
  }

  @Test("a user of whom lines are still to be told as left out is not forgotten")
  mutating func untold() {
    for uid in UInt32(0)..<64 { _ = admitted(21, of: uid, at: 1) }
    #expect(admitted(21, of: 99, at: 60_000_000) == 20)
    #expect(limiter.takeOmissions().compactMap(\.uid) == Array(0..<64))
  }
}
