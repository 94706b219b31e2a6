import Wire
import Layout
import Routing
import Testing
import TouchModel

@Suite("Router: keeping and declining touches")
struct RouterDecisionTests {
  /// The toolbar's client is 0, home's 1, the dashboard's 2.
  private func world(
    passing passes: TouchPhases = [], _ change: (inout RouterOptions) -> Void = { _ in }
  ) throws -> RoutingWorld {
    var options = RouterOptions()
    change(&options)
    let world = try RoutingWorld(RoutingWorld.layout(), options: options)
    try world.attach(0, "home/toolbar", passes: passes)
    try world.attach(1, "home")
    try world.attach(2, "app:dashboard")
    return world
  }

  @Test("a touch declined at once goes to the next responder up, as it began (R5)")
  func declineAtOnce() throws {
    let world = try world()
    world.down(0, 100, 20)
    #expect(world.frame() == ["0: began 1 a1 (100, 20)"])
    #expect(world.decline(1, through: 1, by: 0) == ["1: began replayed 1 a2 (100, 20)"])
    world.move(0, 110, 20)
    #expect(world.frame() == ["1: moved 1 a2 (110, 20)"])
    world.up(0)
    #expect(world.frame() == ["1: ended 1 a2 (110, 20)"])
    #expect(world.pipeline.router.counters[.passedOn] == 1)
  }

  @Test("began keeps its time and place, and the moves come after it one by one (R5)")
  func replay() throws {
    let world = try world()
    world.down(0, 100, 20)
    _ = world.frame()
    world.move(0, 110, 20)
    _ = world.frame()
    world.move(0, 120, 20)
    _ = world.frame()
    world.pipeline.decline(
      TouchID(1), through: AttachmentID(1), by: RoutingWorld.client(0),
      at: world.time)
    let records = world.pipeline.deliveries.records
    #expect(records.map(\.phase) == [.began, .moved, .moved])
    #expect(records.map(\.time.microseconds) == [0, 1000, 2000])
    #expect(records.map(\.location.x) == [100, 110, 120])
    #expect(records.map(\.previousLocation.x) == [100, 100, 110])
    #expect(records.map(\.windowLocation.x) == [100, 110, 120])
    #expect(records.allSatisfy { $0.flags == .replayed })
    let times = world.pipeline.deliveries.entries.map { entry in
      if case .frame(let frame) = entry { frame.time.microseconds } else { UInt64(0) }
    }
    #expect(times == [3000, 3000, 3000])
    #expect(world.said().count == 3)
  }

  @Test("a touch that ended before it is declined is replayed to its end (R5)")
  func declineAfterEnd() throws {
    let world = try world()
    #expect(world.tap(100, 20).count == 2)
    #expect(world.pipeline.router.liveTouchCount == 0)
    #expect(
      world.decline(1, through: 1, by: 0) == [
        "1: began replayed 1 a2 (100, 20)", "1: ended replayed 1 a2 (100, 20)",
      ])
    #expect(
      world.decline(1, through: 2, by: 1) == [
        "2: began replayed 1 a3 (100, 20)", "2: ended replayed 1 a3 (100, 20)",
      ])
    #expect(world.decline(1, through: 3, by: 2) == [])
    #expect(world.pipeline.router.counters[.discardedDeclined] == 1)
    #expect(world.pipeline.router.counters[.ended] == 1)
    #expect(world.pipeline.router.nextDeadline == nil)
    #expect(world.decline(1, through: 3, by: 2) == [])
    #expect(world.pipeline.router.counters[.unknownTouches] == 1)
  }

  @Test(
    "where everybody declines the touch is discarded, and never falls to what lies beneath (R5)")
  func everybodyDeclines() throws {
    let world = try world()
    world.down(0, 100, 20)
    _ = world.frame()
    #expect(world.decline(1, through: 1, by: 0).count == 1)
    #expect(world.decline(1, through: 2, by: 1) == ["2: began replayed 1 a3 (100, 20)"])
    #expect(world.decline(1, through: 3, by: 2) == [])
    world.move(0, 110, 20)
    #expect(world.frame() == [])
    #expect(world.pipeline.router.liveTouchCount == 0)
    world.up(0)
    #expect(world.frame() == [])
    let counters = world.pipeline.router.counters
    #expect(counters[.discardedDeclined] == 1)
    #expect(counters[.delivered] == 1)
    #expect(counters[.ended] == 1)
    #expect(world.pipeline.checker.openCount == 0)
  }

  @Test("who has accepted can't decline any more (R5)")
  func accepted() throws {
    let world = try world()
    world.down(0, 100, 20)
    _ = world.frame()
    world.accept(1, through: 1, by: 0)
    #expect(world.pipeline.router.nextDeadline == nil)
    #expect(world.decline(1, through: 1, by: 0) == [])
    #expect(world.pipeline.router.counters[.lateDeclines] == 1)
    world.up(0)
    #expect(world.frame() == ["0: ended 1 a1 (100, 20)"])
    world.accept(1, through: 1, by: 0)
    #expect(world.pipeline.router.counters[.unknownTouches] == 1)
  }

  @Test(
    "silence for the decision's time is consent: declining at 250 ms is late, before it is not (R5)"
  )
  func timeout() throws {
    let world = try world()
    world.down(0, 100, 20)
    _ = world.frame()
    #expect(world.pipeline.router.nextDeadline == Timestamp(microseconds: 250_000))
    world.now = 249_999
    world.pipeline.advance(to: world.time)
    #expect(world.pipeline.router.nextDeadline != nil)
    #expect(world.decline(1, through: 1, by: 0).count == 1)
    #expect(world.pipeline.router.nextDeadline == Timestamp(microseconds: 499_999))
    world.now = 499_999
    #expect(world.decline(1, through: 2, by: 1) == [])
    #expect(world.pipeline.router.counters[.lateDeclines] == 1)
    world.pipeline.advance(to: Timestamp(microseconds: 499_999))
    #expect(world.pipeline.router.nextDeadline == nil)
    world.up(0)
    #expect(world.frame() == ["1: ended 1 a2 (100, 20)"])
  }

  @Test("a touch that ended is forgotten when its time is over, be it by a frame alone (R5)")
  func timeoutOfEndedTouch() throws {
    let world = try world()
    _ = world.tap(100, 20)
    #expect(world.pipeline.router.nextDeadline != nil)
    world.now = 300_000
    #expect(world.tap(1, 250) == [])
    #expect(world.pipeline.router.nextDeadline == nil)
    #expect(world.decline(1, through: 1, by: 0) == [])
    #expect(world.pipeline.router.counters[.unknownTouches] == 1)
  }

  @Test("as many touches that ended are kept to be declined as may live, and no more (R5, F5)")
  func boundedEndedTouches() throws {
    let world = try world { $0.maximumLiveTouches = 2 }
    for _ in 1...3 { #expect(world.tap(100, 20).count == 2) }
    #expect(world.decline(3, through: 1, by: 0) == [])
    #expect(world.pipeline.router.counters[.unknownTouches] == 1)
    for touch in [1, 2] as [UInt64] {
      #expect(
        world.decline(touch, through: 1, by: 0) == [
          "1: began replayed \(touch) a2 (100, 20)", "1: ended replayed \(touch) a2 (100, 20)",
        ])
    }
  }

  @Test("nobody waits where nobody else could get the touch (R5)")
  func nobodyAbove() throws {
    let world = try RoutingWorld(RoutingWorld.layout())
    try world.attach(0, "nav")
    world.down(0, 1, 250)
    _ = world.frame()
    #expect(world.pipeline.router.nextDeadline == nil)
    #expect(world.decline(1, through: 1, by: 0) == [])
    #expect(world.pipeline.router.counters[.discardedDeclined] == 1)
    world.up(0)
    #expect(world.frame() == [])
    world.down(0, 1, 250)
    _ = world.frame()
    world.now += 250_000
    #expect(world.decline(2, through: 1, by: 0) == [])
    #expect(world.pipeline.router.counters[.lateDeclines] == 1)
  }

  @Test("with a decision's time of 0 nothing can be declined (R5)")
  func noTimeout() throws {
    let world = try world { $0.decisionTimeoutMilliseconds = 0 }
    world.down(0, 100, 20)
    _ = world.frame()
    #expect(world.pipeline.router.nextDeadline == nil)
    #expect(world.decline(1, through: 1, by: 0) == [])
    #expect(world.pipeline.router.counters[.lateDeclines] == 1)
  }

  @Test("kept moves are bounded and merged, span the whole time and end where the touch is (R5)")
  func coalescing() throws {
    let world = try world { $0.maximumKeptMoves = 4 }
    world.down(0, 100, 20)
    _ = world.frame()
    for x in 1...9 {
      world.move(0, 100 + Double(x), 20)
      _ = world.frame()
    }
    #expect(
      world.decline(1, through: 1, by: 0) == [
        "1: began replayed 1 a2 (100, 20)", "1: moved replayed coalesced 1 a2 (102, 20)",
        "1: moved replayed coalesced 1 a2 (104, 20)",
        "1: moved replayed coalesced 1 a2 (106, 20)",
        "1: moved replayed coalesced 1 a2 (109, 20)",
      ])
  }

  @Test("in a replay the client's other touches rest (R5, T2)")
  func othersRest() throws {
    let world = try world()
    world.down(0, 100, 200)
    _ = world.frame()
    world.down(1, 100, 20)
    #expect(world.frame() == ["0: began 2 a1 (100, 20)"])
    world.move(1, 101, 20)
    _ = world.frame()
    world.up(1)
    _ = world.frame()
    #expect(
      world.decline(2, through: 1, by: 0) == [
        "1: stationary 1 a2 (100, 200) | began replayed 2 a2 (100, 20)",
        "1: stationary 1 a2 (100, 200) | moved replayed 2 a2 (101, 20)",
        "1: ended replayed 2 a2 (101, 20) | stationary 1 a2 (100, 200)",
      ])
  }

  @Test("who got a phase already by passing gets only what it lacked (R3, R5)")
  func passing() throws {
    let world = try world(passing: .began)
    world.down(0, 100, 20)
    #expect(world.frame() == ["0: began 1 a1 (100, 20)", "1: began 1 a2 (100, 20)"])
    world.move(0, 110, 20)
    #expect(world.frame() == ["0: moved 1 a1 (110, 20)"])
    #expect(world.decline(1, through: 1, by: 0) == ["1: moved replayed 1 a2 (110, 20)"])
    world.up(0)
    #expect(world.frame() == ["1: ended 1 a2 (110, 20)"])
  }

  @Test(
    "who was passed a part without its beginning gets the whole touch when it gets began (R5, T5)")
  func passedWithoutBegan() throws {
    let world = try world(passing: [.moved, .ended])
    world.down(0, 100, 20)
    #expect(world.frame() == ["0: began 1 a1 (100, 20)"])
    world.move(0, 110, 20)
    #expect(world.frame() == ["0: moved 1 a1 (110, 20)", "1: moved 1 a2 (110, 20)"])
    world.up(0)
    #expect(world.frame() == ["0: ended 1 a1 (110, 20)", "1: ended 1 a2 (110, 20)"])
    #expect(
      world.decline(1, through: 1, by: 0) == [
        "1: began replayed 1 a2 (100, 20)", "1: moved replayed 1 a2 (110, 20)",
        "1: ended replayed 1 a2 (110, 20)",
      ])
  }

  @Test("who was passed the end of a touch gets no moves of it after that (R5, T5)")
  func passedEnd() throws {
    let world = try world(passing: [.began, .ended])
    world.down(0, 100, 20)
    _ = world.frame()
    world.move(0, 110, 20)
    _ = world.frame()
    world.up(0)
    #expect(world.frame() == ["0: ended 1 a1 (110, 20)", "1: ended 1 a2 (110, 20)"])
    #expect(world.decline(1, through: 1, by: 0) == [])
    #expect(world.pipeline.router.counters[.discardedDeclined] == 0)
  }

  @Test(
    "who was passed the end gets no moves, also where another client gets the beginning (R5, T5)")
  func passedEndBesideBeginning() throws {
    let world = try RoutingWorld(RoutingWorld.layout())
    try world.attach(0, "home/toolbar", handles: [.began, .moved])
    try world.attach(1, "home", handles: [.moved, .ended])
    try world.attach(2, "app:dashboard")
    world.down(0, 100, 20)
    #expect(world.frame() == ["0: began 1 a1 (100, 20)"])
    world.move(0, 110, 20)
    #expect(world.frame() == ["0: moved 1 a1 (110, 20)"])
    world.up(0)
    #expect(world.frame() == ["1: ended 1 a2 (110, 20)"])
    #expect(world.decline(1, through: 1, by: 0) == ["2: began replayed 1 a3 (100, 20)"])
  }

  @Test("one client that declines below and holds a responder above gets the touch there (R5)")
  func sameClientAbove() throws {
    let world = try RoutingWorld(RoutingWorld.layout())
    try world.attach(0, "home/toolbar")
    try world.attach(0, "home")
    world.down(0, 100, 20)
    #expect(world.frame() == ["0: began 1 a1 (100, 20)"])
    #expect(world.decline(1, through: 2, by: 0) == [])
    #expect(world.decline(1, through: 1, by: 0) == ["0: began replayed 1 a2 (100, 20)"])
    world.accept(1, through: 2, by: 0)
    world.up(0)
    #expect(world.frame() == ["0: ended 1 a2 (100, 20)"])
  }

  @Test("who attaches after the touch began is passed over by a decline (R5, R6)")
  func attachedSince() throws {
    let world = try RoutingWorld(RoutingWorld.layout())
    try world.attach(0, "home/toolbar")
    try world.attach(2, "app:dashboard")
    world.down(0, 100, 20)
    _ = world.frame()
    try world.attach(1, "home")
    #expect(world.decline(1, through: 1, by: 0) == ["2: began replayed 1 a2 (100, 20)"])
  }

  @Test("what was cut off from its client is nobody's, declined further up or not (R5, R7)")
  func goneIsNotInherited() throws {
    let world = try RoutingWorld(RoutingWorld.layout())
    try world.attach(0, "home/toolbar/back", handles: [.began, .moved], passes: .began)
    try world.attach(1, "home/toolbar")
    try world.attach(2, "home")
    world.down(0, 20, 20)
    #expect(world.frame() == ["0: began 1 a1 (12, 12)", "1: began 1 a2 (12, 12)"])
    world.goAway(0)
    #expect(world.decline(1, through: 2, by: 1) == ["2: began replayed 1 a3 (12, 12)"])
    world.move(0, 30, 20)
    #expect(world.frame() == [])
    world.up(0)
    #expect(world.frame() == ["2: ended 1 a3 (22, 12)"])
  }

  @Test("a client that goes away undecided leaves its touch dead, not declined (R5, R7)")
  func goesAwayUndecided() throws {
    let world = try world()
    world.down(0, 100, 20)
    _ = world.frame()
    world.goAway(0)
    world.move(0, 110, 20)
    #expect(world.frame() == [])
    #expect(world.pipeline.router.counters[.orphaned] == 1)
    #expect(world.pipeline.router.nextDeadline == nil)
  }

  @Test("who waits and goes away, or lets go, is passed over (R5)")
  func waitingGoesAway() throws {
    let world = try world()
    world.down(0, 100, 20)
    _ = world.frame()
    world.goAway(1)
    #expect(world.decline(1, through: 1, by: 0) == ["2: began replayed 1 a3 (100, 20)"])
  }

  @Test("a cancelled touch can't be declined, and goes to nobody else (R5, T7)")
  func cancelled() throws {
    let world = try world()
    world.down(0, 100, 20)
    _ = world.frame()
    world.feed(.lost(world.device, reason: .deviceRemoved, time: world.time))
    #expect(world.said() == ["0: cancelled deviceRemoved 1 a1 (100, 20)"])
    #expect(world.decline(1, through: 1, by: 0) == [])
    #expect(world.pipeline.router.counters[.unknownTouches] == 1)
    #expect(world.pipeline.router.nextDeadline == nil)
  }

  @Test(
    "a layout change replays in the coordinates in force and passes over who was removed (R5, R8)"
  )
  func layoutChange() throws {
    let world = try RoutingWorld(RoutingWorld.layout())
    try world.attach(0, "home/toolbar/back")
    try world.attach(1, "home/toolbar@bar")
    try world.attach(2, "home")
    world.down(0, 20, 20)
    _ = world.frame()
    world.move(0, 30, 20)
    _ = world.frame()
    let layout = try RoutingWorld.layout {
      $0.views[0].properties.controller = nil
      $0.views[1].properties.frame.x.points = 10
    }
    world.pipeline.replaceLayout(layout, at: world.time)
    #expect(world.said() == ["1: detached a2 removed", "0: layout a1", "2: layout a3"])
    #expect(
      world.decline(1, through: 1, by: 0) == [
        "2: began replayed 1 a3 (10, 12)", "2: moved replayed 1 a3 (20, 12)",
      ])
  }

  @Test("observers see who declined and who has the touch now (R5, F7)")
  func observed() throws {
    let world = try world()
    world.pipeline.isObserved = true
    world.down(0, 100, 20)
    _ = world.frame()
    world.pipeline.decline(
      TouchID(1), through: AttachmentID(1), by: RoutingWorld.client(0),
      at: world.time)
    let record = try #require(world.observations.records.first)
    #expect(record.phase == .began)
    #expect(record.flags == .replayed)
    #expect(record.discardReason == nil)
    let links = world.observedChains[0]
    #expect(links.map(\.outcome) == [.declined, .noClient, .delivered])
    _ = world.decline(1, through: 2, by: 1)
    world.pipeline.decline(
      TouchID(1), through: AttachmentID(3), by: RoutingWorld.client(2),
      at: world.time)
    let last = try #require(world.observations.records.last)
    #expect(last.discardReason == .declined)
    let lastLinks = try #require(world.observedChains.last)
    #expect(lastLinks.map(\.outcome) == [.declined, .noClient, .declined, .declined])
  }
}
