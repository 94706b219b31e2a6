import DaemonSupport
import Foundation
import Routing
import Server
import Testing
import TouchClient
import TouchModel

@testable import Exchange

@Suite("Exchange, injected touches")
struct InjectTests {
  @Test("injected fingers are routed like real ones, marked, on a touchscreen of their own (F7)")
  func routed() throws {
    let bench = try ExchangeBench()
    let right = try bench.client(attachedTo: "right")
    let control = try bench.client(.control)
    let other = try bench.client(.control)
    bench.down(0, 600, 300)
    bench.frame()
    #expect(try bench.inject(control, Contact(slot: 0, .began(Point(x: 550, y: 150)))) == nil)
    #expect(try bench.inject(other, Contact(slot: 0, .began(Point(x: 560, y: 150)))) == nil)
    #expect(try bench.inject(control, Contact(slot: 0, .moved(Point(x: 551, y: 150)))) == nil)
    #expect(try bench.inject(control, Contact(slot: 0, .ended)) == nil)
    bench.up(0)
    bench.frame()
    try bench.turn()
    let frames = right.pending().compactMap(\.frame)
    let touches = frames.flatMap(\.touches)
    #expect(touches.map(\.phase) == [.began, .began, .began, .moved, .ended, .ended])
    #expect(
      touches.map { $0.flags.contains(.injected) } == [false, true, true, true, true, false])
    #expect(touches[1].targetPath == "right/button" && touches[1].location == Point(x: 50, y: 50))
    #expect(Set(frames.map(\.device)).count == 3)
    let real = frames.filter { $0.touches.allSatisfy { !$0.flags.contains(.injected) } }
    #expect(Set(real.map(\.device)) == [DeviceID(1)])
    #expect(bench.exchange.pipeline.router.counters[.injected] == 2)
    #expect(bench.exchange.pipeline.checker.violationCount == 0)
  }

  @Test("a touchscreen is grabbed again once the last client is gone that had it ungrabbed (F7)")
  func ungrabbed() throws {
    let bench = try ExchangeBench()
    var grabbed: Set = ["/dev/input/event4"]
    bench.exchange.ungrabbing.ungrab = { device in
      guard device == DeviceID(3) else { return nil }
      return ("/dev/input/event4", grabbed.remove("/dev/input/event4") != nil)
    }
    bench.exchange.ungrabbing.grabAgain = { grabbed.insert($0) }
    func ungrab(_ client: DaemonClient, _ device: UInt32) throws -> TouchEvent {
      try client.connection.ungrab(DeviceID(device))
      return try client.next(meanwhile: bench.turn) { event -> TouchEvent? in
        event.completion != nil || event.failure != nil ? event : nil
      }
    }
    let program = try bench.client()
    #expect(try ungrab(program, 3).failure?.code == .notAllowed)
    var clients = [try bench.client(.control), try bench.client(.control)]
    #expect(try ungrab(clients[0], 7).failure?.text.contains("there is no touchscreen 7") == true)
    #expect(try ungrab(clients[0], 3).completion?.total == 1)
    #expect(try ungrab(clients[1], 3).completion?.total == 0)
    clients.removeFirst()
    try bench.turn { bench.exchange.server.clientCount == 2 }
    #expect(grabbed.isEmpty)
    clients.removeFirst()
    try bench.turn { !grabbed.isEmpty }
    #expect(grabbed == ["/dev/input/event4"])
    withExtendedLifetime(program) {}
  }

  @Test("the answer names the touchscreen, and who observes knows what became of the frame (F7)")
  func observed() throws {
    let bench = try ExchangeBench()
    let control = try bench.client(.control)
    let other = try bench.client(.control)
    try bench.inject(other, Contact(slot: 0, .began(Point(x: 550, y: 150))))
    try control.connection.observe()
    _ = try control.next(meanwhile: bench.turn, \.completion)
    try bench.inject(other, Contact(slot: 0, .ended))
    try control.connection.inject([Contact(slot: 0, .began(Point(x: 10, y: 10)))])
    var seen: [TouchClient.Observation] = []
    let answer = try control.next(meanwhile: bench.turn) { event -> Completion? in
      if let frame = event.observation { seen.append(frame) }
      return event.completion
    }
    #expect(seen.count == 2)
    let own = seen.filter { $0.device.rawValue == answer.total }
    #expect(own.flatMap(\.records).map(\.targetPath) == ["left"])
    #expect(own.first?.records.first?.discardReason == .unhandled)
  }

  @Test("who goes takes its touchscreen along: its touches are cancelled, no others (T7)")
  func gone() throws {
    let bench = try ExchangeBench()
    let left = try bench.client(attachedTo: "left")
    var control: DaemonClient? = try bench.client(.control, attachedTo: "right")
    bench.down(0, 10, 10)
    bench.frame()
    try bench.inject(
      try #require(control), Contact(slot: 0, .began(Point(x: 20, y: 20))),
      Contact(slot: 1, .began(Point(x: 500, y: 20))))
    control = nil
    try bench.turn { bench.exchange.injection.deviceCount == 0 }
    bench.up(0)
    bench.frame()
    let touches = try bench.touches(of: left)
    #expect(touches.map(\.phase) == [.began, .began, .cancelled, .ended])
    #expect(touches[2].cancelReason == .deviceRemoved && touches[2].id == touches[1].id)
    #expect(
      bench.exchange.injection.deviceCount == 0
        && bench.exchange.pipeline.router.pendingTouchCount == 0)
    #expect(
      bench.exchange.pipeline.checker.violationCount == 0
        && bench.exchange.pipeline.checker.openCount == 0)
  }

  @Test("a frame that no touchscreen could give is refused, and nothing of it happens (T6)")
  func refused() throws {
    let bench = try ExchangeBench()
    let left = try bench.client(attachedTo: "left")
    let control = try bench.client(.control)
    let failure = try #require(
      try bench.inject(
        control, Contact(slot: 0, .began(Point(x: 10, y: 10))), Contact(slot: 1, .ended)))
    #expect(failure.code == .invalid)
    #expect(failure.text == "inject: slot 1 is not down, and so can't be ended")
    #expect(try bench.touches(of: left).isEmpty)
    let screen = try bench.inject(control, Contact(.began(.zero)), screen: 7)
    #expect(screen?.text == "inject: there is no screen 7; there are 1")
  }

  @Test("cancel ends a touch for everybody, or all, and says how many (R9)")
  func cancel() throws {
    let bench = try ExchangeBench()
    let left = try bench.client(attachedTo: "left")
    let control = try bench.client(.control)
    for slot in Int32(0)..<3 { bench.down(slot, 10 * Double(slot + 1), 10) }
    bench.frame()
    let began = try bench.touches(of: left)
    try control.connection.cancel(began[1].id)
    #expect(try control.next(meanwhile: bench.turn, \.completion).total == 1)
    let first = try bench.touches(of: left).filter { $0.phase == .cancelled }
    #expect(first.map(\.id) == [began[1].id] && first[0].cancelReason == .requested)
    try control.connection.cancel(began[1].id)
    let failure = try control.next(meanwhile: bench.turn, \.failure)
    #expect(
      failure.text.hasPrefix(
        "cancel: no program has touch \(began[1].id.rawValue), it may be over; "))
    try control.connection.cancel(nil)
    #expect(try control.next(meanwhile: bench.turn, \.completion).total == 2)
    #expect(try bench.touches(of: left).count { $0.phase == .cancelled } == 2)
    for slot in Int32(0)..<3 { bench.up(slot) }
    bench.frame()
    #expect(try bench.touches(of: left).isEmpty)
    #expect(bench.exchange.pipeline.checker.violationCount == 0)
  }
}
