import Wire
import CTouchroute
import DaemonSupport
import EventLoop
import Glibc
import Layout
import Routing
import Server
import Testing
import TouchClient
import TouchModel

@testable import Exchange

/// Declining, by real clients on the daemon's own exchange, whose time stands still.
@Suite("Exchange, declining touches")
struct DecisionTests {
  private func bench(decisionTimeout: Int = 300) throws -> ExchangeBench {
    try ExchangeBench(
      twoWindows + "[touch]\ndecision_timeout_ms = \(decisionTimeout)\n",
      time: 1_000_000)
  }

  @Test("a touch declined goes to the next responder up, whole and marked as replayed (R5)")
  func replay() throws {
    let bench = try bench()
    let button = try bench.client(attachedTo: "right/button")
    let right = try bench.client(attachedTo: "right")
    bench.down(0, 550, 150)
    bench.frame()
    bench.move(0, 560, 150)
    bench.frame()
    let began = try #require(try bench.touches(of: button).first)
    try bench.decline(began, at: "right/button", by: button)
    let replayed = try bench.touches(of: right)
    #expect(replayed.map(\.phase) == [.began, .moved])
    #expect(replayed.map(\.screenLocation.x) == [550, 560])
    #expect(replayed.allSatisfy { $0.flags == .replayed && $0.targetPath == "right/button" })
    #expect(replayed.first?.id == began.id && replayed.first?.time == began.time)
    bench.up(0)
    bench.frame()
    let ending = try bench.touches(of: right)
    #expect(ending.map(\.phase) == [.ended] && ending.first?.flags == [])
    #expect(try bench.touches(of: button).isEmpty)
    #expect(bench.exchange.pipeline.router.counters[.passedOn] == 1)
    #expect(bench.exchange.pipeline.checker.violationCount == 0)
  }

  @Test("a touch that ended is declined to its end, up to where everybody has declined it (R5)")
  func everybody() throws {
    let bench = try bench()
    let button = try bench.client(attachedTo: "right/button")
    let right = try bench.client(attachedTo: "right")
    let application = try bench.client(attachedTo: "app:dashboard")
    let control = try bench.client(.control)
    _ = try control.connection.observe()
    _ = try control.next(meanwhile: bench.turn, \.completion)
    bench.down(0, 550, 150)
    bench.frame()
    bench.up(0)
    bench.frame()
    let holders = [("right/button", button), ("right", right), ("app:dashboard", application)]
    for (path, client) in holders {
      let touches = try bench.touches(of: client)
      #expect(touches.map(\.phase) == [.began, .ended])
      try bench.decline(try #require(touches.first), at: path, by: client)
    }
    try bench.tellObservers()
    let observed = control.pending().compactMap(\.observation).flatMap(\.records)
    let counters = bench.exchange.pipeline.router.counters
    #expect(
      counters[.passedOn] == 2 && counters[.discardedDeclined] == 1 && counters[.delivered] == 1)
    #expect(bench.exchange.pipeline.router.nextDeadline == nil)
    #expect(observed.map(\.phase) == [.began, .ended, .began, .began, .began])
    #expect(observed.last?.discardReason == .declined)
    #expect(observed.last?.chain.map(\.outcome) == [.declined, .declined, .declined])
    #expect(
      bench.exchange.pipeline.checker.violationCount == 0
        && bench.exchange.pipeline.checker.openCount == 0)
  }

  @Test(
    "a decline that is late, comes twice, or is of another's touch, is counted and ignored (R5)")
  func ignored() throws {
    let bench = try bench()
    let button = try bench.client(attachedTo: "right/button")
    let right = try bench.client(attachedTo: "right")
    bench.down(0, 550, 150)
    bench.frame()
    let touch = try #require(try bench.touches(of: button).first)
    try bench.decline(touch, at: "right/button", by: right)
    try bench.turn()
    #expect(bench.exchange.pipeline.router.counters[.unknownTouches] == 1)
    try bench.decline(touch, at: "right/button", by: button)
    try bench.decline(touch, at: "right/button", by: button)
    try bench.turn()
    #expect(bench.exchange.pipeline.router.counters[.unknownTouches] == 2)
    let taken = try #require(try bench.touches(of: right).first)
    try right.connection.accept(taken.id, for: taken.attachment)
    _ = try right.connection.flush()
    try bench.decline(taken, at: "right", by: right)
    bench.up(0)
    try bench.turn()
    #expect(bench.exchange.pipeline.router.counters[.lateDeclines] == 1)
    bench.frame()
    #expect(try bench.touches(of: right).map(\.phase) == [.ended])
    #expect(bench.exchange.pipeline.checker.violationCount == 0)
  }

  @Test("with no time to decide every decline is late, and the touch stays where it is (R5)")
  func noTime() throws {
    let bench = try bench(decisionTimeout: 0)
    let button = try bench.client(attachedTo: "right/button")
    let right = try bench.client(attachedTo: "right")
    bench.down(0, 550, 150)
    bench.frame()
    let touch = try #require(try bench.touches(of: button).first)
    try bench.decline(touch, at: "right/button", by: button)
    try bench.turn()
    #expect(bench.exchange.pipeline.router.counters[.lateDeclines] == 1)
    bench.up(0)
    bench.frame()
    #expect(try bench.touches(of: button).map(\.phase) == [.ended])
    #expect(try bench.touches(of: right).isEmpty)
  }

  @Test("a finger that was lifted in time is no press, also where the daemon stood still (G15)")
  func stoodStill() throws {
    let text = "[[gesture]]\nview = \"left\"\nname = \"hold\"\nkind = \"long_press\"\n"
    let bench = try ExchangeBench(twoWindows + text, time: 1_000_000)
    let left = try bench.client()
    #expect(try bench.attach(left, "left", .gestures) == nil)
    bench.down(0, 10, 10)
    bench.frame()
    var isLifted = false
    bench.exchange.takeReports = {
      if isLifted { return }
      isLifted = true
      bench.up(0)
      bench.frame()
    }
    bench.loop.advance(to: bench.loop.now + 900_000)
    #expect(isLifted)
    try bench.turn()
    let events = left.pending()
    #expect(events.compactMap(\.frame).flatMap(\.touches).map(\.phase) == [.began, .ended])
    let told = events.contains { if case .gesture = $0 { true } else { false } }
    #expect(!told)
  }

  @Test("300 ms after began a decline is late, a microsecond before it is not (R5)")
  func timeout() throws {
    let bench = try bench()
    let button = try bench.client(attachedTo: "right/button")
    let right = try bench.client(attachedTo: "right")
    for (wait, count) in [(UInt64(299_999), UInt64(0)), (300_000, 1)] {
      bench.down(0, 550, 150)
      let began = bench.now.microseconds
      bench.frame()
      let touch = try #require(try bench.touches(of: button).first)
      bench.loop.advance(to: began + wait)
      try bench.decline(touch, at: "right/button", by: button)
      try bench.turn()
      let counters = bench.exchange.pipeline.router.counters
      #expect(counters[.lateDeclines] == count && counters[.passedOn] == 1)
      bench.catchUp()
      bench.up(0)
      bench.frame()
      _ = try bench.touches(of: button)
    }
    #expect(try bench.touches(of: right).map(\.phase) == [.began, .ended])
    #expect(bench.exchange.pipeline.checker.violationCount == 0)
  }
}

extension ExchangeBench {
  /// Lets a client decline a touch that came to a responder, its own or not.
  func decline(_ touch: RoutedTouch, at path: String, by client: DaemonClient) throws {
    let responder = try #require(exchange.pipeline.router.layout.responder(at: path))
    let holder = exchange.pipeline.router.attachments[holderOf: responder]
    let attachment = try #require(holder)
    let size = MemoryLayout<touchroute_accept>.size
    let request = touchroute_accept(
      header: touchroute_header(
        size: UInt32(size), opcode: UInt16(TOUCHROUTE_DECLINE.rawValue), flags: 0),
      serial: 1, attachment: attachment.id.rawValue, touch: touch.id.rawValue)
    let sent = withUnsafeBytes(of: request) {
      send(client.connection.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    try #require(sent == size)
  }
}
