import Configuration
import DaemonSupport
import EventLoop
import Glibc
import Routing
import Server
import Testing
import TouchClient
import TouchModel

@testable import Exchange

/// Locks of screens, by real clients on the daemon's own exchange, whose time stands still.
@Suite("Exchange, locks", .enabled(if: geteuid() == 0))
struct LockTests {
  private func bench() throws -> ExchangeBench { try ExchangeBench(twoWindows, time: 1_000_000) }

  private func lock(
    _ bench: ExchangeBench, _ client: DaemonClient, seconds: UInt32 = 30, exit: LockExit = [],
    except: [String] = []
  ) throws -> RequestFailure? {
    try client.connection.lock("panel", milliseconds: seconds * 1_000, exit: exit, except: except)
    return try answer(bench, client)
  }

  private func unlock(_ bench: ExchangeBench, _ client: DaemonClient) throws -> RequestFailure? {
    try client.connection.unlock("panel")
    return try answer(bench, client)
  }

  private func answer(_ bench: ExchangeBench, _ client: DaemonClient) throws -> RequestFailure? {
    try client.next(meanwhile: bench.turn) { event -> RequestFailure?? in
      event.completion != nil ? .some(nil) : event.failure.map { .some($0) }
    }
  }

  private func pass(_ bench: ExchangeBench, milliseconds: UInt64) {
    bench.loop.advance(to: bench.loop.now + milliseconds * 1_000)
    bench.catchUp()
  }

  private func tap(_ bench: ExchangeBench, _ x: Double = 420, _ y: Double = 200) {
    bench.down(0, x, y)
    bench.frame()
    bench.up(0)
    bench.frame()
  }

  private func isLocked(_ bench: ExchangeBench) -> Bool {
    bench.exchange.pipeline.router.locks.lock(of: ScreenIndex(0)) != nil
  }

  @Test("a lock cancels touches and keeps others out, but for those on what it leaves out (D9)")
  func exceptions() throws {
    let bench = try bench()
    let right = try bench.client(attachedTo: "right")
    let button = try bench.client(attachedTo: "right/button")
    let control = try bench.client(.control)
    bench.down(0, 420, 200)
    bench.down(1, 550, 150)
    bench.frame()
    #expect(try lock(bench, control, except: ["right/button"]) == nil)
    bench.up(0)
    bench.up(1)
    bench.frame()
    tap(bench)
    tap(bench, 550, 150)
    let touches = try bench.touches(of: right)
    #expect(touches.map(\.phase) == [.began, .cancelled])
    #expect(touches.last?.cancelReason == .locked)
    #expect(try bench.touches(of: button).map(\.phase) == [.began, .ended, .began, .ended])
    pass(bench, milliseconds: 29_000)
    tap(bench)
    #expect(try bench.touches(of: right).isEmpty && isLocked(bench))
    pass(bench, milliseconds: 1_100)
    tap(bench)
    #expect(try bench.touches(of: right).map(\.phase) == [.began, .ended])
    #expect(bench.exchange.pipeline.counters[.discardedLocked] == 2)
    #expect(bench.exchange.pipeline.checker.violationCount == 0)
  }

  @Test("a program's lock ends with it, an administrator's stays; others may not end it (D9, S38)")
  func owners() throws {
    let bench = try bench()
    let watcher = try bench.client()
    try watcher.connection.watchScreens()
    _ = try watcher.next(meanwhile: bench.turn, \.screen)
    var program: DaemonClient? = try bench.client(name: "settings")
    #expect(try lock(bench, try #require(program)) == nil)
    let other = try bench.client()
    let refusal = try unlock(bench, other)
    #expect(refusal?.code == .held && refusal?.text.contains("(settings)") == true)
    let told = try watcher.next(meanwhile: bench.turn, \.lock)
    #expect(told.name == "panel" && told.remainingMilliseconds == 30_000)
    #expect(told.cause == .requested)
    program = nil
    try bench.turn { !isLocked(bench) }
    #expect(try watcher.next(meanwhile: bench.turn, \.lock).cause == .clientLeft)
    var control: DaemonClient? = try bench.client(.control)
    #expect(try lock(bench, try #require(control)) == nil)
    control = nil
    try bench.turn()
    #expect(isLocked(bench))
    let heldByNobody = try unlock(bench, other)
    #expect(heldByNobody?.code == .held)
    #expect(try unlock(bench, try bench.client(.control)) == nil)
    #expect(!isLocked(bench))
    #expect(try unlock(bench, other)?.text == "unlock: screen \"panel\" is not locked")
  }

  @Test("two fingers that rest in two corners end a lock that says so, and nothing less does (D9)")
  func corners() throws {
    let bench = try bench()
    let control = try bench.client(.control)
    #expect(try lock(bench, control, exit: .holdCorners) == nil)
    bench.down(0, 10, 10)
    bench.down(1, 400, 300)
    bench.frame()
    pass(bench, milliseconds: 5_000)
    #expect(isLocked(bench))
    bench.up(1)
    bench.frame()
    bench.down(1, 790, 470)
    bench.frame()
    pass(bench, milliseconds: 2_900)
    bench.move(1, 600, 300)
    bench.frame()
    bench.move(1, 790, 470)
    bench.frame()
    pass(bench, milliseconds: 5_000)
    #expect(isLocked(bench))
    bench.up(1)
    bench.frame()
    bench.down(1, 790, 470)
    bench.frame()
    pass(bench, milliseconds: 2_900)
    #expect(isLocked(bench))
    pass(bench, milliseconds: 200)
    #expect(!isLocked(bench))
  }

  @Test("after a reload that gives a screen another size the corners are those of the new one (D9)")
  func cornersAfterReload() throws {
    let bench = try bench()
    let control = try bench.client(.control)
    #expect(try lock(bench, control, exit: .holdCorners) == nil)
    let text = twoWindows.replacing("[800, 480]", with: "[1600, 960]")
    _ = bench.exchange.apply(try Configuration.parse([(file: "test.toml", text: text)]))
    bench.exchange.endTurn()
    #expect(isLocked(bench))
    bench.down(0, 10, 10)
    bench.down(1, 790, 470)
    bench.frame()
    pass(bench, milliseconds: 5_000)
    #expect(isLocked(bench))
    bench.up(1)
    bench.frame()
    bench.down(1, 1590, 950)
    bench.frame()
    pass(bench, milliseconds: 3_100)
    #expect(!isLocked(bench))
  }

  @Test("five taps end a lock that says so; a lock by its own maker replaces the one before (D9)")
  func taps() throws {
    let bench = try bench()
    let control = try bench.client(.control)
    #expect(try lock(bench, control) == nil)
    for _ in 0..<5 { tap(bench) }
    #expect(isLocked(bench))
    pass(bench, milliseconds: 2_000)
    #expect(try lock(bench, control, exit: .taps) == nil)
    for count in 1...5 {
      #expect(isLocked(bench), "\(count)")
      tap(bench)
    }
    pass(bench, milliseconds: 500)
    #expect(!isLocked(bench))
  }

  @Test("a lock of too long, of no view or by somebody without a right is refused (D9, S38)")
  func refused() throws {
    let bench = try bench()
    let control = try bench.client(.control)
    let long = try lock(bench, control, seconds: 3_601)
    #expect(long?.code == .limit && long?.text.hasSuffix("(limits.lock_seconds)") == true)
    let unknown = try lock(bench, control, except: ["right/buton"])
    #expect(
      unknown?.text == "lock: there is no view \"right/buton\"; did you mean \"right/button\"?")
    #expect(!isLocked(bench))
  }

  @Test("programs lock a screen once a second and no more often, whoever asks (D9, S38)")
  func often() throws {
    let bench = try bench()
    let watcher = try bench.client()
    try watcher.connection.watchScreens()
    _ = try watcher.next(meanwhile: bench.turn, \.screen)
    let first = try bench.client()
    let other = try bench.client()
    #expect(try lock(bench, first) == nil)
    #expect(try unlock(bench, first) == nil)
    for client in [first, other] {
      for _ in 0..<10 {
        let refusal = try lock(bench, client)
        #expect(refusal?.code == .limit)
        #expect(refusal?.text == "lock: screen \"panel\" was locked within the last second")
      }
    }
    try bench.turn()
    #expect(watcher.pending().compactMap(\.lock).count == 2)
    pass(bench, milliseconds: 1_000)
    #expect(try lock(bench, other) == nil)
    #expect(try lock(bench, try bench.client(.control)) == nil)
  }

  @Test("fingers that have not rested together for three seconds end no lock (D9)")
  func together() throws {
    let bench = try bench()
    let control = try bench.client(.control)
    #expect(try lock(bench, control, exit: .holdCorners) == nil)
    bench.down(0, 10, 10)
    bench.down(1, 790, 10)
    bench.frame()
    pass(bench, milliseconds: 2_000)
    bench.down(2, 790, 470)
    bench.frame()
    bench.up(0)
    bench.frame()
    pass(bench, milliseconds: 2_900)
    #expect(isLocked(bench))
    pass(bench, milliseconds: 200)
    #expect(!isLocked(bench))
  }

  @Test("a small screen's corners are told apart: a finger is in the nearest one (D9)")
  func small() throws {
    let small = twoWindows.replacing("size = [800, 480]", with: "size = [160, 100]")
    let bench = try ExchangeBench(small, time: 1_000_000)
    let control = try bench.client(.control)
    #expect(try lock(bench, control, exit: .holdCorners) == nil)
    bench.down(0, 10, 20)
    bench.down(1, 10, 70)
    bench.frame()
    pass(bench, milliseconds: 3_100)
    #expect(!isLocked(bench))
  }

  @Test(
    "a lock ends with a client that the next daemon does not get; an administrator's stays (D9)",
    arguments: [(SocketKind.client, false), (.control, true)])
  func handover(_ kind: SocketKind, isKept: Bool) throws {
    let bench = try bench()
    let client = try bench.client(kind)
    #expect(try lock(bench, client) == nil)
    var texts: [String] = []
    bench.exchange.store = { descriptors, name in
      if name == KeptDescriptors.stateName {
        texts += descriptors.compactMap { MemoryFile.text(of: $0) }
      }
    }
    bench.exchange.stop(capacity: 1)
    #expect(texts.contains { $0.contains("\nlock ") } == isKept, "\(texts)")
    withExtendedLifetime(client) {}
  }
}
