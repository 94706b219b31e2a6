import Wire
import Layout
import Routing
import Testing
import TouchModel

@Suite("Router")
struct RouterTests {
  @Test("a tap reaches the client of the view that was hit, in the view's coordinates (H1, T9)")
  func tap() throws {
    let world = try RoutingWorld(RoutingWorld.layout())
    try world.attach(0, "home")
    try world.attach(1, "nav/map")
    #expect(world.tap(150, 350) == ["1: began 1 a2 (50, 10)", "1: ended 1 a2 (50, 10)"])
    #expect(world.tap(500, 100) == ["0: began 2 a1 (500, 100)", "0: ended 2 a1 (500, 100)"])
  }

  @Test("a record bears the window's and the screen's location, and the one before (T1, T9)")
  func locations() throws {
    let world = try RoutingWorld(RoutingWorld.layout())
    try world.attach(0, "nav/map")
    world.down(0, 150, 350)
    _ = world.frame()
    world.move(0, 160, 355)
    world.feed(.frame(world.device, time: world.time))
    let record = try #require(world.pipeline.deliveries.records.first)
    #expect(record.location == Point(x: 60, y: 15))
    #expect(record.previousLocation == Point(x: 50, y: 10))
    #expect(record.windowLocation == Point(x: 160, y: 115))
    #expect(record.screenLocation == Point(x: 160, y: 355))
    #expect(record.targetIndex == 0)
    #expect(record.time == world.time)
  }

  @Test("a drag stays with the view it began in, wherever it goes (H1, T8)")
  func drag() throws {
    let world = try RoutingWorld(RoutingWorld.layout())
    try world.attach(0, "home")
    try world.attach(1, "nav")
    world.down(0, 10, 230)
    #expect(world.frame() == ["0: began 1 a1 (10, 230)"])
    world.move(0, 10, 300)
    #expect(world.frame() == ["0: moved 1 a1 (10, 300)"])
    world.move(0, -50, 9000)
    #expect(world.frame() == ["0: moved 1 a1 (-50, 9000)"])
    world.up(0)
    #expect(world.frame() == ["0: ended 1 a1 (-50, 9000)"])
  }

  @Test("fingers on two windows go to two clients, and each hears of its own alone (T12, T2)")
  func twoWindows() throws {
    let world = try RoutingWorld(RoutingWorld.layout())
    try world.attach(0, "nav")
    try world.attach(1, "media")
    world.down(0, 10, 250)
    world.down(1, 410, 250)
    #expect(world.frame() == ["0: began 1 a1 (10, 10)", "1: began 2 a2 (10, 10)"])
    world.move(1, 420, 250)
    #expect(world.frame() == ["1: moved 2 a2 (20, 10)"])
    world.move(0, 20, 250)
    world.up(1)
    #expect(world.frame() == ["0: moved 1 a1 (20, 10)", "1: ended 2 a2 (20, 10)"])
  }

  @Test("a client's message has all its live touches: lifts, moves and rests, begans (T2, T3)")
  func oneMessage() throws {
    let world = try RoutingWorld(RoutingWorld.layout())
    try world.attach(0, "home")
    for slot in 0..<4 { world.down(Int32(slot), Double(100 + slot), 100) }
    _ = world.frame()
    world.down(9, 200, 100)
    world.move(3, 7, 100)
    world.up(2)
    #expect(
      world.frame() == [
        "0: ended 3 a1 (102, 100) | stationary 1 a1 (100, 100) | stationary 2 a1 (101, 100)"
          + " | moved 4 a1 (7, 100) | began 5 a1 (200, 100)"
      ])
  }

  @Test("devices are apart: a message holds the touches of one (T2, T12)")
  func twoDevices() throws {
    let world = try RoutingWorld(RoutingWorld.layout())
    try world.attach(0, "home")
    world.down(0, 1, 1)
    _ = world.frame()
    let other = DeviceID(2)
    world.feed(
      .down(other, slot: 0, screen: ScreenIndex(0), location: Point(x: 2, y: 2), time: world.time))
    world.feed(.frame(other, time: world.time))
    #expect(world.said() == ["0: began 2 a1 (2, 2)"])
    world.feed(.lost(other, reason: .suspended, time: world.time))
    #expect(world.said() == ["0: cancelled suspended 2 a1 (2, 2)"])
  }

  @Test(
    "the chain goes from the view to its controller, its superviews and the application (R1, R4)")
  func fallback() throws {
    let world = try RoutingWorld(RoutingWorld.layout())
    try world.attach(0, "app:dashboard")
    #expect(world.tap(20, 20) == ["0: began 1 a1 (12, 12)", "0: ended 1 a1 (12, 12)"])
    try world.attach(1, "home")
    #expect(world.tap(20, 20) == ["1: began 2 a2 (12, 12)", "1: ended 2 a2 (12, 12)"])
    try world.attach(2, "home/toolbar@bar")
    #expect(world.tap(20, 20) == ["2: began 3 a3 (12, 12)", "2: ended 3 a3 (12, 12)"])
    try world.attach(3, "home/toolbar")
    #expect(world.tap(20, 20) == ["3: began 4 a4 (12, 12)", "3: ended 4 a4 (12, 12)"])
    try world.attach(4, "home/toolbar/back")
    #expect(world.tap(20, 20) == ["4: began 5 a5 (12, 12)", "4: ended 5 a5 (12, 12)"])
  }

  @Test("the target is counted among the views of the responder that gets the touch (T1)")
  func targetIndex() throws {
    let layout = try RoutingWorld.layout()
    let world = RoutingWorld(layout)
    let paths = ["app:dashboard", "home", "home/toolbar@bar", "home/toolbar", "home/toolbar/back"]
    for (client, path) in paths.enumerated() {
      try world.attach(UInt32(client), path)
      world.down(0, 20, 20)
      world.feed(.frame(world.device, time: world.time))
      let record = try #require(world.pipeline.deliveries.records.first)
      let responder = try #require(layout.responder(at: path))
      #expect(layout.view(at: record.targetIndex, in: responder) == record.target)
      #expect(layout.path(of: record.target) == "home/toolbar/back")
      world.up(0)
      _ = world.frame()
    }
  }

  @Test("each phase goes to those that handle it, up to the first that does not pass it (R3, R4)")
  func phases() throws {
    let world = try RoutingWorld(RoutingWorld.layout())
    try world.attach(0, "home/toolbar/back", handles: [.began, .moved], passes: [.began])
    try world.attach(1, "home/toolbar", handles: [.began, .ended])
    try world.attach(2, "home")
    world.down(0, 20, 20)
    #expect(world.frame() == ["0: began 1 a1 (12, 12)", "1: began 1 a2 (12, 12)"])
    world.move(0, 21, 20)
    #expect(world.frame() == ["0: moved 1 a1 (13, 12)"])
    world.feed(
      .cancel(world.device, slot: 0, reason: .palm, time: world.time))
    #expect(world.frame() == ["2: cancelled palm 1 a3 (13, 12)"])
    #expect(world.tap(20, 20).last == "1: ended 2 a2 (12, 12)")
  }

  @Test("a client with two responders of a chain hears through both, in one message (R3, T2)")
  func twoAttachments() throws {
    let world = try RoutingWorld(RoutingWorld.layout())
    try world.attach(0, "home/toolbar", passes: .all)
    try world.attach(0, "home")
    #expect(
      world.tap(100, 20) == [
        "0: began 1 a1 (100, 20) | began 1 a2 (100, 20)",
        "0: ended 1 a1 (100, 20) | ended 1 a2 (100, 20)",
      ])
  }

  @Test("where nobody handles began, nobody gets anything, and it is counted (R4)")
  func unhandled() throws {
    let world = try RoutingWorld(RoutingWorld.layout())
    try world.attach(0, "nav", handles: [.moved, .ended])
    world.down(0, 10, 250)
    #expect(world.frame() == [])
    world.move(0, 12, 250)
    world.up(0)
    #expect(world.frame() == [])
    #expect(world.tap(410, 250) == [])
    #expect(world.pipeline.router.counters[.discardedUnhandled] == 2)
    #expect(world.pipeline.router.counters[.delivered] == 0)
  }

  @Test("a touch falls to those above and never to what lies beneath (R4, H7)")
  func neverBeneath() throws {
    let layout = try RoutingWorld.layout { description in
      var cover = description.windows[1]
      cover.name = "cover"
      cover.level = 1
      description.windows.append(cover)
    }
    let world = RoutingWorld(layout)
    try world.attach(0, "nav")
    #expect(world.tap(10, 250) == [])
    #expect(world.pipeline.router.counters[.discardedUnhandled] == 1)
  }

  @Test("a touch in no window is discarded for its life and adopts no other's target (H7)")
  func noWindow() throws {
    let world = try RoutingWorld(RoutingWorld.layout())
    try world.attach(0, "media")
    world.down(0, 410, 250)
    _ = world.frame()
    world.down(1, 410, 470)
    #expect(world.frame() == [])
    world.move(1, 410, 250)
    #expect(world.frame() == [])
    world.up(1)
    #expect(world.frame() == [])
    #expect(world.pipeline.router.counters[.discardedNoWindow] == 1)
  }

  @Test("a touch that begins outside the screen is discarded for its life (T8)")
  func outsideScreen() throws {
    let world = try RoutingWorld(RoutingWorld.layout())
    try world.attach(0, "home")
    for point in [(-0.001, 5.0), (800, 5), (5, -1), (5, 480), (Double.nan, 5)] {
      #expect(world.tap(point.0, point.1) == [])
    }
    #expect(world.pipeline.router.counters[.discardedOutsideScreen] == 5)
    #expect(world.tap(799.5, 0).count == 2)
    world.down(0, 900, 5)
    _ = world.frame()
    world.move(0, 5, 5)
    #expect(world.frame() == [])
  }

  @Test("a touch beyond the limit of live touches is discarded and counted (F5)")
  func limit() throws {
    var options = RouterOptions()
    options.maximumLiveTouches = 2
    let world = try RoutingWorld(RoutingWorld.layout(), options: options)
    try world.attach(0, "home")
    for slot in 0..<3 { world.down(Int32(slot), 100, 100) }
    #expect(world.frame() == ["0: began 1 a1 (100, 100) | began 2 a1 (100, 100)"])
    #expect(world.pipeline.router.counters[.discardedLimit] == 1)
    #expect(world.pipeline.router.liveTouchCount == 2)
    world.up(0)
    world.down(5, 1, 1)
    #expect(world.frame().count == 1)
    #expect(world.pipeline.router.counters[.discardedLimit] == 1)
  }

  @Test("cancelling all says so once, and what the fingers do further goes to nobody (R9)")
  func cancelAll() throws {
    let world = try RoutingWorld(RoutingWorld.layout())
    try world.attach(0, "home")
    try world.attach(1, "nav")
    world.down(0, 1, 1)
    world.down(1, 2, 2)
    world.down(2, 1, 250)
    _ = world.frame()
    world.pipeline.cancelAll(.stopping, at: world.time)
    #expect(
      world.said() == [
        "0: cancelled stopping 1 a1 (1, 1) | cancelled stopping 2 a1 (2, 2)",
        "1: cancelled stopping 3 a2 (1, 10)",
      ])
    world.move(0, 3, 3)
    world.up(1)
    #expect(world.frame() == [])
    #expect(world.pipeline.router.liveTouchCount == 0)
    #expect(world.pipeline.router.counters[.cancelled] == 3)
    #expect(world.pipeline.router.pendingTouchCount == 0)
    #expect(world.pipeline.checker.openCount == 0)
  }

  @Test("a frame that the router makes itself never sends the device's time back (T5)")
  func timesNeverGoBack() throws {
    let world = try RoutingWorld(RoutingWorld.layout())
    try world.attach(0, "home")
    world.down(0, 1, 1)
    world.down(1, 2, 2)
    _ = world.frame()
    let soon = world.time.adding(milliseconds: 500)
    let attachment = try world.attach(1, "home/toolbar")
    world.down(2, 20, 20)
    _ = world.frame()
    try world.pipeline.detach(
      attachment.id, by: RoutingWorld.client(1), at: soon)
    world.move(0, 9, 9)
    #expect(world.frame().count == 2)
    #expect(world.pipeline.checker.violationCount == 0)
  }
}
