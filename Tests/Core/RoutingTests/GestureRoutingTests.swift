import Gestures
import Layout
import Testing
import TouchModel
import Wire

@testable import Routing

/// What recognizers make of the touches of clients, in the daemon's pipeline.
@Suite("Gestures and clients")
struct GestureRoutingTests {
  private func pan(
    _ view: String, _ name: String, _ change: (inout RecognizerDescription) -> Void = { _ in }
  ) -> RecognizerSpec {
    var description = RecognizerDescription(.pan(.init()))
    change(&description)
    return RecognizerSpec(.view(view), name, description)
  }

  /// home, and its toolbar, each of a client.
  private func world(_ gestures: [RecognizerSpec]) throws -> RoutingWorld {
    let world = RoutingWorld(try RoutingWorld.layout(), gestures: gestures)
    try world.attach(0, "home", gestures: true)
    try world.attach(1, "home/toolbar", handles: [.began, .moved, .ended, .cancelled])
    return world
  }

  @Test("the paths of recognizers are those of their view, or of their screen (G1)")
  func paths() throws {
    let back = RecognizerSpec(
      .screen("panel"), "back", RecognizerDescription(.edgePan(.init(.left))))
    #expect(back.path == "screen:panel#back")
    #expect(pan("home/toolbar", "drag").path == "home/toolbar#drag")
  }

  @Test("who loses a touch hears it before the gesture begins, in the frame that decides (G4, G9)")
  func takesTouches() throws {
    let world = try world([pan("home", "drag")])
    world.down(0, 100, 30)
    #expect(world.frame() == ["1: began 1 a2 (100, 30)"])
    world.move(0, 105, 30)
    #expect(world.frame() == ["1: moved 1 a2 (105, 30)"])
    world.move(0, 110, 30)
    #expect(
      world.frame() == ["1: cancelled gesture 1 a2 (110, 30)", "0: home#drag began"])
    world.move(0, 120, 30)
    #expect(world.frame() == ["0: home#drag changed"])
    // Of the hand of the gesture, later fingers are its own.
    world.down(1, 200, 30)
    #expect(world.frame() == [])
    #expect(world.pipeline.counters[.discardedGesture] == 1)
    world.up(0)
    world.up(1)
    #expect(world.frame() == ["0: home#drag ended"])
    #expect(
      world.tap(100, 30) == [
        "1: began 3 a2 (100, 30)", "0: home#drag failed: lifted before",
        "1: ended 3 a2 (100, 30)",
      ])
  }

  @Test("an end that is held back comes whatever of ends a client handles (G10, T5)")
  func heldEnds() throws {
    var tap = GestureKind.Tap()
    tap.taps = 2
    let spec = RecognizerSpec(.view("home"), "two", RecognizerDescription(.tap(tap)))
    for phases: TouchPhases in [
      .all, [.began, .moved, .ended], [.began, .ended], [.ended], [.began, .cancelled], [.moved],
    ] {
      let world = RoutingWorld(try RoutingWorld.layout(), gestures: [spec])
      try world.attach(1, "home", handles: phases, gestures: true)
      // One tap, which is none of two in the end, then two.
      for count in [1, 2] {
        for _ in 0..<count { _ = world.tap(100, 30) }
        world.now += 1_000_000
        world.pipeline.advance(to: world.time)
        _ = world.said()
      }
      #expect(world.pipeline.checker.openCount == 0, "\(phases)")
    }
  }

  @Test("clients keep their touches beside a gesture that does not cancel them (G9)")
  func leavesTouches() throws {
    let world = try world([pan("home", "drag") { $0.cancelsTouches = false }])
    world.down(0, 100, 30)
    world.move(0, 110, 30)
    #expect(world.frame() == ["1: began 1 a2 (110, 30)"])
    world.move(0, 130, 30)
    #expect(world.frame() == ["0: home#drag began", "1: moved 1 a2 (130, 30)"])
    world.up(0)
    #expect(world.frame() == ["0: home#drag ended", "1: ended 1 a2 (130, 30)"])
  }

  @Test("what is held back from the beginning comes replayed once the recognizer fails (G11)")
  func delaysBegan() throws {
    let slow = pan("home", "up") {
      $0.kind = .pan(.init(.vertical))
      $0.delaysBegan = true
    }
    let world = try world([slow])
    world.down(0, 100, 30)
    #expect(world.frame() == [])
    world.move(0, 104, 30)
    #expect(world.frame() == [])
    world.move(0, 120, 31)
    #expect(
      world.frame() == [
        "0: home#up failed: moved 20 points across, slop is 10",
        "1: began replayed 1 a2 (100, 30)", "1: moved replayed 1 a2 (104, 30)",
        "1: moved 1 a2 (120, 31)",
      ])
    world.up(0)
    #expect(world.frame() == ["1: ended 1 a2 (120, 31)"])
    let holds = world.pipeline.router.holdsTouches
    #expect(!holds, "frames after it look for nothing")
  }

  @Test("a finger that lands as a tap's waiting ends is taken by it for its next tap (G7)")
  func landsAsWaitingEnds() throws {
    var press = GestureKind.LongPress()
    press.taps = 1
    var tap = RecognizerSpec(.view("home"), "tap", RecognizerDescription(.tap(.init())))
    tap.after = ["home#press"]
    tap.description.delaysBegan = true
    let world = try world([
      RecognizerSpec(.view("home"), "press", RecognizerDescription(.longPress(press))), tap,
    ])
    _ = world.tap(100, 30)
    world.now += 100_000
    world.down(1, 160, 30)
    // The press wants its finger near the tap. The tap has happened, and keeps the new touch back.
    #expect(
      world.frame() == [
        "0: home#press failed: tapped 60 points from the tap before, distance is 45",
        "0: home#tap recognized",
      ])
    world.now += 50_000
    world.up(1)
    #expect(world.frame() == ["0: home#tap recognized"])
  }

  @Test("a finger that a tap takes as its waiting ends is held back from that frame on (G7, G11)")
  func holdsBackAsWaitingEnds() throws {
    let pinch = pan("home", "pinch") {
      $0 = RecognizerDescription(.pinch(.init()), touches: FingerCount(2, 2))
    }
    var drag = pan("home", "drag") { $0.hasPriority = true }
    drag.after = ["home#pinch"]
    var tap = pan("home/toolbar", "tap") { $0 = RecognizerDescription(.tap(.init())) }
    tap.description.delaysBegan = true
    tap.after = ["home#pinch"]
    let world = try world([pinch, drag, tap])
    world.down(0, 400, 150)
    #expect(world.frame() == ["0: began 1 a1 (400, 150)"])
    world.down(1, 100, 30)
    #expect(world.frame() == [])
    world.move(0, 400, 180)
    world.move(1, 100, 31)
    #expect(world.frame() == ["0: moved 1 a1 (400, 180)"])
    world.up(1)
    #expect(world.frame() == [])
    // Both wait for the pinch, which fails. The drag takes touch 1 away, so that the frame is told.
    world.down(2, 420, 160)
    world.down(3, 110, 30)
    let told = world.frame()
    #expect(told.contains("0: home#drag began"), "\(told)")
    #expect(!told.contains { $0.hasPrefix("1: ") }, "\(told)")
    world.now += 50_000
    world.up(3)
    #expect(world.frame() == ["0: home/toolbar#tap recognized"])
  }

  @Test("a recognizer of which nobody gets the events takes no touch from anybody (G2, G13)")
  func nobodyHandlesGestures() throws {
    let world = RoutingWorld(try RoutingWorld.layout(), gestures: [pan("home", "drag")])
    try world.attach(0, "home")
    world.down(0, 100, 30)
    #expect(world.frame() == ["0: began 1 a1 (100, 30)"])
    world.move(0, 200, 30)
    #expect(world.frame() == ["0: moved 1 a1 (200, 30)"])
  }

  @Test("a gesture ends with the client that hears of it, and with its view (G12)")
  func ends() throws {
    let world = try world([pan("home/toolbar", "drag"), pan("nav", "map")])
    try world.attach(2, "nav", gestures: true)
    world.down(0, 100, 30)
    _ = world.frame()
    world.move(0, 130, 30)
    #expect(world.frame().last == "0: home/toolbar#drag began")
    world.down(1, 50, 300)
    #expect(world.frame() == ["2: began 2 a3 (50, 60)"])
    world.move(1, 80, 300)
    #expect(world.frame() == ["2: cancelled gesture 2 a3 (80, 60)", "2: nav#map began"])
    world.goAway(2)
    #expect(world.said() == [])
    let smaller = try RoutingWorld.layout { $0.views.removeAll { $0.path.hasPrefix("home/") } }
    world.pipeline.replaceLayout(smaller, at: world.time)
    #expect(world.said().first == "0: home/toolbar#drag cancelled targetRemoved")
  }

  @Test("a program that goes is told nothing of what its gestures held back (R7, G10, G11)")
  func goesWithHeldTouches() throws {
    for delaysBegan in [false, true] {
      let tap = pan("home", "tap") {
        $0.kind = .tap(.init())
        $0.touches = FingerCount(1, 1)
        $0.delaysBegan = delaysBegan
      }
      let double = pan("home", "double") {
        var kind = GestureKind.Tap()
        kind.taps = 2
        $0.kind = .tap(kind)
        $0.touches = FingerCount(1, 1)
        $0.cancelsTouches = false
      }
      let world = try world(delaysBegan ? [tap] : [double])
      world.down(0, 400, 200)
      _ = world.frame()
      if !delaysBegan {
        world.up(0)
        #expect(world.frame() == [])
      }
      world.goAway(0)
      #expect(world.said() == [])
    }
  }

  @Test("of gestures that end with their program none gains by the end of another (G7, G12)")
  func endTogether() throws {
    var drag = pan("home", "drag")
    drag.after = ["home#zoom"]
    let world = try world([
      RecognizerSpec(.view("home"), "zoom", RecognizerDescription(.pinch(.init()))), drag,
    ])
    world.down(0, 400, 200)
    _ = world.frame()
    world.move(0, 430, 200)
    #expect(world.frame() == ["0: moved 1 a1 (430, 200)"])
    world.setUnresponsive(0, true)
    #expect(
      world.said() == [
        "0: cancelled clientUnresponsive 1 a1 (430, 200)",
        "0: home#zoom failed: its touch was cancelled",
        "0: home#drag failed: its touch was cancelled",
      ])
  }

  @Test("a touch that begins with the frame that lets another one go is told once (T5, G11)")
  func beganWhileReplayed() throws {
    let tap = pan("home", "tap") {
      $0.kind = .tap(.init())
      $0.touches = FingerCount(1, 1)
      $0.delaysBegan = true
    }
    let world = try world([tap])
    world.down(0, 100, 30)
    #expect(world.frame() == [])
    world.down(1, 200, 30)
    #expect(
      world.frame() == [
        "0: home#tap failed: more fingers than 1", "1: began replayed 1 a2 (100, 30)",
        "1: stationary 1 a2 (100, 30) | began 2 a2 (200, 30)",
      ])
  }

  /// One that holds fingers back until it fails, and one that waits for two fingers to fail.
  private var heldAndWaiting: [RecognizerSpec] {
    let slow = pan("home", "slow") {
      $0.kind = .pan(.init(.vertical))
      $0.delaysBegan = true
    }
    var wide = GestureKind.Pan()
    wide.slop = 100
    let kind = GestureKind.pan(wide)
    var two = pan("home", "two") {
      $0.kind = kind
      $0.touches = FingerCount(2, 2)
    }
    two.description.delaysEnded = false
    var drag = pan("home", "drag") {
      $0.cancelsTouches = false
      $0.hasPriority = true
    }
    drag.after = ["home#two"]
    drag.simultaneous = ["home#slow"]
    return [slow, two, drag]
  }

  @Test("what a landing finger makes a gesture tell comes before what is replayed (G11)")
  func landsBeforeReplay() throws {
    let world = try world(heldAndWaiting)
    world.down(0, 100, 30)
    world.down(1, 120, 30)
    #expect(world.frame() == [])
    world.move(0, 130, 31)
    world.move(1, 150, 31)
    world.down(2, 500, 200)
    #expect(
      world.frame() == [
        "0: home#slow failed: moved 30 points across, slop is 10",
        "0: home#two failed: more fingers than 2", "0: home#drag began",
        "1: began replayed 1 a2 (100, 30)",
        "1: stationary 1 a2 (130, 31) | began replayed 2 a2 (120, 30)",
        "1: moved 1 a2 (130, 31) | moved 2 a2 (150, 31)", "0: began 3 a1 (500, 200)",
      ])
  }

  @Test("a finger held back that ends as another lands is told whole (T5, G11)")
  func endsAsOtherLands() throws {
    for isLift in [true, false] {
      let world = try world([pan("home/toolbar", "slow") { $0.delaysBegan = true }])
      world.down(0, 100, 30)
      #expect(world.frame() == [])
      let (device, time) = (world.device, world.time)
      world.feed(
        isLift
          ? .up(device, slot: 0, time: time)
          : .cancel(device, slot: 0, reason: .palm, time: time))
      world.down(1, 400, 200)
      let (reason, end) =
        isLift ? ("lifted before", "ended") : ("its touch was cancelled", "cancelled palm")
      #expect(
        world.frame() == [
          "0: home/toolbar#slow failed: \(reason)", "1: began replayed 1 a2 (100, 30)",
          "1: \(end) 1 a2 (100, 30)", "0: began 2 a1 (400, 200)",
        ])
    }
  }

  /// Two fingers of `home`, for a drag that waits for a pan of two, and one of `nav`, of client 2,
  /// that is held back; the next finger in `home` makes the drag begin.
  private func heldBesideDrag() throws -> RoutingWorld {
    let two = heldAndWaiting[1]
    var drag = pan("home", "drag") { $0.hasPriority = true }
    drag.after = ["home#two"]
    let slow = pan("nav", "slow") {
      $0.kind = .pan(.init(.vertical))
      $0.delaysBegan = true
    }
    let world = RoutingWorld(try RoutingWorld.layout(), gestures: [two, drag, slow])
    try world.attach(0, "home", gestures: true)
    try world.attach(2, "nav", gestures: true)
    world.pipeline.isObserved = true
    world.down(0, 100, 100)
    world.down(1, 120, 100)
    world.down(2, 50, 300)
    #expect(world.frame() == ["0: began 1 a1 (100, 100) | began 2 a1 (120, 100)"])
    world.move(0, 130, 100)
    world.move(1, 150, 100)
    world.move(2, 54, 300)
    #expect(world.frame() == ["0: moved 1 a1 (130, 100) | moved 2 a1 (150, 100)"])
    return world
  }

  @Test("where another gesture takes touches, what a frame lets go moves as it is (G9, G11)")
  func movesAsOthersAreTaken() throws {
    let world = try heldBesideDrag()
    world.move(2, 90, 301)
    world.down(3, 500, 200)
    #expect(
      world.frame() == [
        "2: nav#slow failed: moved 40 points across, slop is 10",
        "0: home#two failed: more fingers than 2",
        "0: cancelled gesture 1 a1 (130, 100) | cancelled gesture 2 a1 (150, 100)"
          + " | began 4 a1 (500, 200)",
        "0: home#drag began", "2: began replayed 3 a2 (50, 60)",
        "2: moved replayed 3 a2 (54, 60)", "2: moved 3 a2 (90, 61)",
      ])
    let observed = world.observations.records.map { "\($0.phase) \($0.id.rawValue)" }
    #expect(observed == ["cancelled 1", "cancelled 2", "began 4", "moved 3"])
  }

  @Test("where another gesture takes touches, what is held back is cancelled aloud (G9, G11, T5)")
  func cancelledAsOthersAreTaken() throws {
    let world = try heldBesideDrag()
    world.feed(.cancel(world.device, slot: 2, reason: .palm, time: world.time))
    world.down(3, 500, 200)
    #expect(
      world.frame() == [
        "2: nav#slow failed: its touch was cancelled", "0: home#two failed: more fingers than 2",
        "0: cancelled gesture 1 a1 (130, 100) | cancelled gesture 2 a1 (150, 100)"
          + " | began 4 a1 (500, 200)",
        "0: home#drag began", "2: began replayed 3 a2 (50, 60)",
        "2: moved replayed 3 a2 (54, 60)", "2: cancelled palm 3 a2 (54, 60)",
      ])
  }

  @Test("a tap recognizes as soon as a reload has it wait for nobody (G1, G7)")
  func waitsNoMore() throws {
    var press = GestureKind.LongPress()
    press.taps = 1
    let other = RecognizerSpec(
      .view("home"), "press", RecognizerDescription(.longPress(press)))
    let tap = RecognizerSpec(.view("home"), "tap", RecognizerDescription(.tap(.init())))
    var waiting = tap
    waiting.after = ["home#press"]
    for isReload in [true, false] {
      let world = try world([other, waiting])
      #expect(world.tap(100, 100) == ["0: began 1 a1 (100, 100)"])
      if isReload {
        world.pipeline.replaceLayout(
          try RoutingWorld.layout(), gestures: [other, tap], at: world.time)
      } else {
        world.pipeline.put(tap, at: world.time)
      }
      #expect(
        world.said() == [
          "0: cancelled gesture 1 a1 (100, 100)", "0: home#tap recognized",
          "0: home#press failed: home#tap recognized",
        ])
      world.down(0, 102, 100)
      #expect(world.frame() == ["0: began 2 a1 (102, 100)"])
    }
  }

  @Test("a gesture that ends with its view is told before what others held back (R8, G11)")
  func replayBehindEndsOfLayout() throws {
    let slow = pan("home", "slow") { $0.delaysBegan = true }
    var drag = RecognizerSpec(.screen("panel"), "drag", RecognizerDescription(.pan(.init())))
    drag.to = "home/toolbar"
    drag.description.cancelsTouches = false
    let world = RoutingWorld(try RoutingWorld.layout(), gestures: [slow, drag])
    try world.attach(0, "home", gestures: true)
    try world.attach(1, "home/toolbar", gestures: true)
    world.down(0, 50, 300)
    _ = world.frame()
    world.move(0, 80, 300)
    #expect(world.frame() == ["1: screen:panel#drag began"])
    world.down(1, 400, 200)
    #expect(world.frame() == [])
    let smaller = try RoutingWorld.layout { $0.views.removeAll { $0.path.hasPrefix("home/") } }
    world.pipeline.replaceLayout(smaller, gestures: [drag], at: world.time)
    #expect(
      world.said() == [
        "0: home#slow failed: its touch was cancelled",
        "1: screen:panel#drag cancelled targetRemoved", "0: began replayed 2 a1 (400, 200)",
        "1: detached a2 removed", "0: layout a1",
      ])
  }

  /// A tap of the screen that goes to `nav`.
  private func tapOfScreen(
    _ layout: Layout, _ change: (inout RecognizerSpec) -> Void
  ) throws -> RoutingWorld {
    var tap = RecognizerSpec(.screen("panel"), "tap", RecognizerDescription(.tap(.init())))
    tap.to = "nav"
    tap.description.delaysEnded = false
    change(&tap)
    let world = RoutingWorld(layout, gestures: [tap])
    try world.attach(0, "nav", gestures: true)
    try world.attach(1, "home")
    return world
  }

  @Test("a screen's gesture takes no touch on a secure view, unless it says so (F8, S24)")
  func screenAndSecret() throws {
    let layout = try RoutingWorld.layout { $0.views[0].properties.secure = true }
    for seesSecure in [false, true] {
      let world = try tapOfScreen(layout) { $0.seesSecure = seesSecure }
      let told = world.tap(100, 30)
      #expect(told.contains("0: screen:panel#tap recognized") == seesSecure, "\(told)")
      // Outside of the secure view it is a gesture like others.
      #expect(world.tap(400, 200).contains("0: screen:panel#tap recognized"))
    }
  }

  @Test("a screen's gesture takes no touch on a window of a higher level (G2, S29)")
  func screenAndLevel() throws {
    for (level, isTold) in [(999, true), (1000, false)] {
      let layout = try RoutingWorld.layout { description in
        for index in description.windows.indices where description.windows[index].name == "home" {
          description.windows[index].level = level
        }
      }
      let world = try tapOfScreen(layout) { _ in }
      #expect(world.tap(400, 200).contains("0: screen:panel#tap recognized") == isTold)
    }
  }

  @Test("a gesture takes no touch of which who gets it may not learn (F8, G13, S24)")
  func viewAndSecret() throws {
    let layout = try RoutingWorld.layout { $0.views[0].properties.secure = true }
    var tap = pan("home", "tap") { $0.kind = .tap(.init()) }
    tap.to = "nav"
    let world = RoutingWorld(layout, gestures: [tap])
    try world.attach(0, "nav", gestures: true)
    try world.attach(1, "home")
    #expect(world.tap(100, 30) == ["1: began 1 a2 (100, 30)", "1: ended 1 a2 (100, 30)"])
  }

  /// Two fingers that turn, and one that pans once that has failed.
  private var panAfterTurn: [RecognizerSpec] {
    var turn = pan("home", "turn") { $0 = RecognizerDescription(.rotation(.init())) }
    turn.description.delaysEnded = false
    var drag = pan("home", "drag") { $0.delaysBegan = true }
    drag.after = ["home#turn"]
    return [turn, drag]
  }

  @Test("what waited without its fingers holds no end back (G7, G10)")
  func endAfterWaiting() throws {
    let world = try world(panAfterTurn)
    world.down(0, 100, 30)
    #expect(world.frame() == [])
    world.move(0, 130, 30)
    #expect(world.frame() == [])
    world.up(0)
    #expect(
      world.frame() == [
        "0: home#turn failed: lifted before", "1: began replayed 1 a2 (100, 30)",
        "1: moved replayed 1 a2 (130, 30)", "1: ended 1 a2 (130, 30)",
      ])
  }

  private func twice(_ name: String, _ delaysBegan: Bool, within interval: UInt64)
    -> RecognizerSpec
  {
    var tap = GestureKind.Tap()
    tap.taps = 2
    tap.intervalMilliseconds = interval
    return pan("home", name) {
      $0 = RecognizerDescription(.tap(tap))
      $0.delaysBegan = delaysBegan
    }
  }

  @Test("an end that one recognizer lets go waits for the other one (G10, G11)")
  func endKeptFurther() throws {
    let world = try world([twice("soon", true, within: 100), twice("late", false, within: 300)])
    #expect(world.tap(100, 30) == [])
    world.pipeline.advance(to: Timestamp(microseconds: 101_000))
    #expect(
      world.said() == [
        "0: home#soon failed: no further tap within 100 ms", "1: began replayed 1 a2 (100, 30)",
      ])
    world.pipeline.advance(to: Timestamp(microseconds: 301_000))
    #expect(
      world.said() == [
        "0: home#late failed: no further tap within 300 ms", "1: ended 1 a2 (100, 30)",
      ])
  }

  @Test("where all is cancelled, a touch that had ended has ended (G10, R9)")
  func cancelAllAfterEnd() throws {
    let world = try world([twice("twice", false, within: 300)])
    #expect(world.tap(100, 30) == ["1: began 1 a2 (100, 30)"])
    world.pipeline.cancelAll(.stopping, at: world.time)
    #expect(
      world.said() == [
        "0: home#twice failed: its touch was cancelled", "1: ended 1 a2 (100, 30)",
      ])
  }

  /// A tap that keeps its touches from clients, and fails as a second finger lands.
  private func heldTap() -> RecognizerSpec {
    pan("home", "tap") {
      $0 = RecognizerDescription(.tap(.init()))
      $0.delaysBegan = true
    }
  }

  @Test("a finger whose client left while it was held back moves on, and nobody hears (G11, R7)")
  func leftWhileHeldBack() throws {
    let world = try world([heldTap()])
    world.down(0, 100, 30)
    #expect(world.frame() == [])
    world.goAway(1)
    #expect(world.said() == [])
    world.move(0, 101, 30)
    world.down(1, 300, 200)
    #expect(
      world.frame() == [
        "0: home#tap failed: more fingers than 1", "0: began 2 a1 (300, 200)",
      ])
    world.up(0)
    world.up(1)
    #expect(world.frame() == ["0: ended 2 a1 (300, 200)"])
  }

  @Test(
    "a client can neither accept nor decline a touch that it was not given yet (G11, R5)",
    arguments: [true, false])
  func decidedWhileHeldBack(isAccepted: Bool) throws {
    let world = try world([heldTap()])
    world.down(0, 100, 30)
    #expect(world.frame() == [])
    if isAccepted {
      world.accept(1, through: 2, by: 1)
    } else {
      #expect(world.decline(1, through: 2, by: 1) == [])
    }
    #expect(world.said() == [])
    #expect(world.pipeline.counters[.unknownTouches] == 1)
    world.move(0, 101, 30)
    world.down(1, 300, 200)
    #expect(
      world.frame() == [
        "0: home#tap failed: more fingers than 1", "1: began replayed 1 a2 (100, 30)",
        "1: moved 1 a2 (101, 30)", "0: began 2 a1 (300, 200)",
      ])
  }

  @Test("a touch that is cancelled in the frame of a replay only rests in that (G11, T5)")
  func cancelledBesideReplay() throws {
    let world = try world([
      pan("home", "press") {
        $0 = RecognizerDescription(.longPress(.init()))
        $0.delaysBegan = true
      }
    ])
    world.down(0, 100, 30)
    #expect(world.frame() == [])
    world.down(1, 120, 30)
    #expect(world.frame().contains { $0.contains("began 2 ") })
    world.up(0)
    #expect(world.frame().contains { $0.contains("ended 1 ") })
    world.down(2, 140, 30)
    #expect(world.frame() == [])
    world.feed(.cancel(world.device, slot: 1, reason: .palm, time: world.time))
    world.down(3, 300, 200)
    let said = world.frame()
    #expect(said.contains { $0.contains("began replayed 3 ") && !$0.contains("palm") }, "\(said)")
    #expect(said.contains { $0.contains("cancelled palm 2 ") }, "\(said)")
  }

  @Test("numbers that are used up end nothing, whoever adds recognizers (G1, F1)")
  func numbersUsedUp() throws {
    let world = try world([pan("home", "drag")])
    world.pipeline.numbers.recognizer = .max
    world.pipeline.put(pan("home", "other"), at: world.time)
    #expect(world.pipeline.router.recognizers.id(of: "home#other") == RecognizerID(.max))
    let specs = ["drag", "other", "third"].map { pan("home", $0) }
    world.pipeline.replaceLayout(try RoutingWorld.layout(), gestures: specs, at: world.time)
    #expect(world.pipeline.router.recognizers.id(of: "home#drag") == RecognizerID(1))
  }

  @Test("one that comes with a number from before takes nobody's place (G1, R9)")
  func numberInUse() throws {
    let world = try world([pan("home", "drag"), pan("home", "other")])
    world.pipeline.numbers.recognizer = 7
    world.pipeline.vacate([RecognizerID(1), RecognizerID(5)])
    world.pipeline.put(pan("home/toolbar", "kept"), as: RecognizerID(1), at: world.time)
    let recognizers = world.pipeline.router.recognizers
    #expect(recognizers.id(of: "home/toolbar#kept") == RecognizerID(1))
    #expect(recognizers.id(of: "home#drag") == RecognizerID(7))
    #expect(recognizers.id(of: "home#other") == RecognizerID(2))
    #expect(world.pipeline.numbers.recognizer == 8)
  }
}
