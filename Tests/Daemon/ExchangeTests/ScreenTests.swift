import CThreadCredentials
import Configuration
import DaemonSupport
import EventLoop
import Glibc
import Routing
import Server
import Testing
import TouchClient
import TouchModel
import Wire

@testable import Exchange

/// Screens that go dark, by real clients on the daemon's own exchange, whose time stands still.
@Suite("Exchange, dark screens", .enabled(if: geteuid() == 0))
struct ScreenTests {
  private func bench(panel: String = "", _ more: String = "") throws -> ExchangeBench {
    let panel = twoWindows.replacing("size = [800, 480]", with: "size = [800, 480]\n\(panel)")
    return try ExchangeBench(panel + more, time: 1_000_000)
  }

  /// Answers to set_screen: nil where it is done.
  private func set(
    _ bench: ExchangeBench, _ client: DaemonClient, isOn: Bool, _ screen: String = "panel",
    asBlanker: Bool = true
  ) throws -> RequestFailure? {
    try client.connection.setScreen(screen, isOn: isOn, asBlanker: asBlanker)
    return try client.next(meanwhile: bench.turn) { event -> RequestFailure?? in
      event.completion != nil ? .some(nil) : event.failure.map { .some($0) }
    }
  }

  private func pass(_ bench: ExchangeBench, milliseconds: UInt64) {
    bench.loop.advance(to: bench.loop.now + milliseconds * 1_000)
    bench.catchUp()
  }

  private func tap(_ bench: ExchangeBench, _ x: Double = 500, _ y: Double = 20) {
    bench.down(0, x, y)
    bench.frame()
    bench.up(0)
    bench.frame()
  }

  @Test("the finger that wakes a screen presses nothing, nor what comes before its guard ends (D3)")
  func wake() throws {
    let bench = try bench()
    let right = try bench.client(attachedTo: "right")
    let blanker = try bench.client(name: "backlight")
    bench.down(3, 500, 20)
    bench.frame()
    #expect(try set(bench, blanker, isOn: false) == nil)
    let before = try bench.touches(of: right)
    #expect(before.map(\.phase) == [.began, .cancelled])
    #expect(before.last?.cancelReason == .dark)
    bench.down(0, 500, 20)
    bench.frame()
    let woken = try blanker.next(meanwhile: bench.turn, \.screen)
    #expect(woken.name == "panel" && woken.state == .waking && woken.cause == .woken)
    pass(bench, milliseconds: 300)
    #expect(try set(bench, blanker, isOn: true) == nil)
    bench.move(0, 510, 20)
    bench.frame()
    bench.up(0)
    bench.frame()
    pass(bench, milliseconds: 150)
    tap(bench)
    #expect(try bench.touches(of: right).isEmpty)
    pass(bench, milliseconds: 200)
    tap(bench)
    #expect(try bench.touches(of: right).map(\.phase) == [.began, .ended])
    #expect(bench.exchange.pipeline.counters[.discardedDark] == 2)
    #expect(bench.exchange.pipeline.checker.violationCount == 0)
  }

  @Test("a dark screen whose blanker is gone wakes by any finger, and then takes touches (D5, S36)")
  func gone() throws {
    let bench = try bench(panel: "wake = \"none\"")
    let right = try bench.client(attachedTo: "right")
    var blanker: DaemonClient? = try bench.client(name: "backlight")
    #expect(try set(bench, try #require(blanker), isOn: false) == nil)
    tap(bench)
    pass(bench, milliseconds: 60_000)
    tap(bench)
    #expect(bench.exchange.pipeline.router.screens.state(of: ScreenIndex(0)) == .dark)
    blanker = nil
    try bench.turn { bench.exchange.server.clientCount == 1 }
    #expect(bench.exchange.pipeline.router.screens.state(of: ScreenIndex(0)) == .dark)
    tap(bench)
    pass(bench, milliseconds: 300)
    #expect(bench.exchange.pipeline.router.screens.state(of: ScreenIndex(0)) == .on)
    #expect(try bench.touches(of: right).isEmpty)
    tap(bench)
    #expect(try bench.touches(of: right).map(\.phase) == [.began, .ended])
  }

  @Test("a blanker that does not answer is not waited for beyond wake_timeout_ms (D4, S36)")
  func timeout() throws {
    let bench = try bench(panel: "wake_timeout_ms = 2000")
    let right = try bench.client(attachedTo: "right")
    let blanker = try bench.client(name: "backlight")
    #expect(try set(bench, blanker, isOn: false) == nil)
    tap(bench)
    pass(bench, milliseconds: 1_990)
    #expect(bench.exchange.pipeline.router.screens.state(of: ScreenIndex(0)) == .waking)
    pass(bench, milliseconds: 20)
    #expect(bench.exchange.pipeline.router.screens.state(of: ScreenIndex(0)) == .on)
    pass(bench, milliseconds: 200)
    tap(bench)
    #expect(try bench.touches(of: right).map(\.phase) == [.began, .ended])
    var told: [ScreenNotice] = []
    for _ in 0..<2 { told.append(try blanker.next(meanwhile: bench.turn, \.screen)) }
    #expect(told.map(\.state) == [.waking, .on])
    #expect(told.map(\.cause) == [.woken, .timedOut])
  }

  @Test("a second blanker is refused by the first one's name; who watches hears of all (D2)")
  func refused() throws {
    let bench = try bench()
    let blanker = try bench.client(name: "backlight")
    let other = try bench.client(name: "rival")
    try other.connection.watchScreens()
    let first = try other.next(meanwhile: bench.turn, \.screen)
    #expect(first.state == .on && first.cause == nil)
    #expect(try set(bench, blanker, isOn: true) == nil)
    let held = try set(bench, other, isOn: false)
    #expect(held?.code == .held && held?.text.contains("(backlight)") == true)
    let stranger = try set(bench, other, isOn: false, asBlanker: false)
    #expect(stranger?.code == .held)
    #expect(try set(bench, blanker, isOn: false, asBlanker: false) == nil)
    #expect(try other.next(meanwhile: bench.turn, \.screen).state == .dark)
    #expect(try set(bench, blanker, isOn: true) == nil)
    let often = try set(bench, blanker, isOn: false)
    #expect(often?.code == .limit)
    #expect(
      often?.text == "set_screen: screen \"panel\" was made dark within the last second")
    pass(bench, milliseconds: 1_000)
    #expect(try set(bench, blanker, isOn: false) == nil)
    let unknown = try set(bench, blanker, isOn: false, "pannel")
    #expect(unknown?.text == "set_screen: there is no screen \"pannel\", only \"panel\"")
  }

  @Test("a program that comes back, and another one, makes a screen dark no more often (D2, S36)")
  func darkAgain() throws {
    let bench = try bench()
    for _ in 0..<3 {
      var first: DaemonClient? = try bench.client(name: "first")
      #expect(try set(bench, try #require(first), isOn: false) == nil)
      #expect(try set(bench, try #require(first), isOn: true) == nil)
      first = nil
      try bench.turn { bench.exchange.server.clientCount == 0 }
      let again = try bench.client(name: "again")
      #expect(try set(bench, again, isOn: false)?.code == .limit)
      pass(bench, milliseconds: 999)
      #expect(try set(bench, again, isOn: false)?.code == .limit)
      // An administrator is not kept waiting.
      let control = try bench.client(.control)
      #expect(try set(bench, control, isOn: false, asBlanker: false) == nil)
      #expect(try set(bench, control, isOn: true, asBlanker: false) == nil)
      pass(bench, milliseconds: 1_000)
    }
  }

  @Test("an administrator turns a screen dark and on beside its blanker, which hears of it (D2)")
  func administrator() throws {
    let bench = try bench()
    let right = try bench.client(attachedTo: "right")
    let blanker = try bench.client(name: "backlight")
    let control = try bench.client(.control)
    #expect(try set(bench, blanker, isOn: true) == nil)
    #expect(try set(bench, control, isOn: false, asBlanker: false) == nil)
    #expect(try blanker.next(meanwhile: bench.turn, \.screen).state == .dark)
    tap(bench)
    #expect(try blanker.next(meanwhile: bench.turn, \.screen).state == .waking)
    #expect(try set(bench, control, isOn: true, asBlanker: false) == nil)
    #expect(try blanker.next(meanwhile: bench.turn, \.screen).state == .on)
    pass(bench, milliseconds: 250)
    tap(bench)
    #expect(try bench.touches(of: right).map(\.phase) == [.began, .ended])
  }

  @Test("a window that is always on keeps its touches, and gets new ones, in the dark (D3)")
  func alwaysOn() throws {
    let bench = try ExchangeBench(
      twoWindows.replacing("name = \"right\"", with: "name = \"right\"\nalways_on = true"),
      time: 1_000_000)
    let right = try bench.client(attachedTo: "right")
    let left = try bench.client(attachedTo: "left")
    let blanker = try bench.client(name: "backlight")
    bench.down(0, 500, 20)
    bench.down(1, 20, 20)
    bench.frame()
    #expect(try set(bench, blanker, isOn: false) == nil)
    bench.up(0)
    bench.up(1)
    bench.frame()
    tap(bench)
    #expect(bench.exchange.pipeline.router.screens.state(of: ScreenIndex(0)) == .dark)
    #expect(try bench.touches(of: right).map(\.phase) == [.began, .ended, .began, .ended])
    #expect(try bench.touches(of: left).map(\.phase) == [.began, .cancelled])
    tap(bench, 20, 20)
    #expect(try blanker.next(meanwhile: bench.turn, \.screen).state == .waking)
    #expect(try bench.touches(of: left).isEmpty)
  }

  @Test("who is not named for a screen may not turn it dark, and is told what allows it (D2, S36)")
  func notAllowed() throws {
    let bench = try bench("[[access]]\npath = \"screen:panel\"\nusers = [\"4001\"]\n")
    #expect(chmod(bench.path(.client), 0o666) == 0)
    for user in [4001, 4002] as [UInt32] {
      let client = try #require(try? program(bench, user: user))
      let refusal = try set(bench, client, isOn: false)
      if user == 4001 {
        #expect(refusal == nil)
      } else {
        #expect(refusal?.code == .notAllowed)
        #expect(refusal?.text.contains("path = \"screen:panel\"") == true)
      }
    }
    #expect(
      bench.exchange.apply(try Configuration.parse([(file: "t.toml", text: twoWindows)])) != "")
    #expect(bench.exchange.pipeline.router.screens.state(of: ScreenIndex(0)) == .dark)
    tap(bench)
    #expect(bench.exchange.pipeline.router.screens.state(of: ScreenIndex(0)) == .on)
  }

  private func program(_ bench: ExchangeBench, user: UInt32) throws -> DaemonClient {
    try #require(thread_become(user, 9, [], 0) == 0)
    defer { precondition(thread_become_root() == 0, "root again") }
    return try DaemonClient(bench.path(.client))
  }

  // MARK: - Idleness

  private func watch(
    _ bench: ExchangeBench, _ client: DaemonClient, _ scope: IdleScope, _ milliseconds: UInt32,
    _ flags: Wire.IdleFlags = []
  ) throws -> UInt32 {
    try client.connection.watchIdle(scope, milliseconds: milliseconds, flags)
    return try client.next(meanwhile: bench.turn, \.completion).total
  }

  private func told(_ bench: ExchangeBench, _ client: DaemonClient) throws -> [IdleChange] {
    try bench.turn()
    return client.pending().compactMap(\.idle)
  }

  @Test("a watch hears once that nobody touches, and once that somebody does, also to wake (D7)")
  func idle() throws {
    let bench = try bench()
    let blanker = try bench.client(name: "backlight")
    let first = try watch(bench, blanker, .screen("panel"), 2_000)
    let second = try watch(bench, blanker, .seat, 5_000)
    pass(bench, milliseconds: 1_900)
    tap(bench)
    pass(bench, milliseconds: 1_950)
    #expect(try told(bench, blanker) == [])
    pass(bench, milliseconds: 100)
    #expect(try told(bench, blanker) == [IdleChange(watch: first, isIdle: true)])
    pass(bench, milliseconds: 20_000)
    #expect(try told(bench, blanker) == [IdleChange(watch: second, isIdle: true)])
    #expect(try set(bench, blanker, isOn: false) == nil)
    tap(bench)
    #expect(
      try told(bench, blanker) == [
        IdleChange(watch: first, isIdle: false), IdleChange(watch: second, isIdle: false),
      ])
  }

  @Test("a finger that rests holds idle off, for as long as it rests (D7)")
  func rest() throws {
    let bench = try bench()
    let program = try bench.client()
    let watch = try watch(bench, program, .seat, 1_000)
    bench.down(0, 20, 20)
    bench.frame()
    pass(bench, milliseconds: 50_000)
    #expect(try told(bench, program) == [])
    bench.up(0)
    bench.frame()
    pass(bench, milliseconds: 900)
    #expect(try told(bench, program) == [])
    pass(bench, milliseconds: 150)
    #expect(try told(bench, program) == [IdleChange(watch: watch, isIdle: true)])
  }

  @Test("who holds a window may watch it and inhibit idle for it, until it lets go (D7, D8, S37)")
  func inhibit() throws {
    let bench = try bench()
    let film = try bench.client()
    try film.connection.watchIdle(.window("right"), milliseconds: 1_000)
    #expect(try film.next(meanwhile: bench.turn, \.failure).code == .notAllowed)
    let right = try film.connection.attach(to: "right")
    _ = try film.next(meanwhile: bench.turn, \.geometry)
    let own = try watch(bench, film, .window("right"), 1_000)
    let other = try bench.client()
    let seat = try watch(bench, other, .seat, 1_000)
    let all = try watch(bench, other, .seat, 1_000, .ignoresInhibitors)
    try film.connection.inhibitIdle(right)
    _ = try film.next(meanwhile: bench.turn, \.completion)
    bench.down(0, 20, 20)
    bench.frame()
    pass(bench, milliseconds: 1_100)
    bench.up(0)
    bench.frame()
    pass(bench, milliseconds: 3_000)
    #expect(try told(bench, film) == [])
    #expect(try told(bench, other) == [IdleChange(watch: all, isIdle: true)])
    let control = try bench.client(.control)
    let serial = try control.connection.status()
    let inhibitor = try control.next(meanwhile: bench.turn) { event -> String? in
      guard case .status(serial, .inhibitor(let item)) = event else { return nil }
      return item.path
    }
    #expect(inhibitor == "right")
    try film.connection.detach(right)
    _ = try film.next(meanwhile: bench.turn, \.completion)
    pass(bench, milliseconds: 1_100)
    #expect(try told(bench, other) == [IdleChange(watch: seat, isIdle: true)])
    #expect(try told(bench, film) == [] && own > 0)
    #expect(bench.exchange.pipeline.idle.watches(of: ClientID(slot: 0, generation: 1)).isEmpty)
  }

  @Test("neither a controller nor an application is a window that can be watched (D7)")
  func noWindow() throws {
    let window = "[[window]]\nname = \"left\"\nframe = [0, 0, 9, 9]\ncontroller = \"bar\"\n"
    let bench = try ExchangeBench(
      "[screen.panel]\nsize = [800, 480]\n" + window + "application = \"shop\"\n")
    let control = try bench.client(.control)
    for name in ["left@bar", "app:shop"] {
      try control.connection.watchIdle(.window(name), milliseconds: 1_000)
      let refusal = try control.next(meanwhile: bench.turn, \.failure)
      #expect(refusal.code == .noResponder)
      #expect(refusal.text.hasSuffix("there is no window \"\(name)\""))
    }
    _ = try watch(bench, control, .window("left"), 1_000)
  }

  @Test("a user has 1,024 watches, a further one is refused, none outlives its client (D7, S39)")
  func limit() throws {
    let bench = try bench()
    var program: DaemonClient? = try bench.client()
    for number in 0..<IdleKeeper.limit {
      _ = try watch(bench, try #require(program), .seat, UInt32(1_000 + number))
    }
    try program?.connection.watchIdle(.seat, milliseconds: 1_000)
    #expect(try program?.next(meanwhile: bench.turn, \.failure).code == .limit)
    let other = try bench.client()
    try other.connection.watchIdle(.seat, milliseconds: 1_000)
    #expect(try other.next(meanwhile: bench.turn, \.failure).code == .limit)
    program = nil
    try bench.turn { bench.exchange.pipeline.idle.isEmpty }
    #expect(bench.exchange.pipeline.nextDeadline == nil)
  }

  @Test("who inhibits idle for a window does so for the screen that it is on by now (D8)")
  func movedInhibitor() throws {
    let door = "[screen.door]\nsize = [800, 480]\n"
    let bench = try ExchangeBench(twoWindows + door, time: 1_000_000)
    let film = try bench.client()
    let right = try film.connection.attach(to: "right")
    _ = try film.next(meanwhile: bench.turn, \.geometry)
    let other = try bench.client()
    let panel = try watch(bench, other, .screen("panel"), 1_000)
    _ = try watch(bench, other, .screen("door"), 1_000)
    try film.connection.inhibitIdle(right)
    _ = try film.next(meanwhile: bench.turn, \.completion)
    let moved = twoWindows.replacing(
      "name = \"right\"", with: "name = \"right\"\nscreen = \"door\"")
    _ = bench.exchange.apply(try Configuration.parse([(file: "t.toml", text: moved + door)]))
    pass(bench, milliseconds: 1_100)
    #expect(try told(bench, other) == [IdleChange(watch: panel, isIdle: true)])
  }

  @Test("a finger holds a window's idleness off no longer than the view that it hit is there (D7)")
  func removedTarget() throws {
    let bench = try bench()
    let program = try bench.client()
    let right = try program.connection.attach(to: "right")
    _ = try program.next(meanwhile: bench.turn, \.geometry)
    try program.connection.addViews(in: right) {
      Subview("key", frame: Rect(x: 0, y: 0, width: 50, height: 50))
    }
    _ = try program.next(meanwhile: bench.turn, \.completion)
    let control = try bench.client(.control)
    let watch = try watch(bench, control, .window("right"), 1_000)
    bench.down(0, 410, 10)
    bench.frame()
    pass(bench, milliseconds: 2_000)
    #expect(try told(bench, control) == [])
    try program.connection.changeViews([.remove("key")], in: right)
    _ = try program.next(meanwhile: bench.turn, \.completion)
    #expect(try told(bench, control) == [IdleChange(watch: watch, isIdle: true)])
  }

  @Test("an injected finger that goes with its client is no activity but an injected one (D7)")
  func injectedFingerGoes() throws {
    let bench = try bench()
    let program = try bench.client()
    let real = try watch(bench, program, .seat, 1_000, .ignoresInjected)
    var injector: DaemonClient? = try bench.client(.control)
    try bench.inject(try #require(injector), Contact(slot: 0, .began(Point(x: 20, y: 20))))
    pass(bench, milliseconds: 1_100)
    #expect(try told(bench, program) == [IdleChange(watch: real, isIdle: true)])
    injector = nil
    try bench.turn { bench.exchange.pipeline.router.pendingTouchCount == 0 }
    #expect(try told(bench, program) == [])
  }
}
