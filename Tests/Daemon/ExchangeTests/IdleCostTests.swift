import DaemonSupport
import EventLoop
import Server
import Testing
import TouchClient
import TouchModel

@testable import Exchange

/// What idle watches cost, on the daemon's own exchange, whose time stands still.
@Suite("Exchange, what idle watches cost")
struct IdleCostTests {
  /// How often the loop wakes until nothing is left to do.
  private func wakeUps(_ bench: ExchangeBench) throws -> Int {
    var count = 0
    while try bench.loop.runTurn(timeoutMicroseconds: 0) { count += 1 }
    return count
  }

  @Test("idle events come when they are due, and the loop has nothing to do before (D7)")
  func wakeUpsAreDue() throws {
    let bench = try ExchangeBench(time: 1_000_000)
    let client = try bench.client(.control)
    for seconds in 1...1_000 {
      let scope: IdleScope = seconds.isMultiple(of: 2) ? .seat : .screen("panel")
      try client.connection.watchIdle(scope, milliseconds: UInt32(seconds) * 1_000)
      _ = try client.next(meanwhile: bench.turn, \.completion)
    }
    #expect(try wakeUps(bench) == 0)
    let start = bench.loop.now
    for second in 1...1_000 {
      // A moment before it is due nothing is.
      bench.loop.advance(to: start + UInt64(second) * 1_000_000 - 1)
      #expect(try wakeUps(bench) == 0, "before \(second) s")
      bench.loop.advance(to: start + UInt64(second) * 1_000_000)
      try bench.turn()
      #expect(client.pending().compactMap(\.idle).count == 1, "at \(second) s")
    }
    bench.loop.advance(to: start + 86_400_000_000)
    #expect(try wakeUps(bench) == 0)
  }
}
