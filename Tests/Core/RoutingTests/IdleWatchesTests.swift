import TestSupport
import Testing
import TouchModel

@testable import Routing

/// Who is told that nobody touches something, without a router.
@Suite("Who wants to know of idleness")
struct IdleWatchesTests {
  private static let client = ClientID(slot: 1, generation: 1)
  private static let other = ClientID(slot: 2, generation: 1)

  private static func at(_ milliseconds: Int) -> Timestamp {
    Timestamp(microseconds: 5_000).adding(milliseconds: UInt64(milliseconds))
  }

  private static func request(_ scope: IdleWatches.Scope, _ milliseconds: UInt64)
    -> IdleWatches.Request
  {
    IdleWatches.Request(scope: scope, milliseconds: milliseconds)
  }

  private static func touch(
    _ watches: inout IdleWatches, at milliseconds: Int, screen: String = "panel",
    window: String? = "home", isInjected: Bool = false
  ) {
    watches.note(at: at(milliseconds), screen: screen, window: window, isInjected: isInjected)
  }

  /// What is told up to a time at which nobody's finger rests anywhere.
  private static func told(_ watches: inout IdleWatches, at milliseconds: Int) -> [Bool] {
    watches.advance(to: at(milliseconds)) { _, _ in false }
    defer { watches.removeChanges() }
    return watches.changes.map(\.isIdle)
  }

  @Test("a watch is told once that nobody touches, and once that somebody does again (D7)")
  func once() {
    var watches = IdleWatches()
    #expect(watches.nextDeadline == nil)
    _ = watches.add(Self.request(.seat, 1_000), for: Self.client, at: Self.at(0))
    #expect(watches.nextDeadline == Self.at(1_000))
    #expect(Self.told(&watches, at: 999) == [])
    #expect(Self.told(&watches, at: 1_000) == [true])
    #expect(watches.nextDeadline == nil)
    #expect(Self.told(&watches, at: 9_000) == [])
    Self.touch(&watches, at: 9_000)
    Self.touch(&watches, at: 9_050)
    #expect(Self.told(&watches, at: 9_100) == [false])
    #expect(watches.nextDeadline == Self.at(10_050))
  }

  @Test("after a restart no watch has the number of another, in whichever order they go on (D7)")
  func numbersAfterRestart() {
    var watches = IdleWatches()
    for (number, client) in [(5, Self.client), (3, Self.other), (4, Self.other)] {
      watches.resume(
        UInt32(number), Self.request(.seat, 1_000), isIdle: false, for: client, at: Self.at(0))
    }
    for _ in 0..<3 {
      _ = watches.add(Self.request(.seat, 2_000), for: Self.client, at: Self.at(10))
    }
    #expect(watches.watches(of: Self.client).map(\.id) == [5, 6, 7, 8])
    #expect(watches.watches(of: Self.other).map(\.id) == [3, 4])
  }

  @Test("what was before a watch does not count for it: it says nothing of touches that were (D7)")
  func start() {
    var watches = IdleWatches()
    _ = watches.add(Self.request(.seat, 5_000), for: Self.client, at: Self.at(0))
    #expect(Self.told(&watches, at: 5_000) == [true])
    _ = watches.add(Self.request(.seat, 1_000), for: Self.other, at: Self.at(6_000))
    #expect(Self.told(&watches, at: 6_999) == [])
    #expect(Self.told(&watches, at: 7_000) == [true])
  }

  @Test("a finger that rests holds idle off, and idle counts from its lift (D8)")
  func rest() {
    var watches = IdleWatches()
    _ = watches.add(Self.request(.seat, 1_000), for: Self.client, at: Self.at(0))
    Self.touch(&watches, at: 500)
    watches.advance(to: Self.at(1_500)) { _, _ in true }
    #expect(watches.changes.isEmpty)
    #expect(watches.nextDeadline == nil)
    Self.touch(&watches, at: 3_000)
    #expect(watches.nextDeadline == Self.at(4_000))
    #expect(Self.told(&watches, at: 4_000) == [true])
  }

  @Test(
    "a finger on another screen or window is nothing to a watch, nor an injected one by wish (D7)")
  func scopes() {
    var watches = IdleWatches()
    for scope in [IdleWatches.Scope.screen("panel"), .window("home"), .seat] {
      _ = watches.add(Self.request(scope, 1_000), for: Self.client, at: Self.at(0))
    }
    var ignoring = Self.request(.seat, 1_000)
    ignoring.ignoresInjected = true
    _ = watches.add(ignoring, for: Self.client, at: Self.at(0))
    #expect(Self.told(&watches, at: 1_000) == [true, true, true, true])
    Self.touch(&watches, at: 2_000, screen: "door", window: "bell")
    #expect(watches.changes.map(\.watch) == [3, 4])
    _ = Self.told(&watches, at: 2_000)
    Self.touch(&watches, at: 2_500, window: nil)
    #expect(watches.changes.map(\.watch) == [1])
    _ = Self.told(&watches, at: 3_500)
    Self.touch(&watches, at: 4_000, isInjected: true)
    #expect(watches.changes.map(\.watch) == [1, 2, 3])
  }

  @Test("while a program inhibits idle nobody is told, and idle counts from its end (D9)")
  func inhibitors() {
    var watches = IdleWatches()
    _ = watches.add(Self.request(.seat, 1_000), for: Self.client, at: Self.at(0))
    _ = watches.add(Self.request(.window("nav"), 1_000), for: Self.client, at: Self.at(0))
    var ignoring = Self.request(.seat, 2_000)
    ignoring.ignoresInhibitors = true
    _ = watches.add(ignoring, for: Self.client, at: Self.at(0))
    let film = AttachmentID(7)
    watches.setInhibitors([film: .init("home", on: "panel")], at: Self.at(500))
    #expect(Self.told(&watches, at: 5_000) == [true, true])
    watches.setInhibitors([film: nil], at: Self.at(6_000))
    #expect(watches.nextDeadline == Self.at(7_000))
    #expect(Self.told(&watches, at: 7_000) == [true])
    // What was told already is taken back.
    watches.setInhibitors([film: .init("nav", on: "panel")], at: Self.at(8_000))
    #expect(watches.changes.map(\.isIdle) == [false, false])
  }

  @Test("a scope is inhibited as long as one of its inhibitors is there, whichever go (D8)")
  func severalInhibitors() {
    let seed = Seeds.fresh()
    var random = SeededGenerator(seed: seed)
    let windows = [("home", "panel"), ("nav", "panel"), ("bell", "door")]
    let scopes: [IdleWatches.Scope] = [
      .seat, .screen("panel"), .screen("door"), .window("home"), .window("nav"), .window("bell"),
    ]
    var watches = IdleWatches()
    for scope in scopes {
      _ = watches.add(Self.request(scope, 1_000), for: Self.client, at: Self.at(0))
    }
    var held: [AttachmentID: (String, String)] = [:]
    for step in 1...400 {
      var changes: [AttachmentID: IdleWatches.InhibitedWindow?] = [:]
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let id = AttachmentID(.random(in: 1...6, using: &random))
        let window = Bool.random(using: &random) ? windows.randomElement(using: &random) : nil
        held[id] = window
        changes[id] = .some(window.map { .init($0.0, on: $0.1) })
      }
      watches.setInhibitors(changes, at: Self.at(step * 10_000))
      watches.removeChanges()
      watches.advance(to: Self.at(step * 10_000 + 5_000)) { _, _ in false }
      let idle = Set(watches.watches(of: Self.client).filter(\.isIdle).map(\.request.scope))
      let expected = scopes.filter { scope in
        !held.values.contains { window, screen in
          [.seat, .screen(screen), .window(window)].contains(scope)
        }
      }
      #expect(idle == Set(expected), "step \(step), seed \(seed)")
      #expect(watches.inhibiting == held.keys.sorted { $0.rawValue < $1.rawValue })
    }
  }

  @Test("a watch ends as its client says, or goes, or its window does (D7)")
  func ends() {
    var watches = IdleWatches()
    let first = watches.add(Self.request(.seat, 1_000), for: Self.client, at: Self.at(0))
    let second = watches.add(Self.request(.window("home"), 900), for: Self.other, at: Self.at(0))
    #expect(watches.nextDeadline == Self.at(900))
    let isOthers = watches.remove(second, of: Self.client)
    #expect(!isOthers)
    watches.removeAll { $1 == .window("home") }
    #expect(watches.nextDeadline == Self.at(1_000))
    _ = watches.add(Self.request(.seat, 800), for: Self.other, at: Self.at(0))
    watches.removeAll(of: Self.other)
    #expect(watches.count { $0 == Self.other } == 0)
    let isFound = watches.remove(first, of: Self.client)
    #expect(isFound && watches.isEmpty && watches.nextDeadline == nil)
  }

  /// A watch as plainly as it can be written: it looks each millisecond.
  private struct PlainWatch {
    let id: UInt32
    let milliseconds: Int
    let ignoresInhibitors: Bool
    var quietSince: Int
    var isIdle = false

    mutating func look(at now: Int, isTouched: Bool, isInhibited: Bool) -> Bool? {
      let isKept = isTouched || isInhibited && !ignoresInhibitors
      if isKept {
        quietSince = now
        defer { isIdle = false }
        return isIdle ? false : nil
      }
      guard !isIdle, now - quietSince >= milliseconds else { return nil }
      isIdle = true
      return true
    }
  }

  @Test("at any time those are told that a plain look each millisecond would tell (D7 to D9)")
  func oracle() {
    let seed = Seeds.fresh()
    var random = SeededGenerator(seed: seed)
    for world in 0..<60 {
      var watches = IdleWatches()
      var plain: [PlainWatch] = []
      var (isDown, isInhibited) = (false, false)
      var expected: [IdleWatches.Change] = []
      var told: [IdleWatches.Change] = []
      for now in 0..<6_000 {
        if random.oneIn(400) {
          var request = Self.request(.seat, UInt64(100 + random.below(1_000)))
          request.ignoresInhibitors = random.oneIn(3)
          let id = watches.add(request, for: Self.client, at: Self.at(now))
          plain.append(
            PlainWatch(
              id: id, milliseconds: Int(request.milliseconds),
              ignoresInhibitors: request.ignoresInhibitors, quietSince: now))
        }
        let (wasDown, wasInhibited) = (isDown, isInhibited)
        if random.oneIn(600) {
          isDown.toggle()
          Self.touch(&watches, at: now)
        }
        if random.oneIn(900) {
          isInhibited.toggle()
          if isInhibited {
            watches.setInhibitors([AttachmentID(1): .init("a", on: "b")], at: Self.at(now))
          } else {
            watches.setInhibitors([AttachmentID(1): nil], at: Self.at(now))
          }
        }
        if let deadline = watches.nextDeadline, deadline <= Self.at(now) {
          watches.advance(to: Self.at(now)) { _, _ in isDown }
        }
        told += watches.changes.sorted { $0.watch < $1.watch }
        watches.removeChanges()
        for index in plain.indices {
          let change = plain[index].look(
            at: now, isTouched: isDown || wasDown, isInhibited: isInhibited || wasInhibited)
          guard let change else { continue }
          expected.append(
            IdleWatches.Change(client: Self.client, watch: plain[index].id, isIdle: change))
        }
      }
      #expect(told == expected, "seed \(seed), world \(world)")
    }
  }
}
