import Gestures
import Routing
import Testing
import TouchModel

/// For how long recognizers may hold back what other clients are to hear.
@Suite("Holding touches back")
struct HoldLimitTests {
  /// A tap of ten taps that may come a minute apart, as a client adds it who means ill.
  private func tenTaps(_ view: String, delaysBegan: Bool = false) -> RecognizerSpec {
    var tap = GestureKind.Tap()
    tap.taps = 10
    tap.intervalMilliseconds = 60_000
    tap.durationMilliseconds = 60_000
    var description = RecognizerDescription(.tap(tap))
    description.delaysBegan = delaysBegan
    return RecognizerSpec(.view(view), "ten", description)
  }

  /// home and its toolbar, each of a client.
  private func world(_ gestures: [RecognizerSpec]) throws -> RoutingWorld {
    let world = RoutingWorld(try RoutingWorld.layout(), gestures: gestures)
    try world.attach(0, "home", gestures: true)
    try world.attach(1, "home/toolbar", gestures: true)
    return world
  }

  private func advance(_ world: RoutingWorld, to milliseconds: UInt64) -> [String] {
    world.now = milliseconds * 1000
    world.pipeline.advance(to: world.time)
    return world.said()
  }

  private let failed = "failed: held touches of others back for 1000 ms (hold_limit_ms)"

  @Test("another client hears an ended that a tap holds back after a second at most (G17, G10, S7)")
  func ended() throws {
    let world = try world([tenTaps("home")])
    #expect(world.tap(100, 30) == ["1: began 1 a2 (100, 30)"])
    // It was lifted at 1 ms.
    #expect(advance(world, to: 1000) == [])
    #expect(advance(world, to: 1001) == ["0: home#ten \(failed)", "1: ended 1 a2 (100, 30)"])
    #expect(world.pipeline.router.gestureDeadline == nil)
    // It is possible again for the next touch.
    #expect(world.tap(100, 30).count == 1)
  }

  @Test("the time counts from the first that is held back, whatever taps come meanwhile (G17)")
  func countsFromFirst() throws {
    let world = try world([tenTaps("home")])
    var said: [[String]] = []
    for tap in 0..<4 {
      world.now = UInt64(tap) * 300_000
      said.append(world.tap(100, 30))
    }
    #expect(said.prefix(3).allSatisfy { $0.count == 1 })
    #expect(advance(world, to: 1001).count == 2)
    world.now = 1_200_000
    #expect(world.tap(100, 30).count == 1)
  }

  @Test("another client hears a began that is held back after a second at most (G17, G11, S7)")
  func began() throws {
    let world = try world([tenTaps("home", delaysBegan: true)])
    world.down(0, 100, 30)
    #expect(world.frame() == [])
    #expect(advance(world, to: 999) == [])
    #expect(
      advance(world, to: 1000) == ["0: home#ten \(failed)", "1: began replayed 1 a2 (100, 30)"])
    world.up(0)
    #expect(world.frame() == ["1: ended 1 a2 (100, 30)"])
  }

  @Test("one that waits for others with after lets go after a second too (G17, G7, S7)")
  func waits() throws {
    var single = RecognizerSpec(.view("home"), "one", RecognizerDescription(.tap(.init())))
    var other = tenTaps("home")
    other.description.delaysEnded = false
    single.after = [other.path]
    let world = try world([single, other])
    #expect(world.tap(100, 30) == ["1: began 1 a2 (100, 30)"])
    #expect(advance(world, to: 1001) == ["0: home#one \(failed)", "1: ended 1 a2 (100, 30)"])
  }

  @Test("what a recognizer holds back of its own client's touches has no limit (G17)")
  func own() throws {
    let world = RoutingWorld(try RoutingWorld.layout(), gestures: [tenTaps("home")])
    try world.attach(0, "home", gestures: true)
    try world.attach(0, "home/toolbar", gestures: true)
    #expect(world.tap(100, 30) == ["0: began 1 a2 (100, 30)"])
    #expect(advance(world, to: 60_000) == [])
    #expect(
      advance(world, to: 60_001) == [
        "0: home#ten failed: no further tap within 60000 ms", "0: ended 1 a2 (100, 30)",
      ])
  }

  @Test("a double tap as UIKit's, over another's view, is what it was without a limit (G17)")
  func doubleTap() throws {
    var tap = GestureKind.Tap()
    tap.taps = 2
    let spec = RecognizerSpec(.view("home"), "twice", RecognizerDescription(.tap(tap)))
    let world = try world([spec])
    _ = world.tap(100, 30)
    world.now = 350_000
    world.down(1, 100, 30)
    _ = world.frame()
    world.now = 600_000
    world.up(1)
    #expect(
      world.frame() == [
        "1: cancelled gesture 1 a2 (100, 30) | cancelled gesture 2 a2 (100, 30)",
        "0: home#twice recognized",
      ])
    _ = world.tap(100, 30)
    #expect(
      advance(world, to: 60_000) == [
        "0: home#twice failed: no further tap within 350 ms", "1: ended 3 a2 (100, 30)",
      ])
  }

  @Test("what is due at the end of that time comes before it fails (G17, G15)")
  func inclusive() throws {
    var press = GestureKind.LongPress()
    press.durationMilliseconds = 1000
    var description = RecognizerDescription(.longPress(press))
    description.delaysBegan = true
    let world = try world([RecognizerSpec(.view("home"), "press", description)])
    world.down(0, 100, 30)
    #expect(world.frame() == [])
    #expect(advance(world, to: 1000) == ["0: home#press began"])
  }
}
