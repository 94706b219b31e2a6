import Testing

@testable import EventLoop

@Suite("The clock")
struct SteadyClockTests {
  @Test("a clock that goes back stands still, until it is where it was (F1)")
  func goesBack() {
    var clock = SteadyClock()
    #expect([5, 9, 7, 8, 9, 10].map { clock.take($0) } == [5, 9, 9, 9, 9, 10])
  }
}
