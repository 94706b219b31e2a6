import EventLoop
import Glibc
import Testing

@Suite("Turns, timers and signals")
struct TurnTests {
  @Test("the end of the turn comes once after each dispatched source, in the order of adding")
  func endOfTurn() throws {
    let loop = try EventLoop()
    let pairs = [DescriptorPair(), DescriptorPair()]
    var log: [String] = []
    for pair in pairs {
      try loop.addDescriptor(pair.left, interest: .read) { _ in
        log.append("source")
        _ = pair.drain()
      }
      pair.poke()
    }
    loop.atEndOfTurn { log.append("first") }
    loop.atEndOfTurn { log.append("second") }
    for _ in pairs { #expect(try loop.runTurn(timeoutMicroseconds: 5_000_000)) }
    #expect(log == ["source", "first", "second", "source", "first", "second"])
    #expect(try !loop.runTurn(timeoutMicroseconds: 0))
    #expect(log.count == 6, "no turn without a source")
  }

  @Test("what the end of the turn sets up is seen by the next sleep")
  func endOfTurnArms() throws {
    let loop = try EventLoop()
    let pair = DescriptorPair()
    var fired = false
    let timer = try loop.addTimer(after: nil) {
      fired = true
      loop.exit(code: 3)
    }
    try loop.addDescriptor(pair.left, interest: .read) { _ in _ = pair.drain() }
    loop.atEndOfTurn { if !fired { timer.arm(after: 1_000) } }
    pair.poke()
    #expect(try loop.run() == 3)
    #expect(fired)
  }

  @Test("the turn in which the loop is told to exit ends like any other")
  func exits() throws {
    let loop = try EventLoop()
    var log: [String] = []
    try loop.addTimer(after: 0) {
      loop.exit(code: 42)
      log.append("exit")
    }
    loop.atEndOfTurn { log.append("end") }
    #expect(try loop.run() == 42)
    #expect(log == ["exit", "end"])
  }

  @Test("a timer fires once, not before its time, and again when armed again in its handler")
  func timer() throws {
    let loop = try EventLoop()
    let start = loop.now
    var times: [UInt64] = []
    weak var weakTimer: TimerSource?
    weakTimer = try loop.addTimer(after: 2_000) {
      times.append(loop.now)
      if times.count < 3 { weakTimer?.arm(after: 1_000) } else { loop.exit(code: 0) }
    }
    #expect(try loop.run() == 0)
    #expect(times.count == 3)
    #expect(times[0] >= start + 2_000)
    #expect(times[1] >= times[0] + 1_000)
    #expect(times[2] >= times[1] + 1_000)
    #expect(weakTimer?.isArmed == false)
  }

  @Test("a disarmed timer does not fire, nor does one that another handler cancels")
  func disarmed() throws {
    let loop = try EventLoop()
    var fired: [String] = []
    let disarmed = try loop.addTimer(after: 0) { fired.append("disarmed") }
    #expect(disarmed.isArmed)
    disarmed.disarm()
    #expect(!disarmed.isArmed)
    let cancelled = try loop.addTimer(after: 1_000) { fired.append("cancelled") }
    try loop.addTimer(after: 0) {
      fired.append("first")
      cancelled.cancel()
    }
    try loop.addTimer(after: 5_000) { loop.exit(code: 0) }
    _ = try loop.run()
    #expect(fired == ["first"])
    cancelled.arm(after: 0)
    #expect(!cancelled.isArmed, "a cancelled timer stays so")
  }

  @Test("a timer armed for a moment that has passed fires in the next turn")
  func past() throws {
    let loop = try EventLoop()
    var fired = false
    let timer = try loop.addTimer(after: nil) { fired = true }
    timer.arm(at: 1)
    #expect(try loop.runTurn(timeoutMicroseconds: 5_000_000))
    #expect(fired)
  }

  @Test("a timer armed while only an input is ready fires in its time")
  func armedByInput() throws {
    let loop = try EventLoop()
    let pair = DescriptorPair()
    var fired: UInt64 = 0
    var armed: UInt64 = 0
    let timer = try loop.addTimer(after: nil) {
      fired = loop.now
      loop.exit(code: 0)
    }
    try loop.addDescriptor(pair.left, interest: .read, priority: .input) { _ in
      _ = pair.drain()
      armed = loop.now
      timer.arm(after: 2_000)
    }
    // So that the loop has slept once before.
    #expect(try !loop.runTurn(timeoutMicroseconds: 0))
    pair.poke()
    #expect(try loop.run() == 0)
    #expect(armed > 0 && fired >= armed + 2_000)
  }

  @Test("an input that never stops lets the others pass (F1)")
  func endlessInput() throws {
    let loop = try EventLoop()
    let input = DescriptorPair()
    let other = DescriptorPair()
    var log: [String] = []
    try loop.addDescriptor(input.left, interest: .read, priority: .input) { _ in
      log.append("input")
    }
    try loop.addDescriptor(other.left, interest: .read) { _ in
      log.append("other")
      _ = other.drain()
    }
    input.poke()
    other.poke()
    for _ in 0..<4 { #expect(try loop.runTurn(timeoutMicroseconds: 5_000_000)) }
    #expect(log == ["input", "other", "input", "input"])
  }

  @Test("an input that is cancelled, or watched for nothing, is not called")
  func restingInput() throws {
    let loop = try EventLoop()
    let pairs = [DescriptorPair(), DescriptorPair()]
    var calls = 0
    let sources = try pairs.map { pair in
      try loop.addDescriptor(pair.left, interest: .read, priority: .input) { _ in calls += 1 }
    }
    for pair in pairs { pair.poke() }
    sources[0].setInterest([])
    sources[1].cancel()
    #expect(try !loop.runTurn(timeoutMicroseconds: 0))
    sources[0].setInterest(.read)
    #expect(try loop.runTurn(timeoutMicroseconds: 5_000_000))
    #expect(calls == 1)
  }

  @Test("in a loop with a time of its own, timers go off when the time is told, each at its moment")
  func ownTime() throws {
    let loop = try EventLoop(time: 1_000)
    var log: [UInt64] = []
    var ends = 0
    loop.atEndOfTurn { ends += 1 }
    let late = try loop.addTimer(after: 500) { log.append(loop.now) }
    let early = try loop.addTimer(after: 200) {
      log.append(loop.now)
      if log.count < 3 { late.arm(after: 100) }
    }
    let never = try loop.addTimer(after: 300) { log.append(0) }
    never.disarm()
    try loop.addTimer(after: 400) { log.append(0) }.cancel()
    #expect(try !loop.runTurn(timeoutMicroseconds: 0))
    loop.advance(to: 1_199)
    #expect(log.isEmpty && early.isArmed)
    loop.advance(to: 10_000)
    #expect(log == [1_200, 1_300] && !early.isArmed && !late.isArmed)
    #expect(loop.now == 10_000 && ends == 2)
  }

  @Test("a turn that is asked for comes in its time though nothing is ready, and only once")
  func askedFor() throws {
    let loop = try EventLoop()
    var ends = 0
    loop.atEndOfTurn { ends += 1 }
    let due = loop.present + 2_000
    loop.turn(by: due)
    #expect(try !loop.runTurn(timeoutMicroseconds: 0) || loop.now >= due)
    while ends == 0 { _ = try loop.runTurn() }
    #expect(ends == 1 && loop.now >= due)
    #expect(try !loop.runTurn(timeoutMicroseconds: 5_000))
    // The same where the loop sleeps for an input.
    let pair = DescriptorPair()
    try loop.addDescriptor(pair.left, interest: .read, priority: .input) { _ in _ = pair.drain() }
    loop.turn(by: loop.present + 2_000)
    while ends == 1 { _ = try loop.runTurn() }
    #expect(try !loop.runTurn(timeoutMicroseconds: 5_000))
    // Another turn takes its place.
    loop.turn(by: loop.present + 60_000_000)
    pair.poke()
    #expect(try loop.runTurn())
    #expect(try !loop.runTurn(timeoutMicroseconds: 5_000) && ends == 3)
  }

  @Test("in a loop with a time of its own, a turn that is asked for comes when the time is told")
  func askedForInOwnTime() throws {
    let loop = try EventLoop(time: 1_000)
    var log: [UInt64] = []
    loop.atEndOfTurn { log.append(loop.now) }
    try loop.addTimer(after: 700) { loop.turn(by: 1) }
    loop.turn(by: 1_300)
    loop.turn(by: 1_200)
    #expect(try !loop.runTurn(timeoutMicroseconds: 0))
    loop.advance(to: 1_199)
    #expect(log.isEmpty)
    loop.advance(to: 5_000)
    #expect(log == [1_200, 1_700] && loop.now == 5_000)
  }

  @Test("a signal calls its handler instead of ending the process")
  func signal() throws {
    let loop = try EventLoop()
    var heard = 0
    let source = try loop.addSignal(SIGUSR2) { heard += 1 }
    // To this thread: the test runner's other threads do not block it.
    pthread_kill(pthread_self(), SIGUSR2)
    #expect(try loop.runTurn(timeoutMicroseconds: 5_000_000))
    #expect(heard == 1)
    source.cancel()
    #expect(!source.isActive)
  }
}
