import Blanking
import TouchClient

/// What `touchroute idle` watches, and which of it nobody touches. Rule D7.
struct IdleWatchList {
  /// What a watch is for.
  enum Purpose: Equatable {
    case command(IdlePlan.Timeout)
    case dim
    case blank
  }

  private struct Watch {
    let purpose: Purpose
    let milliseconds: UInt32
    /// The request that is to be answered with its number.
    var request: Serial?
    /// Its number at the daemon.
    var number: UInt32?
    var isIdle = false
    /// Whether it is watched for a second only, as of SIGUSR1.
    var isShort = false
  }

  private var watches: [Watch]
  /// The shortest time that the daemon watches.
  private static let shortest: UInt32 = 1_000

  /// What a plan needs.
  init(_ plan: IdlePlan) {
    watches = plan.timeouts.map {
      Watch(purpose: .command($0), milliseconds: $0.milliseconds)
    }
    if let dim = plan.dim { watches.append(Watch(purpose: .dim, milliseconds: dim)) }
    if let blank = plan.blank { watches.append(Watch(purpose: .blank, milliseconds: blank)) }
  }

  /// The connection is lost, or the process ends.
  ///
  /// - Returns: What was idle.
  mutating func reset() -> [Purpose] {
    let idle = watches.filter(\.isIdle).map(\.purpose)
    for index in watches.indices {
      watches[index].request = nil
      watches[index].number = nil
      watches[index].isIdle = false
      watches[index].isShort = false
    }
    return idle
  }

  /// Asks for what a test picks, anew, and ends what was asked for before.
  ///
  /// - Parameter isShort: Whether it is to be idle as soon as can be. What is idle stays so: only
  ///   its own watch hears that it ends.
  mutating func ask(
    isShort: Bool = false, _ isPicked: (Purpose) -> Bool = { _ in true },
    watch: (UInt32) throws -> Serial?, unwatch: (UInt32) throws -> Void
  ) rethrows {
    for index in watches.indices where isPicked(watches[index].purpose) {
      if isShort, watches[index].isIdle { continue }
      if let number = watches[index].number { try unwatch(number) }
      watches[index].number = nil
      watches[index].isShort = isShort
      watches[index].request = try watch(isShort ? Self.shortest : watches[index].milliseconds)
    }
  }

  /// Takes in that a request is answered.
  ///
  /// - Returns: Whether its watch is wanted.
  mutating func answered(_ completion: Completion) -> Bool {
    guard let index = watches.firstIndex(where: { $0.request == completion.serial }) else {
      return false
    }
    watches[index].request = nil
    watches[index].number = completion.total
    return true
  }

  /// Whether a request is one to watch.
  func hasAsked(_ serial: Serial) -> Bool { watches.contains { $0.request == serial } }

  /// Takes in what the daemon tells of a watch.
  ///
  /// - Returns: What is idle now, or no longer; whether it was watched for a second only. nil where
  ///   that is known.
  mutating func hear(_ change: IdleChange) -> (purpose: Purpose, isShort: Bool)? {
    guard let index = watches.firstIndex(where: { $0.number == change.watch }) else { return nil }
    defer { watches[index].isIdle = change.isIdle }
    guard watches[index].isIdle != change.isIdle else { return nil }
    return (watches[index].purpose, watches[index].isShort)
  }

  /// Forgets that something is idle: nobody has touched it, but it counts anew.
  mutating func forgetIdle(_ isPicked: (Purpose) -> Bool) {
    for index in watches.indices where isPicked(watches[index].purpose) {
      watches[index].isIdle = false
    }
  }
}
