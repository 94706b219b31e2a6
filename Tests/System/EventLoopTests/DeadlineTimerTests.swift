import EventLoop
import Testing

@Suite("Deadlines")
struct DeadlineTimerTests {
  @Test("one timer goes off at the earliest of many deadlines, and at those that remain")
  func earliest() throws {
    let loop = try EventLoop(time: 1_000_000)
    var deadlines: [UInt64] = [3_000_000, 2_000_000, 5_000_000]
    var times: [UInt64] = []
    var timer: DeadlineTimer?
    timer = try DeadlineTimer(on: loop) {
      times.append(loop.now)
      deadlines.removeAll { $0 <= loop.now }
      for deadline in deadlines { timer?.include(deadline) }
    }
    for deadline in deadlines { timer?.include(deadline) }
    loop.advance(to: 10_000_000)
    #expect(times == [2_000_000, 3_000_000, 5_000_000])
  }

  @Test("with no deadline left, and after its end, it wakes nobody")
  func cleared() throws {
    let loop = try EventLoop(time: 1_000_000)
    var count = 0
    let timer = try DeadlineTimer(on: loop) { count += 1 }
    timer.include(2_000_000)
    timer.clear()
    loop.advance(to: 3_000_000)
    #expect(count == 0)
    timer.include(4_000_000)
    timer.stop()
    timer.include(5_000_000)
    loop.advance(to: 6_000_000)
    #expect(count == 0)
  }
}
