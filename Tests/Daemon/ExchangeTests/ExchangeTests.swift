import Wire
import CTouchroute
import Configuration
import DaemonSupport
import EventLoop
import Foundation
import Routing
import Server
import Testing
import TouchClient
import TouchModel

@testable import Exchange

/// The way of a touch without a touchscreen: the daemon's own wiring, in this thread, fed with
/// device events, and real clients on real sockets.
@Suite("Exchange, the way of a touch")
struct ExchangeTests {
  @Test("two fingers on two windows go to their programs and to no other (T12)")
  func windows() throws {
    let bench = try ExchangeBench()
    let left = try bench.client(attachedTo: "left")
    let right = try bench.client(attachedTo: "right")
    bench.down(0, 100, 100)
    bench.down(1, 550, 150)
    bench.frame()
    bench.move(0, 700, 100)
    bench.frame()
    bench.up(0)
    bench.up(1)
    bench.frame()
    let lefts = try bench.touches(of: left)
    let rights = try bench.touches(of: right)
    #expect(lefts.map(\.phase) == [.began, .moved, .ended])
    #expect(lefts.map(\.location.x) == [100, 700, 700])
    #expect(rights.map(\.phase) == [.began, .ended])
    #expect(rights.first?.targetPath == "right/button")
    #expect(rights.first?.location == Point(x: 50, y: 50))
    #expect(bench.exchange.pipeline.checker.violationCount == 0)
  }

  @Test("a finger aims at a view of at most 80 points that it lands on or near (N10)")
  func aims() throws {
    let bench = try ExchangeBench(
      windowsSideBySide + """
        [[view]]
        path = "left/button"
        frame = [100, 100, 60, 40]
        inside = "always"
        [[view]]
        path = "right/wide"
        frame = [0, 0, 81, 40]

        """)
    func offset(_ x: Double, _ y: Double) -> Point? {
      bench.exchange.aim(at: Point(x: x, y: y), on: ScreenIndex(0))?.offset
    }
    #expect(offset(100, 130) == Point(x: -30, y: 10))
    #expect(offset(210, 40) == Point(x: 80, y: -80))
    #expect(offset(211, 120) == nil && offset(130, 201) == nil)
    #expect(offset(410, 10) == nil)
  }

  @Test("without a client of its window, a touch falls to the application's, or to nobody (R4)")
  func fallback() throws {
    let bench = try ExchangeBench()
    let application = try bench.client(attachedTo: "app:dashboard")
    var right: DaemonClient? = try bench.client(attachedTo: "right")
    bench.down(0, 600, 300)
    bench.frame()
    #expect(try bench.touches(of: application).isEmpty)
    right = nil
    withExtendedLifetime(right) {}
    try bench.turn { bench.exchange.pipeline.router.counters[.orphaned] == 1 }
    bench.move(0, 610, 300)
    bench.up(0)
    bench.frame()
    // The touch of a client that is gone is dead (R7); the next one falls back.
    #expect(try bench.touches(of: application).isEmpty)
    bench.down(0, 600, 300)
    bench.frame()
    #expect(try bench.touches(of: application).map(\.phase) == [.began])
    #expect(bench.exchange.pipeline.router.counters[.orphaned] == 1)
  }

  @Test(
    "who stops reading loses its touches and is passed by, and gets the next once it has read (F3)")
  func unresponsive() throws {
    let bench = try ExchangeBench(time: 1_000_000)
    let application = try bench.client(attachedTo: "app:dashboard")
    let right = try bench.client(attachedTo: "right")
    bench.down(0, 600, 300)
    bench.frame()
    for _ in 0..<5 { bench.loop.advance(to: bench.loop.now + 500_000) }
    bench.down(1, 600, 310)
    bench.frame()
    #expect(try bench.touches(of: application).map(\.phase) == [.began])
    bench.up(0)
    bench.frame()
    let touches = try bench.touches(of: right)
    #expect(touches.map(\.phase) == [.began, .cancelled])
    #expect(touches.last?.cancelReason == .clientUnresponsive)
    let control = try bench.client(.control)
    _ = try control.connection.status()
    let status = try control.next(meanwhile: bench.turn) { event -> TouchClient.DaemonStatus? in
      if case .daemon(let status) = event.item { status } else { nil }
    }
    #expect(status[.unresponsive] == 1)
    bench.down(2, 600, 320)
    bench.frame()
    #expect(try bench.touches(of: application).isEmpty)
    #expect(try bench.touches(of: right).map(\.phase) == [.began])
    #expect(bench.exchange.pipeline.checker.violationCount == 0)
  }

  @Test("an unplugged device cancels its touches, once, with the reason (T7)")
  func unplugged() throws {
    let bench = try ExchangeBench()
    let left = try bench.client(attachedTo: "left")
    bench.down(0, 10, 10)
    bench.frame()
    bench.lose()
    bench.lose()
    let touches = try bench.touches(of: left)
    #expect(touches.map(\.phase) == [.began, .cancelled])
    #expect(touches.last?.cancelReason == .deviceRemoved)
  }

  @Test("an observer is told of every touch, whoever gets it, and why nobody does (F7)")
  func observer() throws {
    let bench = try ExchangeBench()
    let left = try bench.client(attachedTo: "left")
    let control = try bench.client(.control)
    _ = try control.connection.observe()
    _ = try control.next(meanwhile: bench.turn, \.completion)
    bench.down(0, 10, 10)
    bench.down(1, 600, 10)
    bench.frame()
    let observed = try control.next(meanwhile: bench.turn, \.observation)
    #expect(observed.records.map(\.targetPath) == ["left", "right"])
    #expect(observed.records.first?.chain.first?.pid == getpid())
    #expect(observed.records.last?.discardReason == .unhandled)
    #expect(try bench.touches(of: left).count == 1)
    _ = try control.connection.observe(false)
    _ = try control.next(meanwhile: bench.turn, \.completion)
    bench.up(0)
    bench.frame()
    try bench.turn()
    #expect(control.pending().isEmpty)
  }

  @Test("what an observer is told waits for more, for less than 20 ms, and no touch waits (F7)")
  func observerWaits() throws {
    let bench = try ExchangeBench(time: 1_000_000)
    let left = try bench.client(attachedTo: "left")
    let control = try bench.client(.control)
    _ = try control.connection.observe()
    _ = try control.next(meanwhile: bench.turn, \.completion)
    func observed() -> Int { control.pending().count { $0.observation != nil } }
    bench.down(0, 10, 10)
    bench.frame()
    #expect(try bench.touches(of: left).count == 1 && observed() == 0)
    bench.loop.advance(to: 1_019_000)
    #expect(observed() == 1)
    // In a turn that comes anyway, it goes out earlier.
    bench.move(0, 11, 10)
    bench.frame()
    #expect(try bench.touches(of: left).count == 1 && observed() == 0)
    bench.loop.advance(to: 1_027_500)
    bench.move(0, 12, 10)
    bench.frame()
    #expect(try bench.touches(of: left).count == 1 && observed() == 2)
    // If much waits, at once.
    var frames = 0
    var seen = 0
    while seen == 0, frames < 1_000 {
      bench.move(0, 13, Double(10 + frames % 2))
      bench.frame()
      frames += 1
      #expect(try bench.touches(of: left).count == 1)
      seen = observed()
    }
    #expect(seen == frames && (10...200).contains(frames))
    #expect(bench.loop.now == 1_027_500)
  }

  @Test("the answer to an observer comes at once, behind what the observer was to be told (F7)")
  func observerAsks() throws {
    let bench = try ExchangeBench(time: 1_000_000)
    let control = try bench.client(.control)
    _ = try control.connection.observe()
    _ = try control.next(meanwhile: bench.turn, \.completion)
    bench.down(0, 10, 10)
    bench.frame()
    let ping = try control.connection.ping()
    var seen = 0
    _ = try control.next(meanwhile: bench.turn) { event -> Bool? in
      seen += event.observation == nil ? 0 : 1
      return event == .pong(ping) ? true : nil
    }
    #expect(seen == 1 && bench.loop.now == 1_000_000)
    bench.up(0)
    bench.frame()
    bench.exchange.stop()
    #expect(
      try control.rest().compactMap(\.observation).flatMap(\.records).map(\.phase) == [.ended])
  }

  @Test("detaching cancels what lives, and the answer comes after it")
  func detach() throws {
    let bench = try ExchangeBench()
    let left = try bench.client()
    let attachment = try left.connection.attach(to: "left")
    _ = try left.next(meanwhile: bench.turn, \.geometry)
    bench.down(0, 10, 10)
    bench.frame()
    try left.connection.detach(attachment)
    var touches: [RoutedTouch] = []
    _ = try left.next(meanwhile: bench.turn) { event in
      touches += event.frame?.touches ?? []
      return event.completion
    }
    #expect(touches.map(\.phase) == [.began, .cancelled])
    #expect(touches.last?.cancelReason == .requested)
    bench.up(0)
    bench.frame()
    #expect(try bench.touches(of: left).isEmpty)
    #expect(bench.exchange.pipeline.checker.violationCount == 0)
  }

  @Test("a target that goes is named by the layout that had it (T1, R8)")
  func removedTarget() throws {
    let bench = try ExchangeBench()
    let cleaner = try bench.client()
    _ = try cleaner.connection.attach(to: "right", handles: .began)
    _ = try cleaner.connection.attach(to: "app:dashboard", handles: .cancelled)
    for _ in 0..<2 { _ = try cleaner.next(meanwhile: bench.turn, \.geometry) }
    bench.down(0, 550, 150)
    bench.frame()
    _ = bench.exchange.apply(
      try Configuration.parse([(file: "test.toml", text: windowsSideBySide)]))
    bench.exchange.endTurn()
    let touches = try bench.touches(of: cleaner)
    #expect(touches.map(\.targetPath) == ["right/button", "right/button"])
    #expect(touches.map(\.cancelReason) == [nil, .targetRemoved])
  }

  @Test("a reload keeps a touch whose target stays and cancels one whose target goes (R8)")
  func reload() throws {
    let bench = try ExchangeBench()
    let left = try bench.client(attachedTo: "left")
    let right = try bench.client(attachedTo: "right")
    bench.down(0, 10, 10)
    bench.down(1, 550, 150)
    bench.frame()
    let text = twoWindows.replacing("right/button", with: "right/knob")
      .replacing("[0, 0, 400, 480]", with: "[0, 0, 300, 480]")
    let changes = bench.exchange.apply(
      try Configuration.parse([(file: "test.toml", text: text)]))
    bench.exchange.endTurn()
    #expect(changes.contains("view \"right/button\" removed"))
    try bench.turn()
    let events = right.pending()
    let touches = events.compactMap(\.frame).flatMap(\.touches)
    #expect(touches.map(\.phase) == [.began, .cancelled])
    #expect(touches.last?.cancelReason == .targetRemoved)
    #expect(events.last?.newLayout != nil)
    #expect(try bench.touches(of: left).map(\.phase) == [.began])
    bench.up(0)
    bench.up(1)
    bench.frame()
    #expect(try bench.touches(of: left).map(\.phase) == [.ended])
    #expect(try bench.touches(of: right).isEmpty)
    #expect(bench.exchange.pipeline.checker.violationCount == 0)
  }

  @Test("while a configuration is read, who asked for that waits, and all others go on (F1)")
  func reloadBesideTheLoop() throws {
    let bench = try ExchangeBench()
    let left = try bench.client(attachedTo: "left")
    let control = try bench.client(.control)
    _ = try bench.touches(of: control)
    var answer: ((Exchange.Reload) -> Void)?
    bench.exchange.reload = { answer = $0 }
    _ = try control.connection.reload()
    _ = try control.connection.attach(to: "right/knob")
    bench.down(0, 10, 10)
    bench.frame()
    #expect(try bench.touches(of: left).map(\.phase) == [.began])
    #expect(try bench.set(left, Change("left", .hidden(true))) == nil)
    #expect(control.pending().isEmpty)

    let text = twoWindows.replacing("right/button", with: "right/knob")
    let new = try bench.prepared(text)
    var changes = ""
    bench.exchange.apply(new) { changes = $0 }
    answer?(.applied(changes))
    bench.exchange.endTurn()
    #expect(try control.next(meanwhile: bench.turn, \.completion).text == changes)
    // What it asked for behind that is carried out in the new layout.
    _ = try control.next(meanwhile: bench.turn, \.geometry)
    // What was set meanwhile holds on (L6).
    bench.down(1, 10, 20)
    bench.down(2, 550, 150)
    bench.frame()
    #expect(try !bench.touches(of: left).contains { $0.phase == .began })
    #expect(try bench.touches(of: control).map(\.targetPath) == ["right/knob"])
    #expect(bench.exchange.pipeline.checker.violationCount == 0)
  }

  @Test("who waits for a reload is answered when the daemon stops (F1)")
  func stopAmidReload() throws {
    let bench = try ExchangeBench()
    let control = try bench.client(.control)
    var answer: ((Exchange.Reload) -> Void)?
    bench.exchange.reload = { answer = $0 }
    _ = try control.connection.reload()
    try bench.turn()
    bench.exchange.stop()
    #expect(try control.next(\.failure).text.contains("the daemon stops"))
    // What comes too late is for nobody.
    answer?(.applied(""))
  }

  @Test("stopping cancels what lives, then says that it closes (R9)")
  func stop() throws {
    let bench = try ExchangeBench()
    let left = try bench.client(attachedTo: "left")
    bench.down(0, 10, 10)
    bench.frame()
    bench.exchange.stop()
    let events = try left.rest(meanwhile: bench.turn)
    let touches = events.compactMap(\.frame).flatMap(\.touches)
    #expect(touches.map(\.phase) == [.began, .cancelled])
    #expect(touches.last?.cancelReason == .stopping)
    #expect(events.compactMap(\.closing).first?.reason == .stopping)
  }

  @Test("status counts what happened, and it adds up")
  func counters() throws {
    let bench = try ExchangeBench()
    _ = try bench.client(attachedTo: "left")
    try bench.turn { bench.exchange.pipeline.router.attachments.count == 0 }
    let left = try bench.client(attachedTo: "left")
    withExtendedLifetime(left) {}
    bench.down(0, 10, 10)
    bench.down(1, 600, 10)
    bench.down(2, 900, 10)
    bench.frame()
    bench.up(0)
    bench.move(7, 1, 1)
    bench.frame()
    let control = try bench.client(.control)
    _ = try control.connection.status()
    let status = try control.next(meanwhile: bench.turn) { event -> TouchClient.DaemonStatus? in
      if case .daemon(let status) = event.item { status } else { nil }
    }
    #expect(status[.frames] == 2 && status[.began] == 3 && status[.ended] == 1)
    #expect(status[.delivered] == 1 && status[.discardedUnhandled] == 1)
    #expect(status[.discardedOutsideScreen] == 1 && status[.strayEvents] == 1)
    #expect(status[.messages] == 2 && status[.violations] == 0)
    #expect(status.latencies.reduce(0, +) == 2)
  }

  @Test("a state that no daemon can have left is not read, however large it says it is (R9)")
  func hugeState() throws {
    let file = try #require(MemoryFile.make("handover", "touchroute handover 5\n"))
    defer { close(file) }
    #expect(MemoryFile.text(of: file) == "touchroute handover 5\n")
    try #require(ftruncate(file, 1 << 46) == 0)
    #expect(MemoryFile.text(of: file) == nil)
  }
}
