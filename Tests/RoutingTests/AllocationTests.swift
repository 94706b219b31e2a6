import Wire
import CAllocationCount
import Layout
import Routing
import Testing
import TouchModel

@Suite("Allocations while touches move")
struct AllocationTests {
  /// Whether generic code is specialised. Where it is not, the standard library's own collections
  /// allocate as they are walked over, and a count says nothing about the router.
  private static let isOptimised: Bool = {
    #if DEBUG
      false
    #else
      true
    #endif
  }()

  /// Ten fingers on three windows of a layout, in a world that has settled.
  private func tenFingers() throws -> RoutingWorld {
    let world = try RoutingWorld(RoutingWorld.layout())
    try world.attach(0, "home")
    try world.attach(1, "home/toolbar", passes: .all)
    try world.attach(2, "nav/map")
    try world.attach(3, "app:dashboard")
    for finger in 0..<10 {
      let place = Self.places[finger % Self.places.count]
      world.down(Int32(finger), place.x, place.y)
    }
    _ = world.frame()
    return world
  }

  private static let places = [
    Point(x: 20, y: 20), Point(x: 400, y: 200), Point(x: 150, y: 350), Point(x: 500, y: 300),
  ]

  private func move(_ world: RoutingWorld, frames: Int) {
    for frame in 0..<frames {
      world.now += 8000
      for finger in 0..<10 {
        world.move(Int32(finger), Double((frame * 7 + finger) % 800), Double(frame % 480))
      }
      world.feed(.frame(world.device, time: world.time))
      world.pipeline.finishDeliveries()
    }
  }

  @Test("the counter counts, so that nothing counted means nothing allocated")
  func counter() {
    let before = allocation_count()
    var array: [Int] = []
    for number in 0..<1000 { array.append(number) }
    #expect(allocation_count() > before)
    #expect(array.count == 1000)
  }

  @Test(
    "10,000 frames of ten moving fingers, checked, allocate nothing once warm (T2, T5)",
    .enabled(if: isOptimised, "needs swift test -c release"))
  func moves() throws {
    let world = try tenFingers()
    move(world, frames: 50)
    let before = allocation_count()
    move(world, frames: 10_000)
    let after = allocation_count()
    #expect(after - before == 0)
    #expect(world.pipeline.counters[.frames] == 10_051)
    #expect(world.pipeline.checker.violationCount == 0)
    #expect(world.pipeline.router.liveTouchCount == 10)
  }

  @Test(
    "taps allocate nothing either, once as many have been (T2)",
    .enabled(if: isOptimised, "needs swift test -c release"))
  func taps() throws {
    let world = try tenFingers()
    for slot in Int32(0)..<10 { world.up(slot) }
    _ = world.frame()
    func tap(_ count: Int) {
      for _ in 0..<count {
        world.now += 8000
        for slot in Int32(0)..<10 {
          let place = Self.places[Int(slot) % Self.places.count]
          world.down(slot, place.x, place.y)
        }
        world.feed(.frame(world.device, time: world.time))
        for slot in Int32(0)..<10 { world.up(slot) }
        world.feed(.frame(world.device, time: world.time))
        world.pipeline.finishDeliveries()
      }
    }
    tap(100)
    let before = allocation_count()
    tap(1000)
    let after = allocation_count()
    #expect(after - before == 0)
    #expect(world.pipeline.checker.violationCount == 0)
  }

  @Test(
    "declines and their replays allocate nothing either, once as many have been (R5)",
    .enabled(if: isOptimised, "needs swift test -c release"))
  func declines() throws {
    let world = try tenFingers()
    for slot in Int32(0)..<10 { world.up(slot) }
    _ = world.frame()
    var touch = world.pipeline.router.counters[.began]
    func cycle(_ count: Int) {
      for _ in 0..<count {
        world.now += 8000
        for slot in Int32(0)..<10 { world.down(slot, 20, 20) }
        world.feed(.frame(world.device, time: world.time))
        world.pipeline.finishDeliveries()
        move(world, frames: 20)
        for _ in 0..<10 {
          touch += 1
          // The toolbar's client passes everything on; then home's, which is left, declines too.
          for (client, attachment) in [(UInt32(1), UInt32(2)), (0, 1)] {
            world.pipeline.decline(
              TouchID(touch), through: AttachmentID(attachment),
              by: RoutingWorld.client(client), at: world.time)

            world.pipeline.finishDeliveries()
          }
        }
        for slot in Int32(0)..<10 { world.up(slot) }
        world.feed(.frame(world.device, time: world.time))
        world.pipeline.finishDeliveries()
      }
    }
    cycle(10)
    let before = allocation_count()
    cycle(100)
    let after = allocation_count()
    #expect(after - before == 0)
    #expect(world.pipeline.router.counters[.passedOn] == 1100)
    #expect(world.pipeline.checker.violationCount == 0)
  }
}
