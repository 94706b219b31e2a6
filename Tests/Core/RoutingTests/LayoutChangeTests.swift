import Layout
import Routing
import Testing
import TouchModel

@Suite("Router and layout changes")
struct LayoutChangeTests {
  private func world() throws -> RoutingWorld {
    try RoutingWorld(RoutingWorld.layout())
  }

  private func replace(
    _ world: RoutingWorld, _ change: (inout LayoutDescription) -> Void
  ) throws -> [String] {
    let layout = try RoutingWorld.layout(change)
    world.pipeline.replaceLayout(layout, at: world.time)
    return world.said()
  }

  @Test("a touch of which the target stays lives on, in the coordinates of the new layout (R8, T9)")
  func targetStays() throws {
    let world = try world()
    try world.attach(0, "nav")
    world.down(0, 150, 350)
    #expect(world.frame() == ["0: began 1 a1 (50, 10)"])
    let said = try replace(world) {
      $0.views[2].properties.frame.x.points = 120
      $0.windows.insert($0.windows.remove(at: 0), at: 2)
    }
    #expect(said == ["0: layout a1"])
    world.move(0, 151, 350)
    world.feed(.frame(world.device, time: world.time))
    let record = try #require(world.pipeline.deliveries.records.first)
    #expect(record.previousLocation == Point(x: 30, y: 10))
    #expect(record.location == Point(x: 31, y: 10))
    #expect(world.pipeline.router.layout.path(of: record.target) == "nav/map")
    #expect(world.said().count == 1)
    #expect(world.pipeline.router.generation == 2)
  }

  @Test("a touch of which the target is removed is cancelled for everybody (R8)")
  func targetRemoved() throws {
    let world = try world()
    try world.attach(0, "nav/map", passes: .all)
    try world.attach(1, "nav")
    world.down(0, 150, 350)
    world.down(1, 1, 250)
    _ = world.frame()
    #expect(
      try replace(world) { $0.views.remove(at: 2) } == [
        "0: cancelled targetRemoved 1 a1 (50, 10)",
        "1: cancelled targetRemoved 1 a2 (50, 10) | stationary 2 a2 (1, 10)",
        "0: detached a1 removed", "1: layout a2",
      ])
    world.up(0)
    #expect(world.frame() == [])
    world.up(1)
    #expect(world.frame() == ["1: ended 2 a2 (1, 10)"])
  }

  @Test("a touch of which the window goes to another application is cancelled (R8)")
  func otherOwner() throws {
    let world = try world()
    try world.attach(0, "app:dashboard")
    try world.attach(1, "media")
    world.down(0, 20, 200)
    world.down(1, 410, 250)
    _ = world.frame()
    let said = try replace(world) { $0.windows[2].application = "player" }
    #expect(said == ["1: cancelled targetRemoved 2 a2 (10, 10)", "0: layout a1"])
    world.move(0, 30, 200)
    world.move(1, 411, 250)
    #expect(world.frame() == ["0: moved 1 a1 (30, 200)"])
  }

  @Test("a touch of which a responder that gets it is removed is cancelled (R8)")
  func responderRemoved() throws {
    let world = try world()
    try world.attach(0, "home/toolbar@bar")
    world.down(0, 20, 20)
    _ = world.frame()
    #expect(
      try replace(world) { $0.views[0].properties.controller = "other" } == [
        "0: cancelled targetRemoved 1 a1 (12, 12)", "0: detached a1 removed",
      ])
    #expect(world.pipeline.router.attachments.all.isEmpty)
  }

  @Test("hiding or disabling a target does not cancel its touch (R8)")
  func hiding() throws {
    let world = try world()
    try world.attach(0, "nav")
    world.down(0, 150, 350)
    _ = world.frame()
    #expect(
      try replace(world) {
        $0.views[2].properties.hidden = true
        $0.windows[1].properties.interaction = false
      } == [])
    world.move(0, 151, 350)
    #expect(world.frame() == ["0: moved 1 a1 (51, 10)"])
    #expect(world.tap(1, 250) == [])
  }

  @Test("only attachments of which the geometry changed hear of it, before their touches (R8)")
  func geometryChange() throws {
    let world = try world()
    for (client, path) in ["app:dashboard", "home", "home/toolbar", "nav", "nav/map"].enumerated() {
      try world.attach(UInt32(client), path)
    }
    #expect(try replace(world) { _ in } == [])
    #expect(
      try replace(world) { $0.views[1].properties.frame.x.points = 9 } == [
        "0: layout a1", "1: layout a2", "2: layout a3",
      ])
    #expect(
      try replace(world) {
        $0.views[1].properties.frame.x.points = 9
        $0.windows[1].properties.boundsOrigin.y = 3
      } == ["3: layout a4", "4: layout a5"])
    #expect(
      try replace(world) { $0.windows[1].properties.boundsOrigin.y = 3 } == [
        "0: layout a1", "1: layout a2", "2: layout a3",
      ])
  }

  @Test("a target that gets another number in its window is announced before its touch (R8, T5)")
  func renumbered() throws {
    let world = try world()
    try world.attach(0, "home")
    world.down(0, 20, 20)
    _ = world.frame()
    let said = try replace(world) {
      var first = $0.views[0]
      first.path = "home/first"
      first.properties.controller = nil
      $0.views.insert(first, at: 0)
    }
    #expect(said == ["0: layout a1"])
    world.move(0, 21, 20)
    world.feed(.frame(world.device, time: world.time))
    #expect(world.pipeline.deliveries.records.first?.targetIndex == 3)
    #expect(world.said().count == 1)
  }

  @Test("attachments stay with their paths when everything else moves (R8)")
  func attachmentsStay() throws {
    let world = try world()
    try world.attach(0, "nav/map")
    try world.attach(1, "app:dashboard")
    _ = try replace(world) {
      $0.windows.reverse()
      $0.windows.append(
        .init(name: "top", screen: ScreenIndex(0), properties: $0.windows[0].properties))
      $0.windows[3].properties.frame.y.points = 440
      $0.windows[3].properties.frame.height.points = 40
    }
    #expect(world.tap(150, 350).first == "0: began 1 a1 (50, 10)")
    #expect(world.tap(20, 200).first == "1: began 2 a2 (20, 200)")
    let map = try #require(world.pipeline.router.layout.responder(at: "nav/map"))
    #expect(world.pipeline.router.attachments[holderOf: map]?.client == RoutingWorld.client(0))
  }

  @Test("a layout may change more often than its generation can count: it begins anew (F1)")
  func generationsComeRound() throws {
    let world = RoutingWorld(try RoutingWorld.layout())
    world.pipeline.numbers.generation = .max
    world.pipeline.replaceLayout(try RoutingWorld.layout(), at: world.time)
    #expect(world.pipeline.numbers.generation == 0)
  }
}
