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

/// What decides where touches go, as a recorder is told of it. Rule F7.
@Suite("Exchange, what recorders are told")
struct RecordedChangeTests {
  private func recorder(_ bench: ExchangeBench) throws -> DaemonClient {
    let control = try bench.client(.control)
    _ = try control.connection.observeChanges()
    return control
  }

  private func changes(
    _ client: DaemonClient, _ bench: ExchangeBench
  ) throws -> [TouchClient.ObservedChange] {
    try bench.tellObservers()
    return client.pending().compactMap {
      if case .observedChange(let change) = $0 { change } else { nil }
    }
  }

  @Test("a recorder is told first what is so: the layout, and who holds what (F7)")
  func present() throws {
    let bench = try ExchangeBench(twoWindows, time: 1_000_000)
    let right = try bench.client()
    _ = try right.connection.attach(to: "right", handles: [.began, .moved], passes: [.began])
    _ = try right.next(meanwhile: bench.turn, \.geometry)
    let control = try recorder(bench)
    var told: [TouchClient.ObservedChange] = []
    _ = try control.next(meanwhile: bench.turn) { event -> Completion? in
      if case .observedChange(let change) = event { told.append(change) }
      return event.completion
    }
    #expect(told.map(\.kind) == [.layout, .attached])
    let attached = try #require(told.last)
    #expect(attached.path == "right" && attached.pid == getpid() && attached.name == "test")
    #expect(attached.handles == [.began, .moved] && attached.passes == [.began])
    #expect(!attached.handlesGestures && attached.time.microseconds == 1_000_000)
  }

  @Test("a recorder is told of layouts, attachments, decisions and ends, in their order (F7, R5)")
  func order() throws {
    let bench = try ExchangeBench(twoWindows, time: 1_000_000)
    let control = try recorder(bench)
    _ = try control.next(meanwhile: bench.turn, \.completion)
    let button = try bench.client(attachedTo: "right/button")
    let right = try bench.client(attachedTo: "right")
    bench.down(0, 550, 150)
    bench.frame()
    let began = try #require(try bench.touches(of: button).first)
    try bench.decline(began, at: "right/button", by: button)
    let replayed = try #require(try bench.touches(of: right).first)
    try right.connection.accept(replayed.id, for: replayed.attachment)
    _ = try right.connection.flush()
    try bench.turn()
    _ = try control.connection.set([ViewChange("right/button", .hidden(true))])
    try bench.turn()
    let told = try changes(control, bench)
    #expect(told.map(\.kind) == [.attached, .attached, .declined, .accepted, .layout])
    #expect(told.map(\.path) == ["right/button", "right", "", "", ""])
    #expect(told[2].value == began.id.rawValue && told[2].attachment == told[0].attachment)
    #expect(told[3].value == began.id.rawValue && told[3].client == told[1].client)
  }

  @Test("who observes touches alone is told of no changes (F7)")
  func touchesAlone() throws {
    let bench = try ExchangeBench(twoWindows, time: 1_000_000)
    let control = try bench.client(.control)
    _ = try control.connection.observe()
    _ = try control.next(meanwhile: bench.turn, \.completion)
    let right = try bench.client(attachedTo: "right")
    bench.down(0, 600, 300)
    bench.frame()
    #expect(try bench.touches(of: right).count == 1)
    #expect(try changes(control, bench).isEmpty)
  }

  @Test("what a recorder does not read is dropped and counted, and it stays connected (F1, F7)")
  func slow() throws {
    let bench = try ExchangeBench(twoWindows, time: 1_000_000)
    let right = try bench.client(attachedTo: "right")
    let control = try recorder(bench)
    _ = try control.next(meanwhile: bench.turn, \.completion)
    // All ten move, so that fewer frames fill what is kept for a recorder.
    let fingers: Range<Int32> = 0..<10
    for finger in fingers { bench.down(finger, 600, 300 + Double(finger)) }
    bench.frame()
    let frames = 4000
    for number in 0..<frames {
      for finger in fingers { bench.move(finger, 600 + Double(number % 2), 300 + Double(finger)) }
      bench.frame()
      _ = try bench.touches(of: right)
    }
    // It reads at last.
    var seen = 0
    for _ in 0..<3000 {
      guard seen < frames else { break }
      try bench.turn()
      let events = control.pending()
      if events.isEmpty { break }
      seen += events.count { $0.observation?.records.first?.phase == .moved }
    }
    for finger in fingers { bench.up(finger) }
    bench.frame()
    var lost: UInt64 = 0
    _ = try control.next(meanwhile: bench.tellObservers) { event -> Bool? in
      seen += event.observation?.records.first?.phase == .moved ? 1 : 0
      if case .observedChange(let change) = event, change.kind == .lost { lost += change.value }
      return event.observation?.records.first?.phase == .ended ? true : nil
    }
    #expect(lost > 0 && Int(lost) + seen == frames, "\(lost) lost, \(seen) seen")
    #expect(try bench.touches(of: right).last?.phase == .ended)
    #expect(bench.exchange.pipeline.checker.violationCount == 0)
  }
}
