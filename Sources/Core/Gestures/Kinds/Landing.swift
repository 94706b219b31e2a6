import TouchModel

/// The coming down of fingers together: the first, and the others within a time of it.
struct Landing: BitwiseCopyable {
  /// When the first came down.
  let firstTime: Timestamp
  /// When the last came down.
  private(set) var lastTime: Timestamp
  /// How many have come.
  private(set) var count = 1
  /// Whether one of them was lifted.
  private(set) var hasLifted = false
  private var sum: Point

  /// The first finger comes down.
  init(at location: Point, _ time: Timestamp) {
    firstTime = time
    lastTime = time
    sum = location
  }

  /// The mean of where its fingers came down.
  var centroid: Point { Point(x: sum.x / Double(count), y: sum.y / Double(count)) }

  /// Until when fingers may come.
  func end(_ gatherMilliseconds: UInt64) -> Timestamp {
    firstTime.adding(milliseconds: gatherMilliseconds)
  }

  /// A further finger comes down.
  mutating func add(
    at location: Point, _ time: Timestamp, gatherMilliseconds limit: UInt64
  ) -> FailureReason? {
    guard time <= end(limit) else { return .cameLate(milliseconds: limit) }
    lastTime = time
    count += 1
    sum = Point(x: sum.x + location.x, y: sum.y + location.y)
    return nil
  }

  /// A finger is lifted.
  mutating func lift() { hasLifted = true }
}
