import TouchModel

/// Where contacts have been that did not move: one at a place where contacts have been for long is
/// a ghost. The constants are those of Chromium's single position filter. Rule N8.
struct SpotList {
  /// Two points are one place within this distance, and a contact that moves further is a finger.
  private static let samePlace = 2.0
  /// Contacts at one place for longer than this are ghosts.
  private static let leastMicroseconds: UInt64 = 2_000_000
  /// A contact that ended longer ago than this counts no more.
  private static let keptMicroseconds: UInt64 = 4_000_000
  /// How many are remembered.
  private static let limit = 100

  private struct Spot {
    /// Whose it is; nil once that contact has lifted.
    var contact: Int32?
    let point: Point
    let begin: Timestamp
    var end: Timestamp
  }

  private var spots: [Spot] = []

  init() { spots.reserveCapacity(Self.limit) }

  mutating func forgetOld(at time: Timestamp) {
    spots.removeAll { time.microseconds(since: $0.end) > SpotList.keptMicroseconds }
  }

  /// Whether contacts have been where this one is for too long.
  mutating func isOld(
    _ id: Int32, _ state: GhostFinder.State, _ point: Point, at time: Timestamp
  ) -> Bool {
    if state == .landed, spots.count < Self.limit {
      spots.append(Spot(contact: id, point: point, begin: time, end: time))
    }
    guard let own = spots.firstIndex(where: { $0.contact == id }) else { return false }
    if state == .lifted {
      (spots[own].contact, spots[own].end) = (nil, time)
      return false
    }
    spots[own].end = time
    if spots[own].point.distance(to: point) > Self.samePlace {
      spots.remove(at: own)
      return false
    }
    var longest: UInt64 = 0
    for spot in spots where spot.point.distance(to: point) <= Self.samePlace {
      longest = max(longest, time.microseconds(since: spot.begin))
    }
    return longest > Self.leastMicroseconds
  }
}
