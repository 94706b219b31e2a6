import Configuration
import DaemonSupport
import EventLoop
import Glibc
import Layout
import Routing
import Server
import TestSupport
import Testing
import TouchClient
import TouchModel

@testable import Exchange

/// Every change of a view here is made by a thread, as one of a large layout is.
@Suite("Changes of the layout beside the loop")
struct BesideTests {
  private let bench: ExchangeBench
  private let program: DaemonClient
  private let list: TouchClient.AttachmentID

  init() throws {
    bench = try ExchangeBench(ExchangeBench.list, quickMicroseconds: 0)
    program = try bench.client()
    list = try program.connection.attach(to: "left/list")
    _ = try program.next(meanwhile: bench.turn, \.geometry)
  }

  private static func row(_ number: Int) -> Subview {
    Subview("row\(number)", frame: Rect(x: 0, y: 40 * Double(number), width: 400, height: 40))
  }

  /// Lets the daemon begin what was asked for, and no more.
  private func begin() throws {
    for _ in 0..<3000 {
      guard !bench.exchange.isChanging else { break }
      _ = try bench.loop.runTurn(timeoutMicroseconds: 1_000)
    }
    #expect(bench.exchange.isChanging)
  }

  private func answer(_ client: DaemonClient) throws -> RequestFailure? {
    try client.next(meanwhile: bench.turn) { event -> RequestFailure?? in
      event.completion != nil ? .some(nil) : event.failure.map { .some($0) }
    }
  }

  private func target(_ x: Double, _ y: Double) -> String? {
    let layout = bench.exchange.pipeline.layout
    return HitTester(layout).hitTest(Point(x: x, y: y), on: ScreenIndex(0)).map {
      layout.path(of: $0)
    }
  }

  /// The target of a touch, as the daemon finds it now.
  private func touch(_ x: Double, _ y: Double) throws -> String? {
    bench.down(0, x, y)
    bench.frame()
    bench.up(0)
    bench.frame()
    program.dispatch()
    return program.pending().compactMap(\.frame).flatMap(\.touches)
      .first { $0.phase == .began }?.targetPath
  }

  @Test("touches are answered by the old layout until a thread has made the new one (F1, L7)")
  func touches() throws {
    try program.connection.changeViews([.add(Self.row(0))], in: list)
    try begin()
    #expect(try touch(10, 110) == "left/list")
    #expect(try answer(program) == nil)
    #expect(try touch(10, 110) == "left/list/row0")
    try program.connection.changeViews([.add(Self.row(0))], in: list)
    #expect(try answer(program)?.code == .invalid)
    try program.connection.changeViews([.remove("row0")], in: list)
    #expect(try answer(program) == nil)
    #expect(try touch(10, 110) == "left/list")
    #expect(bench.exchange.pipeline.checker.violationCount == 0)
  }

  @Test("what is set while a thread makes a change waits, and is answered in order (F1, L6)")
  func order() throws {
    let other = try bench.client(.control)
    try program.connection.changeViews([.add(Self.row(0))], in: list)
    try begin()
    try other.connection.set([Change("left/list/row0", .hidden(true))])
    try other.connection.set([Change("left/list/row0", .hidden(false))])
    _ = try other.connection.attach(to: "right")
    // Its own request behind the one that is being made waits too.
    try program.connection.changeViews([.change("row0", [.alpha(0.5)])], in: list)
    #expect(try answer(program) == nil)
    #expect(try answer(other) == nil)
    #expect(try answer(other) == nil)
    _ = try other.next(meanwhile: bench.turn, \.geometry)
    #expect(try answer(program) == nil)
    #expect(target(10, 110) == "left/list/row0")
  }

  @Test("of several changes of one program none is overtaken by what it asks for behind them (F1)")
  func ownOrder() throws {
    for round in 0..<20 {
      try program.connection.set([Change("left/list", .alpha(round % 2 == 0 ? 0.5 : 1))])
      let rows = (0..<50).map { Self.row(round * 50 + $0) }
      try program.connection.changeViews(rows.map { .add($0) }, in: list)
      _ = try program.connection.ping()
      var answers: [String] = []
      while answers.count < 3 {
        let answer = try program.next(meanwhile: bench.turn) { event -> String? in
          if case .pong = event { return "pong" }
          return event.completion != nil ? "done" : event.failure?.text
        }
        answers.append(answer)
      }
      #expect(answers == ["done", "done", "pong"], "round \(round)")
    }
  }

  @Test("who adds all the time lets others have their turn after one batch (F1)")
  func fairness() throws {
    let other = try bench.client(.control)
    let rows = 6
    for number in 0..<rows {
      try program.connection.changeViews([.add(Self.row(number))], in: list)
    }
    try begin()
    try other.connection.set([Change("right", .alpha(0.5))])
    let set = try other.next(meanwhile: bench.turn, \.completion).generation
    let added = try (0..<rows).map { _ in
      try program.next(meanwhile: bench.turn, \.completion).generation
    }
    #expect(added.count { $0 > set } >= rows - 2)
    #expect(bench.exchange.pipeline.layout.viewCount == 3 + rows)
  }

  @Test("a client that dies while its batch is made takes its views along (F1, L7)")
  func death() throws {
    var client: DaemonClient? = try bench.client()
    let window = try #require(try client?.connection.attach(to: "right"))
    _ = try client?.next(meanwhile: bench.turn, \.geometry)
    try client?.connection.changeViews([.add(Self.row(0))], in: window)
    try begin()
    client = nil
    try bench.turn { bench.exchange.pipeline.router.attachments.count == 1 }
    try bench.turn { !bench.exchange.isChanging && target(410, 10) == "right" }
    #expect(target(410, 10) == "right")
    #expect(bench.exchange.pipeline.layout.view(at: "right/row0") == nil)
    try program.connection.changeViews([.add(Self.row(0))], in: list)
    #expect(try answer(program) == nil)
  }

  @Test("what was set through an attachment that ends meanwhile is taken back behind it (L6, F1)")
  func ends() throws {
    let control = try bench.client(.control)
    try program.connection.set([Change("left/list", .hidden(true))])
    #expect(try answer(program) == nil)
    try control.connection.set([Change("right", .alpha(0.5))])
    try begin()
    _ = try control.connection.attach(to: "left/list", options: .takeOver)
    _ = try program.next(meanwhile: bench.turn, \.detachment)
    _ = try control.next(meanwhile: bench.turn, \.geometry)
    try bench.turn { !bench.exchange.isChanging }
    #expect(target(10, 110) == "left/list")
    #expect(
      bench.exchange.pipeline.layout.view(at: "right").map {
        bench.exchange.pipeline.layout[$0].alpha
      }
        == 0.5)
  }

  @Test("a reload waits for a change that is being made, and keeps what it has added (F1, L7)")
  func reload() throws {
    try program.connection.changeViews([.add(Self.row(0))], in: list)
    try begin()
    let text = ExchangeBench.list + "[[view]]\npath = \"right/late\"\nframe = [0, 0, 10, 10]\n"
    let new = try bench.prepared(text)
    var words: String?
    bench.exchange.apply(new) { words = $0 }
    #expect(words == nil)
    #expect(bench.exchange.pipeline.layout.view(at: "right/late") == nil)
    #expect(try answer(program) == nil)
    try bench.turn { words != nil }
    #expect(words?.contains("\"right/late\"") == true)
    #expect(target(10, 110) == "left/list/row0")
    #expect(target(405, 5) == "right/late")
    try bench.turn { !bench.exchange.isChanging }
    #expect(bench.exchange.pipeline.layout.view(at: "left/list/row0") != nil)
  }

  @Test("touchscreens follow other screens in the turn in which these are in force (F1, T11)")
  func configured() throws {
    var screens: [String] = []
    bench.exchange.configured = { screens = $0.layout.screens.map(\.name) }
    let text = ExchangeBench.list + "[screen.side]\nsize = [10, 10]\n"
    let new = try bench.prepared(text)
    var isDone = false
    bench.exchange.apply(new) { _ in isDone = true }
    for _ in 0..<3000 {
      guard !isDone else { break }
      _ = try bench.loop.runTurn(timeoutMicroseconds: 1_000)
      let inForce = bench.exchange.pipeline.layout.screens.map(\.name)
      #expect(screens == (inForce.count > 1 ? inForce : []))
    }
    #expect(isDone && screens == ["panel", "side"])
  }

  @Test("recognizers that are added and changed meanwhile wait for the views (F1, G1)")
  func recognizers() throws {
    let steps: [ViewStep] = [.add(Self.row(0))]
    try program.connection.changeViews(steps, in: list)
    try program.connection.set([Change("left/list", .alpha(0.9))])
    #expect(try answer(program) == nil)
    #expect(try answer(program) == nil)
    #expect(bench.exchange.pipeline.layout.view(at: "left/list/row0") != nil)
  }

  @Test("who waits for a change when the daemon stops is answered: it is in force (F1, R9)")
  func stop() throws {
    try program.connection.changeViews([.add(Self.row(0))], in: list)
    try begin()
    bench.exchange.stop()
    #expect(!bench.exchange.isChanging)
    #expect(bench.exchange.pipeline.layout.view(at: "left/list/row0") != nil)
    program.dispatch()
    #expect(program.pending().contains { $0.completion != nil })
  }

  @Test("where no thread can be had, the loop makes the change (F1)")
  func withoutThreads() async {
    await #expect(processExitsWith: .success) {
      let tests = try BesideTests()
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      // No descriptor is left for the pipe of a thread.
      limit.rlim_cur = 3
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      try tests.program.connection.changeViews(
        [.add(BesideTests.row(0)), .add(BesideTests.row(1))], in: tests.list)
      try tests.program.connection.set([Change("left/list/row1", .hidden(true))])
      guard try tests.answer(tests.program) == nil, try tests.answer(tests.program) == nil,
        !tests.bench.exchange.isChanging, tests.target(10, 110) == "left/list/row0",
        tests.target(10, 150) == "left/list"
      else { exit(1) }
      exit(0)
    }
  }
}
