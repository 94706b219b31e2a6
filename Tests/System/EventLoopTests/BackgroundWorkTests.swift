import EventLoop
import Glibc
import Testing

@Suite("Work beside the loop")
struct BackgroundWorkTests {
  /// What a thread may make that is nobody else's.
  private final class Made {
    let signals: sigset_t
    let policy: Int32

    init() {
      var signals = sigset_t()
      pthread_sigmask(SIG_BLOCK, nil, &signals)
      var parameter = sched_param()
      var policy: Int32 = -1
      pthread_getschedparam(pthread_self(), &policy, &parameter)
      self.signals = signals
      self.policy = policy
    }
  }

  @Test("while a thread works the loop turns, and what it made comes in a turn (F1)")
  func turns() throws {
    let loop = try EventLoop()
    let (gate, other) = (DescriptorPair(), DescriptorPair())
    let left = gate.left
    var log: [String] = []
    try loop.inBackground { () -> Int in
      // Until the loop has turned.
      var waiting = pollfd(fd: left, events: Int16(POLLIN), revents: 0)
      while poll(&waiting, 1, -1) != 1 {}
      return 7
    } then: {
      log.append("made \($0)")
    }
    try loop.addDescriptor(other.left, interest: .read) { _ in
      _ = other.drain()
      log.append("turn")
      gate.poke()
    }
    loop.atEndOfTurn { log.append("end") }
    other.poke()
    while log.count < 4 { try loop.runTurn(timeoutMicroseconds: 10_000_000) }
    #expect(log == ["turn", "end", "made 7", "end"])
  }

  @Test("a thread beside the loop takes no signals, and has no policy of its own (F1)")
  func thread() throws {
    let loop = try EventLoop()
    var made: Made?
    try loop.inBackground {
      Made()
    } then: {
      made = $0
    }
    while made == nil { try loop.runTurn(timeoutMicroseconds: 10_000_000) }
    var signals = try #require(made).signals
    for signal in [SIGTERM, SIGHUP, SIGINT] { #expect(sigismember(&signals, signal) == 1) }
    #expect(made?.policy == SCHED_OTHER)
  }

  @Test(
    "beside a loop with a real-time policy, as the service's, threads are ordinary ones (F1)",
    .enabled(if: mayBeRealTime, "this user may give no thread a real-time policy"))
  func policy() throws {
    let loop = try EventLoop()
    Self.give(SCHED_RR, 1)
    defer { Self.give(SCHED_OTHER, 0) }
    var policy: Int32?
    try loop.inBackground {
      Made().policy
    } then: {
      policy = $0
    }
    while policy == nil { try loop.runTurn(timeoutMicroseconds: 10_000_000) }
    #expect(policy == SCHED_OTHER)
  }

  /// Gives this thread a policy; whether it may have that.
  @discardableResult private static func give(_ policy: Int32, _ priority: Int32) -> Bool {
    var parameter = sched_param(sched_priority: priority)
    return pthread_setschedparam(pthread_self(), policy, &parameter) == 0
  }

  private static let mayBeRealTime = {
    defer { give(SCHED_OTHER, 0) }
    return give(SCHED_RR, 1)
  }()

  /// What a thread does on its way out: it waits until it is told to go on, or for a minute.
  private static let lingering: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { gate in
      let descriptor = Int32(Int(bitPattern: gate))
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      _ = poll(&waiting, 1, 60_000)
      Glibc.close(descriptor)
    }
    return key
  }()

  @Test("what a thread has made is taken before the thread is gone, which may take it long (F1)")
  func lingering() throws {
    let loop = try EventLoop()
    let gate = DescriptorPair()
    let left = dup(gate.left)
    let key = Self.lingering
    var made = 0
    try loop.inBackground { () -> Int in
      pthread_setspecific(key, UnsafeRawPointer(bitPattern: Int(left)))
      return 7
    } then: {
      made = $0
    }
    while made == 0 { try loop.runTurn(timeoutMicroseconds: 20_000_000) }
    // The thread would have gone on to its end, and closed this, had the loop waited for that.
    #expect(fcntl(left, F_GETFD) == 0)
    gate.poke()
  }

  @Test("a loop may end while a thread works for it, or has: what that has made is freed")
  func endOfLoop() throws {
    for isDone in [false, true] {
      let (gate, freed) = (DescriptorPair(), DescriptorPair())
      if isDone { gate.poke() }
      var loop: EventLoop? = try EventLoop()
      try loop?.inBackground {
        Self.wait(for: gate.left)
        return Pokes(freed)
      } then: { _ in
        Issue.record("nobody is there for it")
      }
      if isDone { usleep(10_000) }
      loop = nil
      if !isDone { gate.poke() }
      Self.wait(for: freed.left)
    }
  }

  private static func wait(for descriptor: Int32) {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while poll(&waiting, 1, -1) != 1 {}
  }
}

/// Says when it is freed.
private final class Pokes: Sendable {
  private let pair: DescriptorPair

  init(_ pair: DescriptorPair) { self.pair = pair }

  deinit { pair.poke() }
}
