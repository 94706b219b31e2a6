import Wire
import Layout
import Routing
import Testing
import TouchModel

@Suite("Router: taps, exclusive views, stalled clients, secure views")
struct RouterTouchRuleTests {
  /// The tap counts of the begans that a body brings.
  private func tapCounts(
    _ world: RoutingWorld, _ body: (RoutingWorld) -> Void
  ) -> [UInt16] {
    body(world)
    let counts = world.pipeline.deliveries.records.filter { $0.phase == .began }.map(\.tapCount)
    _ = world.said()
    return counts
  }

  /// One tap that takes a millisecond; its count.
  private func tap(
    _ world: RoutingWorld, _ x: Double, _ y: Double, endingAt end: Point? = nil
  ) -> UInt16? {
    tapCounts(world) { world in
      world.down(0, x, y)
      world.feed(.frame(world.device, time: world.time))
      world.now += 1000
      if let end { world.move(0, end.x, end.y) }
      world.up(0)
      world.feed(.frame(world.device, time: world.time))
    }.first
  }

  @Test(
    "taps count up within 350 ms and 45 points of the last on the same target, else from 1 (T10)")
  func tapCount() throws {
    let world = try RoutingWorld(RoutingWorld.layout())
    try world.attach(0, "home")
    #expect(tap(world, 100, 100) == 1)
    #expect(tap(world, 100, 145) == 2)
    #expect(tap(world, 130, 145) == 3)
    #expect(tap(world, 130, 191) == 1)
    world.now += 348_999
    #expect(tap(world, 130, 191) == 2)
    world.now += 349_001
    #expect(tap(world, 130, 191) == 1)
    #expect(tap(world, 130, 55) == 1)
  }

  @Test("a tap on another view, a drag and a cancelled touch are no tap before (T10)")
  func noTap() throws {
    let world = try RoutingWorld(RoutingWorld.layout())
    try world.attach(0, "home")
    #expect(tap(world, 100, 70) == 1)
    #expect(tap(world, 100, 55) == 1)
    #expect(tap(world, 200, 100, endingAt: Point(x: 246, y: 100)) == 1)
    #expect(tap(world, 246, 100) == 1)
    world.down(3, 400, 100)
    _ = world.frame()
    world.feed(.cancel(world.device, slot: 3, reason: .palm, time: world.time))
    _ = world.frame()
    #expect(tap(world, 400, 100) == 1)
  }

  @Test("two fingers that tap twice are two double taps (T10)")
  func twoFingers() throws {
    let world = try RoutingWorld(RoutingWorld.layout())
    try world.attach(0, "home")
    for expected in [[1, 1], [2, 2], [3, 3]] as [[UInt16]] {
      let counts = tapCounts(world) { world in
        world.down(0, 100, 100)
        world.down(1, 120, 100)
        world.feed(.frame(world.device, time: world.time))
        world.up(0)
        world.up(1)
        world.feed(.frame(world.device, time: world.time))
      }
      #expect(counts == expected)
    }
  }

  @Test("taps of different devices do not count together (T10)")
  func devices() throws {
    let world = try RoutingWorld(RoutingWorld.layout())
    try world.attach(0, "home")
    let (first, second) = (world.device, DeviceID(world.device.rawValue + 1))
    #expect(tap(world, 100, 100) == 1)
    world.device = second
    #expect(tap(world, 100, 100) == 1)
    world.device = first
    #expect(tap(world, 100, 100) == 2)
    world.device = second
    #expect(tap(world, 100, 100) == 2)
  }

  @Test("of more taps in a row than a device has fingers the oldest is forgotten (T10)")
  func manyTaps() throws {
    let world = try RoutingWorld(RoutingWorld.layout())
    try world.attach(0, "home")
    // Each too far from all others to follow one of them.
    let places = (0..<33).map { number in
      Point(x: 10 + 50 * Double(number % 11), y: 70 + 50 * Double(number / 11))
    }
    for place in places { #expect(tap(world, place.x, place.y) == 1) }
    for (number, count) in [(32, 2), (31, 2), (1, 2), (0, 1)] as [(Int, UInt16)] {
      #expect(tap(world, places[number].x, places[number].y) == count, "tap \(number)")
    }
  }

  @Test("the interval and the distance of taps are options (T10)")
  func tapOptions() throws {
    var options = RouterOptions()
    options.tapIntervalMilliseconds = 1000
    options.tapDistance = 5
    let world = try RoutingWorld(RoutingWorld.layout(), options: options)
    try world.attach(0, "home")
    #expect(tap(world, 100, 100) == 1)
    world.now += 900_000
    #expect(tap(world, 104, 100) == 2)
    #expect(tap(world, 110, 100) == 1)
  }

  @Test("a view of one touch at a time discards further ones while one lives, for their life (T13)")
  func singleTouch() throws {
    let layout = try RoutingWorld.layout { $0.windows[1].properties.multipleTouch = false }
    let world = RoutingWorld(layout)
    try world.attach(0, "nav")
    world.down(0, 1, 250)
    world.down(1, 2, 250)
    #expect(world.frame() == ["0: began 1 a1 (1, 10)"])
    world.up(0)
    world.move(1, 3, 250)
    #expect(world.frame() == ["0: ended 1 a1 (1, 10)"])
    world.down(2, 4, 250)
    #expect(world.frame() == ["0: began 3 a1 (4, 10)"])
    world.up(1)
    #expect(world.frame() == [])
    #expect(world.pipeline.router.counters[.discardedSingleTouch] == 1)
    world.down(3, 150, 350)
    #expect(world.frame().count == 1)
  }

  @Test("a touch that nobody has keeps no further one out (T13)")
  func deadTouchesDoNotCount() throws {
    let layout = try RoutingWorld.layout { $0.windows[1].properties.multipleTouch = false }
    let world = RoutingWorld(layout)
    try world.attach(0, "nav")
    world.down(0, 1, 250)
    _ = world.frame()
    world.goAway(0)
    try world.attach(1, "nav")
    world.down(1, 2, 250)
    #expect(world.frame() == ["1: began 2 a2 (2, 10)"])
  }

  @Test("where a view takes one touch and another is exclusive, the reason is its own touch (T13)")
  func twoReasons() throws {
    let world = RoutingWorld(try RoutingWorld.layout())
    try world.attach(0, "nav")
    world.down(0, 150, 350)
    world.down(1, 1, 250)
    _ = world.frame()
    let layout = try RoutingWorld.layout {
      $0.windows[1].properties.multipleTouch = false
      $0.views[2].properties.exclusiveTouch = true
    }
    world.pipeline.replaceLayout(layout, at: world.time)
    world.down(2, 2, 250)
    _ = world.frame()
    #expect(world.pipeline.router.counters[.discardedSingleTouch] == 1)
    #expect(world.pipeline.router.counters[.discardedExclusive] == 0)
  }

  @Test("an exclusive view and the others of its window keep one another out (T13)")
  func exclusive() throws {
    let layout = try RoutingWorld.layout { $0.views[2].properties.exclusiveTouch = true }
    let world = RoutingWorld(layout)
    try world.attach(0, "nav")
    try world.attach(1, "media")
    world.down(0, 150, 350)
    world.down(1, 151, 350)
    world.down(2, 1, 250)
    world.down(3, 410, 250)
    #expect(
      world.frame() == [
        "0: began 1 a1 (50, 10) | began 2 a1 (51, 10)", "1: began 4 a2 (10, 10)",
      ])
    world.up(0)
    world.up(1)
    _ = world.frame()
    world.down(4, 1, 250)
    world.down(5, 150, 350)
    #expect(world.frame() == ["0: began 5 a1 (1, 10)"])
    #expect(world.pipeline.router.counters[.discardedExclusive] == 2)
  }

  @Test(
    "a client that stalls loses its touches, and new ones fall back past it until it reads (F3, R4)"
  )
  func unresponsive() throws {
    let world = try RoutingWorld(RoutingWorld.layout())
    try world.attach(0, "home/toolbar")
    try world.attach(1, "home")
    world.down(0, 100, 20)
    world.down(1, 100, 200)
    _ = world.frame()
    world.setUnresponsive(0, true)
    #expect(world.said() == ["0: cancelled clientUnresponsive 1 a1 (100, 20)"])
    world.setUnresponsive(0, true)
    #expect(world.said() == [])
    world.move(0, 110, 20)
    #expect(world.frame() == [])
    world.down(2, 100, 20)
    #expect(world.frame() == ["1: stationary 2 a2 (100, 200) | began 3 a2 (100, 20)"])
    world.setUnresponsive(0, false)
    world.down(3, 100, 20)
    #expect(world.frame() == ["0: began 4 a1 (100, 20)"])
    #expect(world.pipeline.router.attachments.all.count == 2)
  }

  @Test("observers see who was passed over because it stalls (F3)")
  func unresponsiveObserved() throws {
    let world = try RoutingWorld(RoutingWorld.layout())
    try world.attach(0, "nav")
    world.pipeline.isObserved = true
    world.setUnresponsive(0, true)
    world.down(0, 1, 250)
    world.feed(.frame(world.device, time: world.time))
    let record = try #require(world.observations.records.first)
    #expect(world.observedChains[0].map(\.outcome) == [.unresponsive])
    #expect(record.discardReason == .unhandled)
  }

  @Test("cancelling one touch by request leaves the others (R9)")
  func cancelOne() throws {
    let world = try RoutingWorld(RoutingWorld.layout())
    try world.attach(0, "home")
    world.down(0, 1, 100)
    world.down(1, 2, 100)
    _ = world.frame()
    let isHeld = world.pipeline.cancel(TouchID(2), at: world.time)
    #expect(isHeld)
    #expect(
      world.said() == ["0: cancelled requested 2 a1 (2, 100) | stationary 1 a1 (1, 100)"])
    for touch in [TouchID(2), TouchID(9)] {
      let isHeld = world.pipeline.cancel(touch, at: world.time)
      #expect(!isHeld)
    }
    world.up(0)
    world.up(1)
    #expect(world.frame() == ["0: ended 1 a1 (1, 100)"])
  }

  @Test("an injected touch is marked for its life (F7)")
  func injected() throws {
    let world = try RoutingWorld(RoutingWorld.layout())
    try world.attach(0, "home")
    let injector = DeviceID(9)
    world.feed(
      .down(
        injector, slot: 0, screen: ScreenIndex(0), location: Point(x: 1, y: 100), time: world.time))
    world.feed(.frame(injector, time: world.time), flags: .injected)
    #expect(world.pipeline.deliveries.records.map(\.flags) == [.injected])
    _ = world.said()
    world.feed(.lost(injector, reason: .requested, time: world.time))
    #expect(world.pipeline.deliveries.records.map(\.flags) == [.injected])
    #expect(world.said() == ["0: cancelled requested 1 a1 (1, 100)"])
  }

  @Test("observers get no location of a secure view's touch, nor what within it was hit (F7)")
  func secure() throws {
    let layout = try RoutingWorld.layout { $0.views[0].properties.secure = true }
    let world = RoutingWorld(layout)
    world.pipeline.readers = SecureReaders { _ in { _ in .named } }
    try world.attach(0, "home/toolbar/back")
    world.pipeline.isObserved = true
    world.down(0, 20, 20)
    world.feed(.frame(world.device, time: world.time))
    let record = try #require(world.observations.records.first)
    #expect(record.screenLocation.x.isNaN && record.screenLocation.y.isNaN)
    #expect(record.flags == .secure)
    #expect(record.target.map { layout.path(of: $0) } == "home/toolbar")
    #expect(world.observedChains[0].isEmpty)
    #expect(world.said() == ["0: began 1 a1 (12, 12)"])
    world.down(1, 100, 200)
    world.feed(.frame(world.device, time: world.time))
    let other = try #require(world.observations.records.first)
    #expect(other.screenLocation == Point(x: 100, y: 200))
    #expect(other.flags.isEmpty)
  }

  @Test("the path of a secure view is looked up for a touch, not for each who may get it (F8, F1)")
  func lookups() throws {
    let world = RoutingWorld(try RoutingWorld.layout { $0.views[0].properties.secure = true })
    var lookups: [String] = []
    world.pipeline.readers = SecureReaders { path in
      lookups.append(path)
      return { _ in .named }
    }
    try world.attach(0, "home/toolbar/back")
    try world.attach(1, "home/toolbar@bar")
    try world.attach(2, "home/toolbar")
    try world.attach(3, "home")
    world.down(0, 20, 20)
    world.feed(.frame(world.device, time: world.time))
    #expect(world.said() == ["0: began 1 a1 (12, 12)"])
    // For the chain.
    #expect(lookups == ["home/toolbar/back"])
  }
}
