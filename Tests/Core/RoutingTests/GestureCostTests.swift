import CAllocationCount
import Gestures
import Layout
import Routing
import Testing
import TouchModel

/// What it costs to change one of many recognizers, in allocations: a table that is made anew
/// allocates for each of them.
@Suite("What changes of recognizers cost")
struct GestureCostTests {
  /// Of views that no touch is on: those that have one cost as much as a frame of it.
  private func recognizer(_ number: Int) -> RecognizerSpec {
    let view = ["nav", "nav/map", "media"][number % 3]
    var spec = RecognizerSpec(
      .view(view), "pan\(number)", RecognizerDescription(.pan(.init())))
    spec.after = ["home/toolbar#first"]
    return spec
  }

  private func world(_ count: Int) throws -> RoutingWorld {
    let first = RecognizerSpec(
      .view("home/toolbar"), "first", RecognizerDescription(.pan(.init())))
    let world = RoutingWorld(
      try RoutingWorld.layout(), gestures: [first] + (0..<count).map(recognizer))
    try world.attach(0, "home", gestures: true)
    world.down(0, 100, 30)
    _ = world.frame()
    return world
  }

  /// The fewest allocations of several tries: a list that grows allocates now and then.
  private func allocations(_ world: RoutingWorld, _ change: (Int) throws -> Void) rethrows -> UInt {
    var fewest = UInt.max
    for round in 0..<8 {
      let before = allocation_count()
      try change(round)
      world.pipeline.finishDeliveries()
      fewest = min(fewest, allocation_count() - before)
    }
    return fewest
  }

  @Test("to add and to remove a recognizer costs the same beside 10 and beside 2,000 (F1)")
  func addAndRemove() throws {
    var counts: [UInt] = []
    for count in [10, 2_000] {
      let world = try world(count)
      counts.append(
        allocations(world) { round in
          world.pipeline.put(
            RecognizerSpec(
              .view("home/toolbar"), "more\(round)", RecognizerDescription(.pan(.init()))),
            at: world.time)
        })
      counts.append(
        allocations(world) { round in
          guard let id = world.pipeline.router.recognizers.id(of: "home/toolbar#more\(round)")
          else {
            return
          }
          world.pipeline.remove(id, at: world.time)
        })
      #expect(world.pipeline.router.recognizers.id(of: "home/toolbar#more7") == nil)
    }
    #expect(counts[2] <= counts[0] + 8 && counts[3] <= counts[1] + 8, "\(counts)")
  }

  @Test("recognizers that come and go leave nothing behind in those that they name (F1, G7)")
  func comeAndGo() async {
    // A process of its own: other tests' memory is not counted.
    await #expect(processExitsWith: .success) {
      let world = try GestureCostTests().world(10)
      func comeAndGo(_ times: Int) {
        for _ in 0..<times {
          var spec = GestureCostTests().recognizer(10)
          spec.simultaneous = ["nav#pan0"]
          world.pipeline.put(spec, at: world.time)
          world.pipeline.finishDeliveries()
          if let id = world.pipeline.router.recognizers.id(of: spec.path) {
            world.pipeline.remove(id, at: world.time)
          }
          world.pipeline.finishDeliveries()
        }
      }
      comeAndGo(100)
      let before = allocated_bytes()
      comeAndGo(10_000)
      // One number that each leaves behind is ten times as much.
      #expect(allocated_bytes() < before + 8_000)
    }
  }

  @Test(
    "a view that moves costs no more beside 2,000 recognizers of other views than beside 10 (F1)")
  func layouts() throws {
    var counts: [UInt] = []
    for count in [10, 2_000] {
      let world = try world(count)
      let layouts = try (0..<8).map { step in
        try RoutingWorld.layout { description in
          description.views[1].properties.frame = FrameDescription(
            Rect(x: 8 + Double(step), y: 8, width: 44, height: 44))
        }
      }
      counts.append(
        allocations(world) { world.pipeline.replaceLayout(layouts[$0], at: world.time) })
    }
    #expect(counts[1] <= counts[0] + 8, "\(counts)")
  }

  @Test("views that come and go cost a look at each recognizer, and make none anew (F1, S4)")
  func views() throws {
    var counts: [UInt] = []
    for count in [10, 2_000] {
      let world = try world(count)
      let layouts = try (0..<8).map { step in
        try RoutingWorld.layout { description in
          guard step.isMultiple(of: 2) else { return }
          description.views.insert(
            .init(path: "nav/aside", properties: description.views[1].properties), at: 0)
        }
      }
      counts.append(
        allocations(world) { world.pipeline.replaceLayout(layouts[$0], at: world.time) })
    }
    // One that is made anew allocates some hundred times.
    #expect(counts[1] <= counts[0] + 2 * 2_000, "\(counts)")
  }

  @Test("recognizers of a view that moves measure in its coordinates by then (G16, T9)")
  func moved() throws {
    let drag = RecognizerSpec(.view("home/toolbar"), "drag", RecognizerDescription(.pan(.init())))
    let world = RoutingWorld(try RoutingWorld.layout(), gestures: [drag])
    try world.attach(0, "home/toolbar", gestures: true)
    world.down(0, 100, 30)
    _ = world.frame()
    world.pipeline.replaceLayout(
      try RoutingWorld.layout { description in
        description.views[0].properties.frame = FrameDescription(
          Rect(x: 40, y: 0, width: 760, height: 60))
      }, at: world.time)
    world.move(0, 130, 30)
    _ = world.frame()
    let values = world.pipeline.deliveries.gestures.last?.event.values
    #expect(values?.location == Point(x: 90, y: 30))
  }
}
