import TouchModel

/// Finds contacts that no finger makes, by the conditions and constants of Chromium's false touch
/// finder (ui/events/ozone/evdev/touch_filter). Rule N8.
///
/// Its contacts are named by the numbers that the chain gives them. It is told of every contact in
/// every report, in the order in which they landed.
struct GhostFinder {
  /// What a report says of a contact.
  enum State { case landed, down, lifted }

  /// The least distance of two that landed together, in points. Chromium has 1500 pixels of its
  /// panels.
  private static let farDistance = 1500.0
  /// Together is within this time.
  private static let farMicroseconds: UInt64 = 30_000
  /// A contact that has moved further than this is no tap.
  private static let tapMovement = 20.0
  /// Two contacts are aligned if their x differ by at most this, in points.
  private static let alignedDistance = 3.0

  private let kinds: SignalSettings.Ghosts
  private var taps: [Place] = []
  private var down: [Place] = []
  private var spots: SpotList

  private struct Place {
    var id: Int32
    var point: Point
    var time: Timestamp
  }

  init(_ kinds: SignalSettings.Ghosts, contacts: Int) {
    self.kinds = kinds
    spots = SpotList()
    taps.reserveCapacity(contacts)
    down.reserveCapacity(contacts)
  }

  /// Begins a report.
  mutating func begin(at time: Timestamp) {
    taps.removeAll {
      time.microseconds(since: $0.time) > GhostFinder.farMicroseconds
    }
    if kinds.contains(.samePlace) { spots.forgetOld(at: time) }
  }

  /// Tells where a contact of the report is; all of them, before the first is judged.
  mutating func note(_ id: Int32, _ state: State, _ point: Point, at time: Timestamp) {
    if state == .lifted { return down.removeAll { $0.id == id } }
    if let index = down.firstIndex(where: { $0.id == id }) {
      down[index].point = point
    } else {
      down.append(Place(id: id, point: point, time: time))
    }
  }

  /// Forgets a contact that is over without a report that said so.
  mutating func forget(_ id: Int32) {
    down.removeAll { $0.id == id }
    taps.removeAll { $0.id == id }
  }

  /// Whether a contact is a ghost.
  mutating func isGhost(_ id: Int32, _ state: State, _ point: Point, at time: Timestamp) -> Bool {
    var isGhost = false
    if kinds.contains(.farApart), isFarApart(id, state, point, at: time) { isGhost = true }
    if kinds.contains(.aligned), state == .landed, isAligned(id, point) { isGhost = true }
    if kinds.contains(.samePlace), spots.isOld(id, state, point, at: time) { isGhost = true }
    return isGhost
  }

  private mutating func isFarApart(
    _ id: Int32, _ state: State, _ point: Point, at time: Timestamp
  ) -> Bool {
    if state == .landed { taps.append(Place(id: id, point: point, time: time)) }
    guard let own = taps.firstIndex(where: { $0.id == id }) else { return false }
    if taps[own].point.distance(to: point) > Self.tapMovement {
      taps.remove(at: own)
      return false
    }
    var nearest = Double.infinity
    for tap in taps where tap.id != id { nearest = min(nearest, tap.point.distance(to: point)) }
    if state == .lifted { taps.remove(at: own) }
    return nearest > Self.farDistance && nearest.isFinite
  }

  private func isAligned(_ id: Int32, _ point: Point) -> Bool {
    down.contains { $0.id != id && ($0.point.x - point.x).magnitude <= Self.alignedDistance }
  }
}
