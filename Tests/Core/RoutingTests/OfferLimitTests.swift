import Gestures
import Layout
import Routing
import Testing
import TouchModel

/// To how many recognizers of clients one touch is offered.
@Suite("Recognizers that a touch is offered to")
struct OfferLimitTests {
  /// home and its toolbar, each of a client, of whose recognizers a touch is offered to four.
  private func world() throws -> RoutingWorld {
    var options = RouterOptions()
    options.maximumAddedRecognizersPerTouch = 4
    let configured = RecognizerSpec(
      .view("home/toolbar"), "own", RecognizerDescription(.swipe(.init(.left))))
    let world = RoutingWorld(
      try RoutingWorld.layout(), gestures: [configured], options: options)
    try world.attach(0, "home", gestures: true)
    try world.attach(1, "home/toolbar", gestures: true)
    return world
  }

  private func add(_ count: Int, _ view: String, by adder: UInt32, to world: RoutingWorld) {
    for number in 0..<count {
      var spec = RecognizerSpec(
        .view(view), "pan\(number)", RecognizerDescription(.pan(.init())))
      spec.adder = adder
      // In front of all: the limit goes by where they lie.
      spec.description.hasPriority = view != "home"
      world.pipeline.put(spec, at: world.time)
    }
    _ = world.said()
  }

  /// The recognizers that take a touch on the toolbar: they fail where it is cancelled.
  private func takers(_ world: RoutingWorld) -> [String] {
    world.down(0, 100, 30)
    _ = world.frame()
    world.feed(.cancel(world.device, slot: 0, reason: .palm, time: world.time))
    return world.frame().compactMap { line in
      guard let words = line.wholeMatch(of: #/\d: (\S+) failed: .*/#) else { return nil }
      return String(words.1)
    }.sorted()
  }

  @Test("beyond the limit those take part that lie furthest out, and were added first (G2, S5)")
  func outermostFirst() throws {
    let world = try world()
    add(5, "home/toolbar", by: 2, to: world)
    #expect(
      takers(world) == ["home/toolbar#own"] + (0..<4).map { "home/toolbar#pan\($0)" })
    add(3, "home", by: 1, to: world)
    let expected =
      (0..<3).map { "home#pan\($0)" } + ["home/toolbar#own", "home/toolbar#pan0"]
    #expect(takers(world) == expected)
    // To be put in force anew, as by being enabled, changes no order.
    let id = try #require(world.pipeline.router.recognizers.id(of: "home/toolbar#pan0"))
    let known = world.pipeline.router.recognizer(id)
    let spec = try #require(known)
    world.pipeline.put(spec, at: world.time)
    #expect(takers(world) == expected)
  }

  @Test("another limit, as after a reload, counts from the next touch on (G2, L6)")
  func otherLimit() throws {
    let world = try world()
    add(5, "home/toolbar", by: 2, to: world)
    #expect(takers(world).count == 5)
    world.pipeline.options.maximumAddedRecognizersPerTouch = 2
    #expect(
      takers(world) == ["home/toolbar#own"] + (0..<2).map { "home/toolbar#pan\($0)" })
  }

  @Test("where one that was added goes, the next one takes part (G2)")
  func goes() throws {
    let world = try world()
    add(5, "home/toolbar", by: 2, to: world)
    let id = try #require(world.pipeline.router.recognizers.id(of: "home/toolbar#pan1"))
    world.pipeline.remove(id, at: world.time)
    #expect(
      takers(world)
        == ["home/toolbar#own"] + [0, 2, 3, 4].map { "home/toolbar#pan\($0)" })
  }
}
