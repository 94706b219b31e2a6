import TouchModel

/// Drops points that no finger can have reached. Rule N5.
///
/// One such point is an outlier. A second one near it, or no other point for a while, says that it
/// is another finger in the same slot.
struct SpeedLimit {
  /// What a reported point is.
  enum Verdict: Equatable {
    /// The finger can have got there.
    case reached
    /// It waits for what comes next.
    case dropped
    /// Another finger began at this point.
    case began(Point)
  }

  /// The least time that counts between two points: hosts deliver reports late, and the next one
  /// then follows within less than the panel's own interval.
  private static let leastMicroseconds: UInt64 = 5_000
  /// How long a point stands alone before it is another finger: two reports at 100 a second, and
  /// one more that is late.
  private static let confirmationMicroseconds: UInt64 = 30_000

  private let speed: Double
  private var last: Point
  private var lastTime: Timestamp
  private var candidate: Point?
  private var candidateTime = Timestamp(microseconds: 0)

  /// - Parameter speed: In points a second.
  init(_ speed: Double, from first: Point, at time: Timestamp) {
    self.speed = speed
    last = first
    lastTime = time
  }

  /// When a point that waits is taken for another finger; nil if none waits.
  var deadline: Timestamp? {
    candidate.map { _ in
      Timestamp(
        microseconds: candidateTime.microseconds &+ SpeedLimit.confirmationMicroseconds)
    }
  }

  mutating func judge(_ point: Point, at time: Timestamp) -> Verdict {
    if reaches(point, at: time, from: last, lastTime) {
      candidate = nil
      (last, lastTime) = (point, time)
      return .reached
    }
    if let began = candidate, reaches(point, at: time, from: began, candidateTime) {
      candidate = nil
      (last, lastTime) = (point, time)
      return .began(began)
    }
    (candidate, candidateTime) = (point, time)
    return .dropped
  }

  /// Takes the point that waits for another finger, if it has waited long enough.
  mutating func confirm(at time: Timestamp) -> Point? {
    guard let began = candidate, let deadline, time >= deadline else { return nil }
    candidate = nil
    (last, lastTime) = (began, time)
    return began
  }

  private func reaches(
    _ point: Point, at time: Timestamp, from start: Point, _ startTime: Timestamp
  ) -> Bool {
    let elapsed = max(time.microseconds(since: startTime), Self.leastMicroseconds)
    return start.distance(to: point) <= speed * Double(elapsed) / 1_000_000
  }
}
