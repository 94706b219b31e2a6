import Blanking
import DaemonSupport
import EventLoop
import Routing
import Server
import TestSupport
import Testing
import TouchClient
import TouchModel

@testable import Exchange

/// The blanker of `touchroute idle` on the daemon's own exchange, whose time stands still: a light
/// that takes its time, and taps at random.
@Suite("Exchange, a blanker that races fingers")
struct BlankerTests {
  /// How often a finger taps a screen that is dark or on its way.
  private static let taps = 10_000

  @Test(
    "of 10,000 wake taps none reaches a program, and none after the guard is lost (D3, D4, D5, S36)"
  )
  func race() throws {
    let seed = Seeds.fresh()
    var race = try BlankerRace(seed: seed)
    while race.count < Self.taps { try race.round() }
    let text = "seed \(seed): \(race.summary)"
    print(text)
    #expect(race.mistakes == [], "\(text)")
    #expect(race.onCount >= Self.taps && race.steps.values.allSatisfy { $0 > 20 }, "\(text)")
  }
}

/// A screen that goes dark and wakes, over and over, with a blanker that at any step may stall, be
/// killed, or be late.
private struct BlankerRace {
  /// What a round does to its blanker.
  enum Mischief: CaseIterable {
    case none
    case stallDarkening, stallWaking, stallAnswering
    case killDarkening, killDark, killWaking, killAnswering
  }

  private let bench: ExchangeBench
  private let program: DaemonClient
  private var random: SeededGenerator
  private var blanker: BlankerAtWork?
  /// When the finger came down that has woken the screen.
  private var woken: UInt64 = 0
  private var latest = ScreenState.on
  /// Since the screen is on: touches that begin before the first time are kept out for sure, those
  /// from the second on are not, in microseconds.
  private var guardEnd: (earliest: UInt64, latest: UInt64) = (0, 0)
  /// Taps while the screen was dark, waking or guarded, as the rules have it.
  private(set) var count = 0
  /// Taps after that.
  private(set) var onCount = 0
  private(set) var mistakes: [String] = []
  private(set) var steps: [Mischief: Int] = [:]

  private static let guardTime: UInt64 = 200_000
  private static let timeout: UInt64 = 5_000_000

  init(seed: UInt64) throws {
    bench = try ExchangeBench(twoWindows, time: 1_000_000)
    program = try bench.client(attachedTo: "right")
    random = SeededGenerator(seed: seed)
  }

  var summary: String {
    "\(count) taps in the dark, \(onCount) after the guard, "
      + steps.map { "\($0.key) \($0.value)" }.sorted().joined(separator: ", ")
  }

  private var state: ScreenState {
    bench.exchange.pipeline.router.screens.state(of: ScreenIndex(0))
  }

  private var now: UInt64 { bench.now.microseconds }

  // MARK: - A round

  /// Goes dark, wakes by a finger, and is on again.
  mutating func round() throws {
    if blanker == nil { blanker = try BlankerAtWork(bench) }
    try settle()
    // A second between two `dark`s of one client (D2).
    try pass(microseconds: 1_200_000)
    let mischief = random.pick(Mischief.allCases)
    steps[mischief, default: 0] += 1
    try goDark(mischief)
    try wake(mischief)
    while now < guardEnd.earliest {
      try tap()
      try pass(microseconds: UInt64(random.below(50_000)))
    }
    try pass(microseconds: guardEnd.latest > now ? guardEnd.latest - now : 0)
    for _ in 0..<15 {
      try tap()
      try pass(microseconds: UInt64(random.below(40_000)))
    }
  }

  /// From idle to dark, with a finger that rests meanwhile or comes as late as can be.
  private mutating func goDark(_ mischief: Mischief) throws {
    let rests = random.oneIn(3)
    if rests { down(slot: 5) }
    blanker?.blanker.setIdle(true)
    try blanker?.carryOut()
    if mischief == .killDarkening {
      try turn()
      try kill()
    } else if mischief == .stallDarkening {
      try turn()
      // The touch that lived is told as cancelled, and is none of those that count.
      _ = program.pending()
      try tapInTheDark()
    }
    try settle()
    if rests { lift(slot: 5) }
    try turn()
    _ = program.pending()
    if mischief == .killDark { try kill() }
  }

  private mutating func wake(_ mischief: Mischief) throws {
    try pass(microseconds: UInt64(random.below(2_000_000)))
    blanker?.isStalled = mischief == .stallWaking || mischief == .killWaking
    blanker?.lightIsStuck = mischief == .stallAnswering || mischief == .killAnswering
    if state == .dark { try tapInTheDark() }
    if mischief == .killWaking || mischief == .killAnswering { try kill() }
    // Within or beyond wake_timeout_ms.
    let stall = UInt64(random.below(8_000_000))
    for _ in 0..<6 {
      guard blanker?.isStuck == true && state != .on else { break }
      try pass(microseconds: stall / 6)
      try settle()
      try tap()
      if state == .waking, now > woken + Self.timeout { mistakes.append("waking for good") }
    }
    blanker?.isStalled = false
    blanker?.lightIsStuck = false
    try settle()
    if state == .dark { try tapInTheDark() }
    try settle()
    if state != .on { mistakes.append("still \(state) after \(mischief)") }
  }

  private mutating func kill() throws {
    blanker = nil
    try bench.turn { bench.exchange.server.clientCount == 1 }
    observe(since: bench.loop.now)
    if state == .waking { mistakes.append("waking without a blanker") }
  }

  // MARK: - Fingers

  private mutating func tapInTheDark() throws {
    for _ in 0...random.below(4) {
      try tap()
      if random.oneIn(2) { try settle() }
      if state == .on { return }
      try pass(microseconds: UInt64(random.below(60_000)))
    }
  }

  /// A tap, which may move. What is due of it is what the rules say of the time of its beginning.
  private mutating func tap() throws {
    let isKept = state != .on || now < guardEnd.earliest
    if !isKept, now < guardEnd.latest { return }
    down(slot: 0)
    if random.oneIn(4) {
      bench.move(0, 510, 30)
      bench.frame()
    }
    lift(slot: 0)
    try turn()
    let phases = program.pending().compactMap(\.frame).flatMap(\.touches).map(\.phase)
    if isKept {
      count += 1
      if phases != [] { mistakes.append("a tap in the dark at \(now), \(guardEnd): \(phases)") }
    } else {
      onCount += 1
      if phases.first != .began || phases.last != .ended { mistakes.append("lost: \(phases)") }
    }
  }

  private mutating func down(slot: Int32) {
    let time = now
    bench.down(slot, 500, 20)
    bench.frame()
    if latest == .dark, state != .dark { woken = time }
    observe(since: time)
  }

  private func lift(slot: Int32) {
    bench.up(slot)
    bench.frame()
  }

  // MARK: - Time

  /// Takes note if the screen is on now, and was not.
  private mutating func observe(since time: UInt64) {
    if state == .on, latest != .on {
      guardEnd = (time + Self.guardTime, max(time, bench.loop.now) + Self.guardTime)
    }
    latest = state
  }

  private mutating func pass(microseconds: UInt64) throws {
    bench.loop.advance(to: max(bench.loop.now, now) + microseconds)
    bench.catchUp()
    try turn()
  }

  /// Lets the daemon work, at the time of the latest frame.
  private mutating func turn() throws {
    bench.loop.advance(to: max(bench.loop.now, now))
    let wasWaking = latest == .waking
    while try bench.loop.runTurn(timeoutMicroseconds: 0) {}
    bench.catchUp()
    // It may have been on since it was due to be, whatever its blanker says.
    observe(since: wasWaking ? min(bench.loop.now, woken + Self.timeout) : bench.loop.now)
  }

  /// Lets daemon and blanker work until both have nothing to do.
  private mutating func settle() throws {
    try turn()
    while try blanker?.work() ?? false { try turn() }
  }
}

/// The blanker with a connection of its own, and a light that is on at once unless it is stuck.
private final class BlankerAtWork {
  private let client: DaemonClient
  var blanker = Blanker()
  /// Reads nothing.
  var isStalled = false
  /// Never is as bright as it was to be.
  var lightIsStuck = false
  /// Whether it does nothing for a finger.
  var isStuck: Bool { isStalled || lightIsStuck }
  private var asked: [Serial: Bool] = [:]
  private var level = LightLevel.full

  init(_ bench: ExchangeBench) throws {
    client = try bench.client(name: "blanker")
    blanker.turnOn()
  }

  /// Takes what has come, and does what follows; whether there was anything.
  func work() throws -> Bool {
    if isStalled { return false }
    let events = client.pending()
    for event in events {
      if let notice = event.screen { blanker.heard(notice.state, because: notice.cause) }
      if let done = event.completion, let isOn = asked.removeValue(forKey: done.serial) {
        blanker.answered(isOn: isOn)
      }
      if let failure = event.failure { throw Missing("refused: \(failure.text)") }
    }
    return try carryOut() || !events.isEmpty
  }

  @discardableResult
  func carryOut() throws -> Bool {
    if !lightIsStuck { blanker.reached(level) }
    let actions = blanker.takeActions()
    for action in actions {
      switch action {
      case .ask(let isOn):
        asked[try client.connection.setScreen("panel", isOn: isOn, asBlanker: true)] = isOn
      case .light(let level): self.level = level
      case .watchAnew: break
      }
    }
    return !actions.isEmpty
  }
}
