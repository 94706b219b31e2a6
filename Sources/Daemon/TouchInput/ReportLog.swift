import TouchModel

/// When a touchscreen made its latest reports, for ``SeatHealth``: a store and an addition for
/// each report.
final class ReportLog {
  /// How many reports are known; a power of two.
  private static let capacity = 64

  /// The times, the newest over the oldest; behind them how many reports there were.
  let memory: UnsafeMutablePointer<UInt64>
  /// The latest report that said nothing new of a contact.
  private var latestQuiet = Timestamp(microseconds: 0)

  init() {
    memory = .allocate(capacity: Self.capacity + 1)
    memory.initialize(repeating: 0, count: Self.capacity + 1)
  }

  deinit { memory.deallocate() }

  /// Notes a report in the memory of a log.
  @inline(__always)
  static func add(_ time: Timestamp, to memory: UnsafeMutablePointer<UInt64>) {
    let count = memory[capacity]
    memory[Int(truncatingIfNeeded: count) & (capacity - 1)] = time.microseconds
    memory[capacity] = count &+ 1
  }

  /// The latest reports, the oldest first.
  var times: [Timestamp] {
    let count = memory[Self.capacity]
    let known = min(count, UInt64(Self.capacity))
    return [Timestamp](unsafeUninitializedCapacity: Int(known)) { times, size in
      for offset in 0..<Int(known) {
        let index = (Int(truncatingIfNeeded: count &- known) &+ offset) & (Self.capacity - 1)
        times.initializeElement(at: offset, to: Timestamp(microseconds: memory[index]))
      }
      size = Int(known)
    }
  }

  /// Notes a report that said nothing new of a contact.
  func addQuiet(at time: Timestamp) { latestQuiet = time }

  /// The latest report; 0 where there was none.
  var latest: Timestamp {
    // Before the first report the last place has 0.
    let index = Int(truncatingIfNeeded: memory[Self.capacity] &- 1) & (Self.capacity - 1)
    return max(Timestamp(microseconds: memory[index]), latestQuiet)
  }
}
