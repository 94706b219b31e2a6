import Configuration
import DaemonSupport
import Foundation
import Layout
import Routing
import Server
import Testing
import TouchClient
import TouchModel

@testable import Exchange

@Suite("Exchange, changing views")
struct ChangesTests {
  private static let shield = """
    [[window]]
    name = "shield"
    level = 100
    frame = [0, 0, 1, 1]
    hit = "self"
    hidden = true

    """

  @Test("a touch lock: while the shield is shown it gets every touch, and keeps those to their end")
  func touchLock() throws {
    let bench = try ExchangeBench(twoWindows + Self.shield)
    let left = try bench.client(attachedTo: "left")
    let shield = try bench.client(attachedTo: "shield")
    let control = try bench.client(.control)
    bench.down(0, 10, 10)
    bench.frame()
    try #require(try bench.set(control, Change("shield", .hidden(false))) == nil)
    bench.down(1, 20, 20)
    bench.move(0, 11, 10)
    bench.frame()
    #expect(try bench.touches(of: left).map(\.phase) == [.began, .moved])
    #expect(try bench.touches(of: shield).map(\.phase) == [.began])
    try #require(try bench.set(shield, Change("shield", .hidden(true))) == nil)
    bench.move(1, 30, 20)
    bench.down(2, 40, 40)
    bench.frame()
    bench.up(0)
    bench.up(1)
    bench.up(2)
    bench.frame()
    #expect(try bench.touches(of: shield).map(\.phase) == [.moved, .ended])
    let lefts = try bench.touches(of: left)
    #expect(lefts.filter { $0.phase == .began }.map(\.screenLocation.x) == [40])
    #expect(lefts.filter { $0.phase == .ended }.count == 2)
    #expect(bench.exchange.pipeline.checker.violationCount == 0)
  }

  @Test("locations are converted with the layout in force, which is told before them (T9, R8)")
  func liveTouches() throws {
    let bench = try ExchangeBench()
    let right = try bench.client(attachedTo: "right")
    let control = try bench.client(.control)
    bench.down(0, 550, 150)
    bench.frame()
    _ = try bench.touches(of: right)
    let moved = Change("right/button", .frame(Rect(x: 50, y: 60, width: 10, height: 10)))
    let other = Change("right", .boundsOrigin(Point(x: 0, y: 1000)))
    try #require(try bench.set(control, moved, other) == nil)
    bench.move(0, 560, 150)
    bench.frame()
    try bench.turn()
    let events = right.pending()
    #expect(events.first?.newLayout?.bounds.y == 1000)
    let touch = try #require(events.compactMap(\.frame).flatMap(\.touches).first)
    #expect(touch.phase == .moved && touch.targetPath == "right/button")
    #expect(touch.location == Point(x: 560 - 450, y: 150 + 1000 - 60))
    #expect(bench.exchange.pipeline.router.generation == 2)
  }

  @Test("what is put in front takes the next touch; touches and attachments keep their views")
  func order() throws {
    let both = twoWindows.replacing("frame = [400, 0, 400, 480]", with: "")
    let bench = try ExchangeBench(both)
    let left = try bench.client(attachedTo: "left")
    let right = try bench.client(attachedTo: "right", "right/button")
    let control = try bench.client(.control)
    bench.down(0, 150, 150)
    bench.frame()
    try #require(try bench.set(control, Change("left", .order(7))) == nil)
    bench.down(1, 150, 160)
    bench.frame()
    try #require(try bench.set(control, Change("left", .order(0))) == nil)
    bench.down(2, 150, 170)
    bench.move(1, 151, 160)
    bench.frame()
    let rights = try bench.touches(of: right)
    #expect(
      rights.filter { $0.phase == .began }.map(\.targetPath) == ["right/button", "right/button"])
    #expect(try bench.touches(of: left).map(\.phase) == [.began, .moved])
    for slot in 0..<3 { bench.up(Int32(slot)) }
    bench.frame()
    #expect(try bench.touches(of: right).map(\.phase) == [.ended, .ended])
    #expect(
      bench.exchange.pipeline.checker.violationCount == 0
        && bench.exchange.pipeline.checker.openCount == 0)
  }

  @Test("a program changes what it holds and what lies in it, the control socket all (F7)")
  func rights() throws {
    let bench = try ExchangeBench(twoWindows + Self.shield)
    let right = try bench.client(attachedTo: "right")
    let application = try bench.client(attachedTo: "app:dashboard")
    let stranger = try bench.client(attachedTo: "right/button")
    let control = try bench.client(.control)
    #expect(try bench.set(right, Change("right/button", .alpha(0.5))) == nil)
    #expect(try bench.set(application, Change("left", .alpha(0.5))) == nil)
    #expect(
      try bench.set(control, Change("left", .alpha(0.6)), Change("shield", .alpha(1))) == nil)
    let held = try #require(try bench.set(application, Change("right", .hidden(true))))
    #expect(held.code == .notAllowed)
    #expect(held.text.contains("another client holds \"right\""))
    for (client, path) in [(right, "left"), (stranger, "right")] {
      let failure = try #require(
        try bench.set(client, Change("right/button", .hidden(true)), Change(path, .alpha(0))))
      #expect(failure.code == .notAllowed)
      #expect(
        failure.text == "set: change 2, alpha of \"\(path)\": this client holds neither "
          + "that nor what it lies in, and no rule names it; attach first, or use the "
          + "control socket")
    }
    let button = try #require(bench.exchange.pipeline.router.layout.view(at: "right/button"))
    #expect(!bench.exchange.pipeline.router.layout[button].isHidden)
  }

  @Test("a batch with a mistake changes nothing and says which change, property and value (L6)")
  func mistakes() throws {
    let bench = try ExchangeBench()
    let control = try bench.client(.control)
    let good = Change("left", .hidden(true))
    for (mistake, code, words) in [
      (
        Change("left", .alpha(2)), RequestFailure.Code.invalid,
        "alpha of \"left\": 2.0 is not from 0 to 1"
      ),
      (
        Change("lefd", .alpha(1)), .noResponder,
        "alpha of \"lefd\": no window or view is named \"lefd\"; the nearest is \"left\""
      ),
      (
        Change("app:dashboard", .alpha(1)), .noResponder,
        "alpha of \"app:dashboard\": \"app:dashboard\" is neither a window nor a view; "
          + "only these can be changed"
      ),
    ] {
      let failure = try #require(try bench.set(control, good, mistake))
      #expect(failure.code == code && failure.text == "set: change 2, " + words)
    }
    #expect(bench.exchange.pipeline.router.generation == 1)
  }

  @Test("requests in a row are one change of the layout; each has its answer, in their order (L6)")
  func answers() throws {
    let bench = try ExchangeBench()
    let control = try bench.client(.control, attachedTo: "left")
    let changes: [Change] = [
      Change("left", .frame(Rect(x: 0, y: 0, width: 300, height: 480))), Change("left", .alpha(7)),
      Change("left", .alpha(0.5)),
    ]
    let serials = try changes.map { try control.connection.set([$0]) }
    let described = try control.connection.describe("left")
    let ping = try control.connection.ping()
    var answers: [Serial] = []
    var view: DescribedView?
    var layouts = 0
    _ = try control.next(meanwhile: bench.turn) { event in
      if let done = event.completion {
        answers.append(done.serial)
        #expect(done.generation == 2)
      }
      if let failure = event.failure { answers.append(failure.serial) }
      if event.newLayout != nil { layouts += 1 }
      view = view ?? event.view
      return event == .pong(ping) ? true : nil
    }
    #expect(answers == serials + [described])
    #expect(view?.alpha == 0.5 && view?.frame.width == 300)
    #expect(layouts == 1)
  }

  @Test("what the control socket sets outlives it and a reload, until it is as configured (L6)")
  func lasting() throws {
    let bench = try ExchangeBench()
    var setter: DaemonClient? = try bench.client(.control)
    let narrow = Rect(x: 0, y: 0, width: 50, height: 480)
    try #require(try bench.set(try #require(setter), Change("left", .frame(narrow))) == nil)
    setter = nil
    try bench.turn()
    func frame() throws -> Rect {
      let layout = bench.exchange.pipeline.router.layout
      return layout[try #require(layout.view(at: "left"))].frame
    }
    #expect(try frame() == narrow)
    func reload(_ text: String) throws {
      _ = bench.exchange.apply(try Configuration.parse([(file: "test.toml", text: text)]))
    }
    try reload(twoWindows + Self.shield)
    #expect(try frame() == narrow)
    #expect(bench.exchange.pipeline.router.layout.view(at: "shield") != nil)
    let control = try bench.client(.control)
    try #require(try bench.set(control, Change("left", .configured)) == nil)
    #expect(try frame().width == 400)
    try #require(try bench.set(control, Change("left", .frame(narrow))) == nil)
    try reload(twoWindows.replacing("\"left\"", with: "\"links\""))
    try reload(twoWindows)
    #expect(try frame().width == 400)
  }
}
