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

/// Programs that wait for a responder, on real sockets.
@Suite("Exchange, programs that wait for their place")
struct WaitingTests {
  /// Attaches a client that waits where it must; what it is told.
  private func attach(
    _ client: DaemonClient, to path: String, _ bench: ExchangeBench
  ) throws -> TouchEvent {
    _ = try client.connection.attach(to: path, options: .wait)
    return try client.next(meanwhile: bench.turn) { event in
      event.geometry == nil && event.waiting == nil && event.failure == nil ? nil : event
    }
  }

  private func apply(_ text: String, _ bench: ExchangeBench) throws {
    _ = bench.exchange.apply(try Configuration.parse([(file: "test.toml", text: text)]))
    bench.exchange.endTurn()
  }

  @Test("who waits is told who holds its responder, and is attached once that is gone (R2)")
  func upgrade() throws {
    let bench = try ExchangeBench()
    var old: DaemonClient? = try bench.client(attachedTo: "left")
    let new = try bench.client()
    let waiting = try #require(try attach(new, to: "left", bench).waiting)
    #expect(waiting.reason == nil)
    #expect(waiting.text.hasPrefix("\"left\" is held by "))
    bench.down(0, 100, 100)
    bench.frame()
    bench.up(0)
    bench.frame()
    #expect(try bench.touches(of: new).isEmpty)
    old = nil
    withExtendedLifetime(old) {}
    let geometry = try new.next(meanwhile: bench.turn, \.geometry)
    #expect(geometry.attachment == waiting.attachment)
    bench.down(0, 100, 100)
    bench.frame()
    #expect(try bench.touches(of: new).map(\.phase) == [.began])
    #expect(bench.exchange.pipeline.checker.violationCount == 0)
  }

  @Test("those who wait are served in the order in which they attached (R2)")
  func order() throws {
    let bench = try ExchangeBench()
    let holder = try bench.client()
    _ = try holder.connection.attach(to: "left")
    let held = try holder.next(meanwhile: bench.turn, \.geometry)
    let first = try bench.client()
    let second = try bench.client()
    let place = try #require(try attach(first, to: "left", bench).waiting)
    #expect(try attach(second, to: "left", bench).waiting != nil)
    _ = try holder.connection.detach(held.attachment)
    _ = try first.next(meanwhile: bench.turn, \.geometry)
    #expect(second.pending().isEmpty)
    _ = try first.connection.detach(place.attachment)
    _ = try second.next(meanwhile: bench.turn, \.geometry)
  }

  /// A window with so many views, and the path of each.
  private static func views(_ count: Int) -> (text: String, paths: [String]) {
    let paths = (0..<count).map { "left/v\($0)" }
    let views = paths.map { "[[view]]\npath = \"\($0)\"\nframe = [0, 0, 9, 9]\n" }
    let limits = "[limits]\nattachments = 256\nattachments_per_user = 1024\n"
    return (limits + windowsSideBySide + views.joined(), paths)
  }

  /// Attaches a client to all of them, or has it wait for them.
  private func attach(
    _ client: DaemonClient, toAll paths: [String], _ options: AttachOptions,
    _ bench: ExchangeBench
  ) throws {
    for path in paths { _ = try client.connection.attach(to: path, options: options) }
    var count = 0
    try bench.turn {
      count += client.pending().count { $0.geometry != nil || $0.waiting != nil }
      return count == paths.count
    }
    try #require(count == paths.count)
  }

  /// Turns of the loop, and what each changes of a number.
  private func steps(_ bench: ExchangeBench, of number: () -> Int) throws -> [Int] {
    var steps: [Int] = []
    var before = number()
    while try bench.loop.runTurn(timeoutMicroseconds: 1_000) {
      steps.append(number() - before)
      before = number()
    }
    return steps
  }

  @Test("however many wait, one turn serves 16 of them, and touches come in between (R2, F1, S8)")
  func manyTurns() throws {
    let (text, paths) = Self.views(250)
    let bench = try ExchangeBench(text)
    let held = { bench.exchange.pipeline.router.attachments.count }
    let right = try bench.client(attachedTo: "right")
    var holder: DaemonClient? = try bench.client()
    try attach(try #require(holder), toAll: paths, [], bench)
    let waiting = try bench.client()
    try attach(waiting, toAll: paths, .wait, bench)
    holder = nil
    withExtendedLifetime(holder) {}
    // The holder goes, and that turn serves the first.
    while held() == 251 { _ = try bench.loop.runTurn(timeoutMicroseconds: 1_000) }
    #expect(held() == 1 + 16)
    bench.down(0, 500, 10)
    bench.frame()
    #expect(held() == 1 + 16)
    right.dispatch()
    #expect(right.pending().compactMap(\.frame).count == 1)
    let steps = try steps(bench, of: held)
    #expect(steps.allSatisfy { $0 <= 16 })
    #expect(steps.reduce(0, +) == 234)
    #expect(bench.exchange.queue.places.isEmpty)
    #expect(!bench.exchange.queue.isBeingServed)
  }

  @Test("who comes while the line is being served comes behind those who wait (R2)")
  func overtaking() throws {
    let (text, paths) = Self.views(60)
    let bench = try ExchangeBench(text)
    let held = { bench.exchange.pipeline.router.attachments.count }
    var holder: DaemonClient? = try bench.client()
    try attach(try #require(holder), toAll: paths, [], bench)
    let waiting = try bench.client(name: "waiting")
    try attach(waiting, toAll: paths, .wait, bench)
    let late = try bench.client(name: "late")
    holder = nil
    withExtendedLifetime(holder) {}
    while held() == 60 { _ = try bench.loop.runTurn(timeoutMicroseconds: 1_000) }
    #expect(held() == 16)
    // Asked for while nobody has it, and somebody waits.
    _ = try late.connection.attach(to: "left/v59")
    let refusal = try late.next(meanwhile: bench.turn, \.failure)
    #expect(refusal.code == .held && refusal.text.contains("waiting"))
    #expect(held() == 60)
  }

  @Test("a request looks at 8 in line for the same, however many there are, and waits (R2, F1)")
  func looks() throws {
    let names = ["a", "b", "c", "d"]
    func text(attachments: Int, views: [String]) -> String {
      let views = views.map { "[[view]]\npath = \"right/\($0)\"\nframe = [0, 0, 9, 9]\n" }
      return "[limits]\nattachments = \(attachments)\nattachments_per_user = 1024\n" + twoWindows
        + views.joined()
    }
    let bench = try ExchangeBench(text(attachments: 256, views: names + ["gone"]))
    var holder: DaemonClient? = try bench.client(attachedTo: "left")
    let other = try bench.client(attachedTo: "right/gone")
    let waiting = try names.map { try bench.client(name: "waiting-\($0)") }
    for (client, name) in zip(waiting, names) {
      _ = try attach(client, to: "right/" + name, bench)
      let paths = Array(repeating: "left", count: 220) + Array(repeating: "right/gone", count: 20)
      try attach(client, toAll: paths, .wait, bench)
    }
    let late = try [bench.client(name: "late"), bench.client(name: "later")]
    // As many as they have by now: none of them may have another one.
    try apply(text(attachments: 1, views: names), bench)
    holder = nil
    withExtendedLifetime((holder, other)) {}
    for _ in 0..<1_000 {
      guard !bench.exchange.queue.isBeingServed else { break }
      _ = try bench.loop.runTurn(timeoutMicroseconds: 1_000)
    }
    try #require(bench.exchange.queue.isBeingServed)
    _ = try late[0].connection.attach(to: "left")
    _ = try late[1].connection.attach(to: "right/gone", options: .wait)
    let refusal = try late[0].next(meanwhile: bench.turn, \.failure)
    #expect(refusal.code == .held && refusal.text.contains("waiting-a"))
    #expect(try late[1].next(meanwhile: bench.turn, \.failure).code == .noResponder)
  }

  @Test("what comes free while the line is served is offered to all in it once more (R2)")
  func freeMeanwhile() {
    let line = AttachQueue()
    for number in 1...3 as ClosedRange<UInt32> {
      line.stand(
        AttachQueue.Place(
          id: AttachmentID(number), client: ClientID(slot: number, generation: 1),
          request: AttachRequest(path: "left")))
    }
    func serve(_ count: Int) -> [UInt32] {
      (0..<count).compactMap { _ in line.nextToServe()?.id.rawValue }
    }
    var begins = [line.beginServing()]
    #expect(serve(2) == [1, 2])
    begins.append(line.beginServing())
    #expect(serve(9) == [3, 1, 2, 3])
    #expect(!line.isBeingServed)
    begins.append(line.beginServing())
    #expect(serve(9) == [1, 2, 3])
    #expect(begins == [true, false, true], "the second while it is being served")
  }

  @Test("who gives up waiting is not served (R2)")
  func givingUp() throws {
    let bench = try ExchangeBench()
    var holder: DaemonClient? = try bench.client(attachedTo: "left")
    let client = try bench.client()
    let place = try #require(try attach(client, to: "left", bench).waiting)
    _ = try client.connection.detach(place.attachment)
    _ = try client.next(meanwhile: bench.turn, \.completion)
    holder = nil
    withExtendedLifetime(holder) {}
    try bench.turn { bench.exchange.pipeline.router.attachments.count == 0 }
    #expect(bench.exchange.pipeline.router.attachments.count == 0)
    #expect(client.pending().isEmpty)
  }

  @Test("a responder that a reload removes is its program's again once it is back (R2, R8)")
  func reload() throws {
    let bench = try ExchangeBench()
    let client = try bench.client()
    let held = try #require(try attach(client, to: "right/button", bench).geometry)
    bench.down(0, 550, 150)
    bench.frame()
    let without = try #require(twoWindows.range(of: "[[view]]"))
    try apply(String(twoWindows[..<without.lowerBound]), bench)
    let waiting = try client.next(meanwhile: bench.turn, \.waiting)
    #expect(waiting.attachment == held.attachment)
    #expect(waiting.reason == .removed)
    bench.up(0)
    bench.frame()
    try apply(twoWindows, bench)
    #expect(try client.next(meanwhile: bench.turn, \.geometry).attachment == held.attachment)
    bench.down(0, 550, 150)
    bench.frame()
    #expect(try bench.touches(of: client).map(\.phase) == [.began])
    #expect(bench.exchange.pipeline.checker.violationCount == 0)
  }

  @Test("nobody waits for itself, nor for what is not there (R2)")
  func refusals() throws {
    let bench = try ExchangeBench()
    let client = try bench.client(attachedTo: "left")
    #expect(try attach(client, to: "left", bench).failure?.code == .held)
    #expect(try attach(client, to: "lefft", bench).failure?.code == .noResponder)
  }

  @Test("who is taken over from does not wait (R2)")
  func takeOver() throws {
    let bench = try ExchangeBench()
    let client = try bench.client()
    _ = try #require(try attach(client, to: "left", bench).geometry)
    let other = try bench.client()
    #expect(try bench.attach(other, "left", .takeOver) == nil)
    #expect(try client.next(meanwhile: bench.turn, \.detachment).reason == .takenOver)
  }

  @Test("those who wait count against the limit of a user's attachments (F5)")
  func limits() throws {
    let bench = try ExchangeBench(twoWindows + "[limits]\nattachments_per_user = 2\n")
    let holder = try bench.client(attachedTo: "left")
    let client = try bench.client()
    #expect(try attach(client, to: "left", bench).waiting != nil)
    #expect(try attach(client, to: "right", bench).failure?.code == .limit)
    withExtendedLifetime(holder) {}
  }

  @Test("a place in line is charged as an attachment is, to the program that waits (F5)")
  func bytes() throws {
    let (text, paths) = Self.views(17)
    let limits = "[limits]\nbytes_per_user = 65536\n"
    let bench = try ExchangeBench(text.replacing("[limits]\n", with: limits))
    let holder = try bench.client()
    try attach(holder, toAll: Array(paths), [], bench)
    let waiting = try bench.client()
    // Two programs are charged 16384 each, an attachment 1024 and its path four times.
    var charged = 2 * 16_384 + paths.reduce(0) { $0 + 1024 + 4 * $1.utf8.count }
    for path in paths {
      charged += 1024 + 4 * path.utf8.count
      let answer = try attach(waiting, to: path, bench)
      #expect((answer.waiting != nil) == (charged <= 65_536), "\(path): \(answer)")
      if charged > 65_536 { #expect(answer.failure?.code == .limit) }
    }
    withExtendedLifetime(holder) {}
  }

  @Test("who holds as much as one client may does not stand in line besides (F5)")
  func ownLimit() throws {
    let bench = try ExchangeBench(twoWindows + "[limits]\nattachments = 1\n")
    let holder = try bench.client(attachedTo: "left")
    let client = try bench.client(attachedTo: "right")
    #expect(try attach(client, to: "left", bench).failure?.code == .limit)
    withExtendedLifetime(holder) {}
  }

  @Test("who would wait is refused once the numbers for attachments are used up (F1, F5)")
  func numbersUsedUp() throws {
    let bench = try ExchangeBench()
    let holder = try bench.client(attachedTo: "left")
    bench.exchange.update { $0.numbers.attachment = .max }
    let refused = try attach(try bench.client(), to: "left", bench).failure
    #expect(refused?.text.hasPrefix("the numbers for attachments are used up") == true)
    withExtendedLifetime(holder) {}
  }
}
