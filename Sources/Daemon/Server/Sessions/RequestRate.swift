import Glibc

/// How much of the daemon's time a client has had of late: turns, those that were long or left
/// requests over counted several times, halved with every half second that has passed.
struct RequestRate {
  /// How a client is served beside others that want something at the same time. Rule F1.
  enum Level: Int, Comparable, CaseIterable {
    /// As soon as the turn at hand is over.
    case quiet
    /// Behind all quiet ones.
    case busy
    /// Behind these too.
    case flooding

    static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  private var turns: Double
  private var updated: UInt64

  /// Turns of late up to which a client is quiet: 60 a second, for as long as it likes.
  private static let quiet = 44.0
  /// Those up to which it is no worse than busy.
  private static let busy = 180.0
  /// Where counting ends, so that a client that has flooded is soon like all others.
  private static let most = 400.0
  private static let halfLife = 500_000.0
  /// How long a turn is that counts once, in microseconds.
  private static let shortTurn = 250.0

  /// A client that has just come in, at that level. One of a user that connects often is as if it
  /// had flooded, so that coming and going gains nothing.
  init(now: UInt64, as level: Level = .flooding) {
    turns =
      switch level {
      case .quiet: 0
      case .busy: Self.quiet + 1
      case .flooding: Self.busy + 1
      }
    updated = now
  }

  /// Takes a turn into account.
  ///
  /// - Parameters:
  ///   - now: The present, in microseconds, as everywhere here.
  ///   - spent: How long it took, in microseconds.
  ///   - hasMore: Whether it ended before all requests that had come were carried out.
  mutating func add(now: UInt64, spent: UInt64, hasMore: Bool) {
    let weight = max(hasMore ? 4 : 1, Double(spent) / Self.shortTurn)
    turns = min(Self.most, turns(at: now) + weight)
    updated = max(now, updated)
  }

  /// How the client is served.
  func level(at now: UInt64) -> Level {
    let turns = turns(at: now)
    return turns <= Self.quiet ? .quiet : turns <= Self.busy ? .busy : .flooding
  }

  private func turns(at now: UInt64) -> Double {
    now > updated ? turns * exp2(-Double(now - updated) / Self.halfLife) : turns
  }
}
