import Layout
import Routing
import Testing
import TouchModel

/// With which record an attachment is told the path of a touch's target: `began`, or the first that
/// it gets.
@Suite("Router: naming targets")
struct NamingTests {
  /// The frame at hand, of which the first line is a list of `a1 3`: attachment 1 was told the
  /// target of touch 3.
  private func named(_ world: RoutingWorld) -> [String] {
    _ = world.frame()
    return names(world)
  }

  private func names(_ world: RoutingWorld) -> [String] {
    world.pipeline.deliveries.records.filter(\.namesTarget).map {
      "a\($0.attachment.rawValue) \($0.phase) \($0.id.rawValue)"
    }
  }

  @Test("began names the target, and what follows does not (T1)")
  func began() throws {
    let world = try RoutingWorld(RoutingWorld.layout())
    try world.attach(0, "home")
    world.down(0, 20, 20)
    #expect(named(world) == ["a1 began 1"])
    world.move(0, 21, 20)
    #expect(named(world) == [])
    world.up(0)
    #expect(named(world) == [])
  }

  @Test("without began the first record names it, once (T1, R3)")
  func later() throws {
    let world = try RoutingWorld(RoutingWorld.layout())
    try world.attach(0, "home/toolbar", handles: [.moved, .ended])
    try world.attach(1, "home", handles: .began)
    try world.attach(2, "app:dashboard", handles: .cancelled)
    world.down(0, 20, 20)
    #expect(named(world) == ["a2 began 1"])
    world.move(0, 21, 20)
    #expect(named(world) == ["a1 moved 1"])
    world.move(0, 22, 20)
    #expect(named(world) == [])
    world.pipeline.cancelAll(.requested, at: world.time)
    _ = world.said()
    #expect(names(world) == ["a3 cancelled 1"])
  }

  @Test("of moves that come before, who handles ended alone is not told it (T1, R3)")
  func endedAlone() throws {
    let world = try RoutingWorld(RoutingWorld.layout())
    try world.attach(0, "home/toolbar", handles: .ended)
    try world.attach(1, "home")
    world.down(0, 20, 20)
    #expect(named(world) == ["a2 began 1"])
    world.move(0, 21, 20)
    #expect(named(world) == [])
    world.up(0)
    #expect(named(world) == ["a1 ended 1"])
  }

  @Test("a first record may be that of a touch that rests (T1, T2)")
  func stationary() throws {
    let world = try RoutingWorld(RoutingWorld.layout())
    try world.attach(0, "home/toolbar", handles: .moved)
    try world.attach(1, "home")
    world.down(0, 20, 20)
    world.down(1, 40, 20)
    #expect(named(world) == ["a2 began 1", "a2 began 2"])
    world.move(1, 41, 20)
    #expect(named(world) == ["a1 stationary 1", "a1 moved 2"])
    world.move(0, 21, 20)
    #expect(named(world) == [])
  }

  @Test("a frame that is not said tells nobody (T1, T2)")
  func unsaid() throws {
    let world = try RoutingWorld(RoutingWorld.layout())
    try world.attach(0, "home/toolbar", handles: .moved)
    try world.attach(1, "home")
    world.down(0, 20, 20)
    _ = world.frame()
    world.down(1, 40, 20)
    #expect(named(world) == ["a2 began 2"])
    world.up(1)
    #expect(named(world) == [])
    world.move(0, 21, 20)
    #expect(named(world) == ["a1 moved 1"])
  }

  @Test("who was passed a part, and is given the whole, is told it with began again (T1, R5)")
  func wholeLater() throws {
    let world = try RoutingWorld(RoutingWorld.layout())
    try world.attach(0, "home/toolbar", passes: .moved)
    try world.attach(1, "home")
    world.down(0, 20, 20)
    #expect(named(world) == ["a1 began 1"])
    world.move(0, 21, 20)
    #expect(named(world) == ["a2 moved 1"])
    _ = world.decline(1, through: 1, by: 0)
    #expect(names(world) == ["a2 began 1"])
    world.move(0, 22, 20)
    #expect(named(world) == [])
  }

  @Test("who is given but the end of a touch is told it with that (T1, R5)")
  func endLater() throws {
    let world = try RoutingWorld(RoutingWorld.layout())
    try world.attach(0, "home/toolbar")
    try world.attach(1, "home", handles: .ended, passes: .ended)
    try world.attach(2, "app:dashboard")
    world.down(0, 20, 20)
    #expect(named(world) == ["a1 began 1"])
    _ = world.decline(1, through: 1, by: 0)
    #expect(names(world) == ["a3 began 1"])
    world.move(0, 22, 20)
    #expect(named(world) == [])
    world.up(0)
    #expect(named(world) == ["a2 ended 1"])
    world.down(0, 20, 20)
    _ = world.frame()
    world.up(0)
    _ = world.frame()
    _ = world.decline(2, through: 1, by: 0)
    #expect(names(world) == ["a3 began 2", "a2 ended 2"])
  }

  @Test("a change of the layout that keeps the touch says nothing again (T1, R8)")
  func layout() throws {
    let world = try RoutingWorld(RoutingWorld.layout())
    try world.attach(0, "home/toolbar", handles: .moved)
    try world.attach(1, "home")
    world.down(0, 20, 20)
    world.down(1, 40, 20)
    _ = world.frame()
    world.move(0, 21, 20)
    #expect(named(world) == ["a1 moved 1", "a1 stationary 2"])
    let moved = try RoutingWorld.layout { $0.windows.swapAt(0, 1) }
    world.pipeline.replaceLayout(moved, at: world.time)
    _ = world.said()
    #expect(names(world) == [])
    world.move(1, 41, 20)
    #expect(named(world) == [])
  }
}
