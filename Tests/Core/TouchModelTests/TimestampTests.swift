import Testing

@testable import TouchModel

@Suite("Times")
struct TimestampTests {
  @Test("a time that lies beyond the last one is the last one (F1)")
  func beyond() {
    let late = Timestamp(microseconds: .max - 999)
    #expect(late.adding(milliseconds: 0) == late)
    #expect(late.adding(milliseconds: 1) == Timestamp(microseconds: .max))
    #expect(Timestamp(microseconds: 1).adding(milliseconds: .max).microseconds == .max)
    #expect(Timestamp(microseconds: 1).adding(milliseconds: 2).microseconds == 2_001)
  }
}
