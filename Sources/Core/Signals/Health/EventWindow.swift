import TouchModel

/// How often something has happened lately.
struct EventWindow {
  private let microseconds: UInt64
  private var times: [Timestamp] = []

  /// - Parameter seconds: What counts as lately.
  init(seconds: UInt64) { microseconds = seconds * 1_000_000 }

  /// Notes that it has happened, so many times.
  mutating func add(_ count: UInt64 = 1, at time: Timestamp, limit: UInt64) {
    // More than the limit need not be known.
    for _ in 0..<min(count, limit) { times.append(time) }
    if times.count > Int(limit) { times.removeFirst(times.count - Int(limit)) }
  }

  /// How often it has happened lately.
  mutating func count(at time: Timestamp) -> UInt64 {
    times.removeAll { time.microseconds(since: $0) >= microseconds }
    return UInt64(times.count)
  }

  /// The first of those.
  var first: Timestamp? { times.first }

  /// When the first one no longer counts.
  var nextChange: Timestamp? {
    times.first.map { Timestamp(microseconds: $0.microseconds + microseconds) }
  }
}
