import DaemonSupport
import EventLoop
import Routing
import Testing
import TouchClient

@testable import Exchange

/// What it takes to serve and to change the line of those who wait for responders.
@Suite("The line of those who wait")
struct LineCostTests {
  private func line(_ count: UInt32) -> AttachQueue {
    let line = AttachQueue()
    for number in 1...count { line.stand(place(number)) }
    return line
  }

  /// Of 256 clients, all for one responder.
  private func place(_ number: UInt32) -> AttachQueue.Place {
    AttachQueue.Place(
      id: Routing.AttachmentID(number), client: ClientID(slot: number % 256, generation: 1),
      request: AttachRequest(path: "left"))
  }

  @Test("places are found, in their order, whatever came and went (R2)")
  func order() {
    let line = line(1000)
    for number in stride(from: 3, through: 999, by: 3) as StrideThrough<UInt32> {
      line.leave(Routing.AttachmentID(number))
    }
    line.leave(ClientID(slot: 4, generation: 1))
    line.hold(place(5))
    let left = (1...1000).filter { $0 % 3 != 0 && $0 % 256 != 4 && $0 != 5 }.map(UInt32.init)
    #expect(line.places.all.map(\.id.rawValue) == left)
    _ = line.beginServing()
    let served = left.indices.map { _ in line.nextToServe()?.id.rawValue }
    #expect(served == left)
    let further = line.nextToServe()
    #expect(further?.id == nil && !line.isBeingServed)
    let hasStood = line.requeue(Routing.AttachmentID(5))
    #expect(hasStood)
    #expect(line.places.all.map(\.id.rawValue) == (left + [5]).sorted())
    #expect(line.places(of: ClientID(slot: 7, generation: 1)).map(\.id.rawValue) == [7, 263, 775])
    #expect(line.count(of: ClientID(slot: 4, generation: 1)) == 0)
  }

  @Test("a turn looks at no more than 256 of those in line, however many there are (R2, F1, S8)")
  func turns() throws {
    let bench = try ExchangeBench()
    let holder = try bench.client()
    _ = try holder.connection.attach(to: "left")
    let held = try holder.next(meanwhile: bench.turn, \.geometry)
    let waiting = try (0..<5).map { _ in try bench.client() }
    for client in waiting {
      for _ in 0..<200 { _ = try client.connection.attach(to: "left", options: .wait) }
    }
    try bench.turn {
      for client in waiting { _ = client.pending() }
      return bench.exchange.queue.places.count == 1000
    }
    try #require(bench.exchange.queue.places.count == 1000)
    _ = try holder.connection.detach(held.attachment)
    for _ in 0..<1000 {
      guard bench.exchange.queue.places.count == 1000 else { break }
      _ = try bench.loop.runTurn(timeoutMicroseconds: 1_000)
    }
    var turns = 0
    while bench.exchange.queue.isBeingServed, turns < 100 {
      _ = try bench.loop.runTurn(timeoutMicroseconds: 1_000)
      turns += 1
    }
    // The first of them is given it. The others are looked at once more then: 1,998 looks.
    #expect(turns >= 7 && turns < 100)
    #expect(bench.exchange.pipeline.router.attachments.count == 1)
    #expect(bench.exchange.queue.places.count == 999)
    // Where tests are optimised too, the clients would be gone after their last request.
    withExtendedLifetime((holder, waiting)) {}
  }
}
