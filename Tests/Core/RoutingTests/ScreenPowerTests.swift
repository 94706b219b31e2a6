import Layout
import TestSupport
import Testing
import TouchModel
import Wire

@testable import Routing

/// Screens that go dark, and what wakes them, without a router.
@Suite("Whether screens are dark")
struct ScreenPowerTests {
  private static let panel = ScreenIndex(0)
  private static let device = DeviceID(1)

  private static func screens(_ action: Screen.Waking.Action = .touch, count: Int = 1) -> [Screen] {
    (0..<count).map { number in
      var screen = Screen(name: "panel\(number)", size: Size(width: 800, height: 480))
      screen.waking.action = action
      return screen
    }
  }

  private static func dark(_ action: Screen.Waking.Action, isAttended: Bool = true) -> PowerWorld {
    let power = PowerWorld(screens(action))
    power.setAttended(panel, isAttended, at: at(0))
    #expect(power.set(panel, isOn: false, at: at(0)))
    power.removeChanges()
    return power
  }

  private static func at(_ milliseconds: Int) -> Timestamp {
    Timestamp(microseconds: 1_000_000).adding(milliseconds: UInt64(milliseconds))
  }

  private static func touch(
    _ id: UInt64, _ phase: TouchPhase, _ x: Double, at milliseconds: Int
  ) -> Touch {
    Touch(id: TouchID(id), phase: phase, location: Point(x: x, y: 100), time: at(milliseconds))
  }

  /// A finger of the device comes down, or goes up; returns whether it was kept out as it came.
  private static func finger(
    _ power: PowerWorld, _ id: UInt64, _ phase: TouchPhase, _ x: Double = 100,
    at milliseconds: Int
  ) -> Bool {
    let touch = touch(id, phase, x, at: milliseconds)
    power.advance(to: touch.time)
    if phase == .began {
      let isKeptOut = power.keepsOut(touchBegunAt: touch.time, on: panel)
      if isKeptOut { power.begin(touch, of: device, on: panel) }
      return isKeptOut
    }
    power.take(TouchFrame(device: device, screen: panel, time: touch.time, touches: [touch]))
    return false
  }

  @Test("a screen that is on keeps no touch out, and waits for nothing (D1)")
  func on() {
    let power = PowerWorld(Self.screens())
    #expect(power.areAllOn)
    #expect(power.takesTouches(begunAt: Self.at(0)))
    #expect(!power.keepsOut(touchBegunAt: Self.at(0), on: Self.panel))
    #expect(power.nextDeadline == nil)
    #expect(!power.set(Self.panel, isOn: true, at: Self.at(0)))
    #expect(power.changes.isEmpty)
  }

  @Test(
    "a touch wakes a dark screen, and is kept out until it is on and the guard is over (D3, D4)")
  func woken() {
    let power = Self.dark(.touch)
    #expect(Self.finger(power, 1, .began, at: 10))
    #expect(
      power.changes == [ScreenPower.Change(screen: Self.panel, state: .waking, cause: .woken)])
    #expect(Self.finger(power, 2, .began, at: 20))
    #expect(power.changes.count == 1)
    #expect(power.nextDeadline == Self.at(5_010))
    #expect(power.set(Self.panel, isOn: true, at: Self.at(900)))
    #expect(power.nextDeadline == nil)
    #expect(Self.finger(power, 3, .began, at: 1_099))
    #expect(!Self.finger(power, 4, .began, at: 1_100))
  }

  @Test("the guard keeps out what began before its end, though something later has begun (D3)")
  func guardsWhatComesLate() {
    let power = Self.dark(.touch)
    #expect(power.set(Self.panel, isOn: true, at: Self.at(100)))
    #expect(!power.keepsOut(touchBegunAt: Self.at(300), on: Self.panel))
    #expect(power.takesTouches(begunAt: Self.at(300)))
    #expect(power.keepsOut(touchBegunAt: Self.at(299), on: Self.panel))
    #expect(!power.takesTouches(begunAt: Self.at(299)))
  }

  @Test("a blanker that does not answer has the screen on after wake_timeout (D4)")
  func timeout() {
    let power = Self.dark(.touch)
    _ = Self.finger(power, 1, .began, at: 10)
    power.removeChanges()
    power.advance(to: Self.at(5_009))
    #expect(power.state(of: Self.panel) == .waking)
    power.advance(to: Self.at(5_010))
    #expect(
      power.changes == [ScreenPower.Change(screen: Self.panel, state: .on, cause: .timedOut)])
    #expect(Self.finger(power, 2, .began, at: 5_209))
    #expect(!Self.finger(power, 3, .began, at: 5_210))
  }

  @Test(
    "without a blanker a touch has the screen on, whatever wakes it otherwise (D5)",
    arguments: Screen.Waking.Action.allCases)
  func unattended(_ action: Screen.Waking.Action) {
    let power = Self.dark(action, isAttended: false)
    #expect(Self.finger(power, 1, .began, at: 10))
    #expect(
      power.changes == [ScreenPower.Change(screen: Self.panel, state: .on, cause: .unattended)])
    #expect(Self.finger(power, 2, .began, at: 209))
    #expect(!Self.finger(power, 3, .began, at: 210))
  }

  @Test(
    "a blanker that goes while the screen wakes leaves it on, while it is dark leaves it dark (D5)")
  func blankerGoes() {
    let power = Self.dark(.touch)
    power.setAttended(Self.panel, false, at: Self.at(5))
    #expect(power.state(of: Self.panel) == .dark)
    power.setAttended(Self.panel, true, at: Self.at(6))
    _ = Self.finger(power, 1, .began, at: 10)
    power.removeChanges()
    power.setAttended(Self.panel, false, at: Self.at(20))
    #expect(
      power.changes == [ScreenPower.Change(screen: Self.panel, state: .on, cause: .unattended)])
    #expect(power.keepsOut(touchBegunAt: Self.at(219), on: Self.panel))
    #expect(!power.keepsOut(touchBegunAt: Self.at(220), on: Self.panel))
  }

  @Test("two taps wake a screen where that is configured; one tap does not, nor two far apart (D4)")
  func doubleTap() {
    let power = Self.dark(.doubleTap)
    for (id, x, start) in [(1, 100.0, 0), (2, 100, 1_000), (3, 300, 1_200)] as [(UInt64, _, _)] {
      #expect(Self.finger(power, id, .began, x, at: start))
      _ = Self.finger(power, id, .ended, x, at: start + 50)
    }
    #expect(power.changes.isEmpty)
    for (id, start) in [(4, 3_000), (5, 3_200)] as [(UInt64, Int)] {
      #expect(Self.finger(power, id, .began, at: start))
      #expect(power.changes.isEmpty)
      _ = Self.finger(power, id, .ended, at: start + 50)
    }
    #expect(power.changes.map(\.state) == [.waking])
    #expect(power.nextDeadline == Self.at(8_250))
  }

  @Test("a long press wakes a screen at its time, though nothing moves (D4)")
  func longPress() {
    let power = Self.dark(.longPress)
    _ = Self.finger(power, 1, .began, at: 0)
    _ = Self.finger(power, 1, .ended, at: 400)
    #expect(power.changes.isEmpty)
    #expect(power.nextDeadline == nil)
    _ = Self.finger(power, 2, .began, at: 1_000)
    #expect(power.nextDeadline == Self.at(1_500))
    power.advance(to: Self.at(1_500))
    #expect(power.changes.map(\.state) == [.waking])
  }

  @Test(
    "what fingers did before a screen was dark, or woke it last, is not part of what wakes it (D4)")
  func anew() {
    let power = Self.dark(.doubleTap)
    _ = Self.finger(power, 1, .began, at: 0)
    _ = Self.finger(power, 1, .ended, at: 50)
    _ = power.set(Self.panel, isOn: true, at: Self.at(100))
    _ = power.set(Self.panel, isOn: false, at: Self.at(110))
    power.removeChanges()
    _ = Self.finger(power, 2, .began, at: 200)
    _ = Self.finger(power, 2, .ended, at: 250)
    #expect(power.changes.isEmpty)
  }

  @Test("a button wakes a screen that no touch wakes (D4)")
  func none() {
    let power = Self.dark(.none)
    for id in 1...5 as ClosedRange<UInt64> {
      #expect(Self.finger(power, id, .began, at: Int(id) * 300))
      _ = Self.finger(power, id, .ended, at: Int(id) * 300 + 50)
    }
    #expect(power.changes.isEmpty)
    #expect(power.set(Self.panel, isOn: true, at: Self.at(2_000)))
  }

  @Test("screens are dark each by itself, and stay so as others are configured (D6)")
  func several() {
    let power = PowerWorld(Self.screens(count: 3))
    _ = power.set(ScreenIndex(1), isOn: false, at: Self.at(0))
    #expect(!power.keepsOut(touchBegunAt: Self.at(1), on: ScreenIndex(0)))
    #expect(power.keepsOut(touchBegunAt: Self.at(1), on: ScreenIndex(1)))
    var screens = Array(Self.screens(.doubleTap, count: 3).dropFirst())
    power.replace(screens)
    #expect(power.state(of: ScreenIndex(0)) == .dark)
    #expect(!power.keepsOut(touchBegunAt: Self.at(1), on: ScreenIndex(1)))
    screens.removeFirst()
    power.replace(screens)
    #expect(power.areAllOn)
    power.restore(ScreenIndex(0), .waking, at: Self.at(10))
    #expect(power.nextDeadline == Self.at(5_010))
  }

  /// A screen that is dark and has a blanker, with a program at home.
  private static func darkWorld() throws -> RoutingWorld {
    let world = RoutingWorld(try RoutingWorld.layout())
    try world.attach(1, "home")
    world.pipeline.setScreen(panel, isAttended: true, at: world.time)
    return world
  }

  @Test("a touch after the time to wake and the guard is not lost, however late a timer is (D4)")
  func lateTimer() throws {
    let world = try Self.darkWorld()
    _ = world.pipeline.setScreen(Self.panel, isOn: false, at: world.time)
    _ = world.tap(100, 100)
    #expect(world.pipeline.router.screens.state(of: Self.panel) == .waking)
    world.now += 5_300_000
    let said = world.tap(100, 100)
    #expect(said.contains { $0.hasPrefix("1: began") }, "\(said)")
  }

  @Test("a frame is guarded by its own time, whatever was cancelled since (D3)")
  func guardedByFrameTime() throws {
    let layout = try RoutingWorld.layout { $0.windows[2].isAlwaysOn = true }
    let world = RoutingWorld(layout)
    try world.attach(1, "home")
    try world.attach(2, "media")
    world.down(0, 500, 300)
    _ = world.frame()
    _ = world.pipeline.setScreen(Self.panel, isOn: false, at: world.time)
    _ = world.pipeline.setScreen(Self.panel, isOn: true, at: world.time)
    world.now += 200_000
    let isCancelled = world.pipeline.cancel(TouchID(1), at: world.time)
    #expect(isCancelled)
    world.now -= 100
    let said = world.tap(100, 100)
    #expect(!said.contains { $0.hasPrefix("1:") }, "\(said)")
    let later = world.tap(100, 100)
    #expect(later.contains { $0.hasPrefix("1: began") }, "\(later)")
  }

  @Test("a touch that has ended on a screen that goes dark is declined no more (D3, R5)")
  func endedBefore() throws {
    let (world, _) = try Self.twoScreens { _ in }
    world.up(0)
    _ = world.frame()
    try world.attach(2, "home/toolbar")
    try world.attach(3, "home")
    _ = world.tap(100, 20)
    #expect(world.pipeline.router.nextDeadline != nil)
    // The same touchscreen is on the other screen by now.
    world.feed(
      .down(
        world.device, slot: 0, screen: ScreenIndex(1), location: Point(x: 10, y: 10),
        time: world.time))
    _ = world.frame()
    _ = world.pipeline.setScreen(Self.panel, isOn: false, at: world.time)
    _ = world.said()
    #expect(world.decline(2, through: 2, by: 2) == [])
    #expect(world.pipeline.router.counters[.passedOn] == 0)
  }

  /// A world of two screens, each with a window, with a finger on the second.
  private static func twoScreens(
    _ prepare: (RoutingWorld) -> Void
  ) throws -> (world: RoutingWorld, without: Layout) {
    let one = try RoutingWorld.layout { $0.windows.removeLast() }
    let two = try RoutingWorld.layout {
      $0.screens.append(Screen(name: "cluster", size: Size(width: 400, height: 200)))
      $0.windows[2].screen = ScreenIndex(1)
    }
    let world = RoutingWorld(two)
    try world.attach(1, "media")
    prepare(world)
    world.feed(
      .down(
        world.device, slot: 0, screen: ScreenIndex(1), location: Point(x: 10, y: 10),
        time: world.time))
    _ = world.frame()
    return (world, one)
  }

  @Test(
    "a finger on a screen that a reload takes away is discarded, whatever is dark or watched (D6)",
    arguments: ["dark", "locked", "seat", "screen", "nothing"])
  func screenGoes(_ what: String) throws {
    let (world, without) = try Self.twoScreens { world in
      switch what {
      case "dark": _ = world.pipeline.setScreen(Self.panel, isOn: false, at: world.time)
      case "locked":
        world.pipeline.lock(Self.panel, TouchLocks.Request(milliseconds: 30_000), at: world.time)
      case "seat", "screen":
        let scope: IdleWatches.Scope = what == "seat" ? .seat : .screen("cluster")
        let request = IdleWatches.Request(scope: scope, milliseconds: 1_000)
        _ = world.pipeline.watchIdle(request, for: ClientID(slot: 1, generation: 1), at: world.time)
      default: break
      }
    }
    world.now += 2_000_000
    world.pipeline.advance(to: world.time)
    world.pipeline.replaceLayout(without, at: world.time)
    world.drain()
    world.move(0, 20, 20)
    world.feed(
      .down(
        world.device, slot: 1, screen: ScreenIndex(1), location: Point(x: 10, y: 10),
        time: world.time))
    _ = world.frame()
    #expect(world.pipeline.counters[.discardedOutsideScreen] == 1)
    world.now += 2_000_000
    world.pipeline.advance(to: world.time)
    world.feed(.lost(world.device, reason: .deviceRemoved, time: world.time))
    world.drain()
    #expect(world.pipeline.router.pendingTouchCount == 0)
  }

  @Test("fingers that rested as screens changed places neither wake one nor end a lock (D6, D9)")
  func screensChangePlaces() throws {
    let device = DeviceID(1)
    let screens = Self.screens(.longPress, count: 2)
    let power = PowerWorld(screens)
    power.setAttended(Self.panel, true, at: Self.at(0))
    _ = power.set(Self.panel, isOn: false, at: Self.at(0))
    #expect(Self.finger(power, 1, .began, at: 100))
    #expect(power.nextDeadline == Self.at(600))
    power.replace(screens.reversed())
    #expect(power.state(of: ScreenIndex(1)) == .dark)
    #expect(power.nextDeadline == nil)

    var locks = TouchLocks(screens)
    let request = TouchLocks.Request(milliseconds: 30_000, exit: .all)
    locks.lock(Self.panel, request, of: screens, at: Self.at(0))
    for (id, x) in [(1, 10.0), (2, 790)] as [(UInt64, Double)] {
      let corner = Point(x: x, y: 10)
      let touch = Touch(id: TouchID(id), phase: .began, location: corner, time: Self.at(100))
      locks.begin(touch, of: device, on: Self.panel, at: Self.at(100))
    }
    locks.replace(screens)
    var deadline = locks.nextDeadline
    #expect(deadline == Self.at(3_100))
    locks.replace(screens.reversed())
    deadline = locks.nextDeadline
    #expect(deadline == Self.at(30_000))
    let end = locks.lock(of: ScreenIndex(1))?.end
    #expect(end == Self.at(30_000))
  }

  @Test("a lock leaves out views of the paths that it names, and what lies in them (D9)")
  func exceptions() {
    let request = TouchLocks.Request(milliseconds: 1_000, exceptions: ["home/a", "nav"])
    for path in ["home/a", "home/a/b", "nav", "nav/map"] { #expect(request.spares(path)) }
    for path in ["home", "home/ab", "home/b", "navy", "na"] { #expect(!request.spares(path)) }
  }

  @Test("the time to wake begins with the frame that wakes the screen (D4)")
  func frameTime() throws {
    let world = try Self.darkWorld()
    world.down(0, 100, 100)
    world.now += 6_000_000
    _ = world.pipeline.setScreen(Self.panel, isOn: false, at: world.time)
    _ = world.frame()
    world.pipeline.advance(to: world.time)
    #expect(world.pipeline.router.screens.state(of: Self.panel) == .waking)
  }

  @Test("whatever happens, touches flow again after wake, timeout and guard (D5)")
  func neverDeadForGood() {
    let seed = Seeds.fresh()
    var random = SeededGenerator(seed: seed)
    for world in 0..<2_000 {
      let actions = Screen.Waking.Action.allCases.filter { $0 != .none }
      let power = PowerWorld(Self.screens(actions[random.below(actions.count)]))
      var (time, id) = (0, UInt64(0))
      for _ in 0..<random.below(40) {
        time += random.below(400)
        power.advance(to: Self.at(time))
        switch random.below(5) {
        case 0: _ = power.set(Self.panel, isOn: false, at: Self.at(time))
        case 1: _ = power.set(Self.panel, isOn: true, at: Self.at(time))
        case 2: power.setAttended(Self.panel, random.oneIn(2), at: Self.at(time))
        default:
          id += 1
          _ = Self.finger(power, id, .began, at: time)
          time += random.below(700)
          _ = Self.finger(power, id, .ended, at: time)
        }
      }
      // Two taps, then a press: one of these wakes it, or a touch does.
      for (gap, length) in [(2_000, 50), (100, 50), (2_000, 800)] {
        (time, id) = (time + gap, id + 1)
        _ = Self.finger(power, id, .began, at: time)
        time += length
        _ = Self.finger(power, id, .ended, at: time)
      }
      time += 5_000 + 200
      power.advance(to: Self.at(time))
      #expect(
        !power.keepsOut(touchBegunAt: Self.at(time), on: Self.panel), "seed \(seed), world \(world)"
      )
      #expect(power.nextDeadline == nil)
    }
  }
}

/// Screens that may be asked within an expectation.
private final class PowerWorld {
  private var power: ScreenPower

  init(_ screens: [Screen]) { power = ScreenPower(screens) }

  var areAllOn: Bool { power.areAllOn }
  var changes: [ScreenPower.Change] { power.changes }
  var nextDeadline: Timestamp? { power.nextDeadline }
  func state(of screen: ScreenIndex) -> ScreenState { power.state(of: screen) }
  func removeChanges() { power.removeChanges() }
  func replace(_ screens: [Screen]) { power.replace(screens) }
  func advance(to time: Timestamp) { power.advance(to: time) }
  func take(_ frame: TouchFrame) { power.take(frame) }

  func set(_ screen: ScreenIndex, isOn: Bool, at time: Timestamp) -> Bool {
    power.set(screen, isOn: isOn, at: time)
  }

  func setAttended(_ screen: ScreenIndex, _ isAttended: Bool, at time: Timestamp) {
    power.setAttended(screen, isAttended, at: time)
  }

  func restore(_ screen: ScreenIndex, _ state: ScreenState, at time: Timestamp) {
    power.restore(screen, state, at: time)
  }

  func takesTouches(begunAt time: Timestamp) -> Bool { power.takesTouches(begunAt: time) }

  func keepsOut(touchBegunAt time: Timestamp, on screen: ScreenIndex) -> Bool {
    power.keepsOut(touchBegunAt: time, on: screen)
  }

  func begin(_ touch: Touch, of device: DeviceID, on screen: ScreenIndex) {
    power.begin(touch, of: device, on: screen, at: touch.time)
  }
}
