import Testing

@testable import TouchClient

/// What a session keeps for whoever asks next.
@Suite("The queue of events")
struct EventQueueTests {
  @Test("a queue that never runs empty has no memory for what was taken")
  func queue() {
    var queue = EventQueue()
    queue.append(.lost("0"))
    for number in 1...10_000 {
      queue.append(.lost("\(number)"))
      #expect(queue.popFirst() == .lost("\(number - 1)"))
    }
    #expect(queue.capacity <= 256)
  }
}
