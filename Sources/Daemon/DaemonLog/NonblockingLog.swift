import Glibc
import Synchronization

/// Where the log's lines go: a descriptor that is written to without ever waiting, and a bounded
/// buffer for what it does not take at once. Lines beyond that are lost, counted and told of.
///
/// A logger may be used by any thread, so this has a lock; it is held for one attempt to write,
/// which does not wait.
package final class NonblockingLog: Sendable {
  private struct State: ~Copyable {
    var buffer: LogBuffer
    let target: LogTarget
  }

  private let state: Mutex<State>
  private let waits = Atomic(false)
  /// What is to be watched for being writable while lines wait.
  let descriptor: Int32

  /// As much as a pipe holds.
  private static let capacity = 65_536

  /// A log on a descriptor that stays open; its other users notice nothing.
  ///
  /// - Parameters:
  ///   - capacity: The bytes that may wait.
  ///   - lossLine: Makes the line, with its line feed, that says how many were lost.
  init(
    _ descriptor: Int32, capacity: Int = capacity, lossLine: @escaping @Sendable (UInt64) -> String
  ) {
    let target = LogTarget(descriptor)
    self.descriptor = target.descriptor
    state = Mutex(
      State(buffer: LogBuffer(capacity: capacity, lossLine: lossLine), target: target))
  }

  deinit { state.withLock { $0.target.close() } }

  /// Whether lines wait to be written.
  var isWaiting: Bool { waits.load(ordering: .relaxed) }

  /// How many lines were lost because nobody read them in time.
  package var lostCount: UInt64 { state.withLock { $0.buffer.lostCount } }

  /// Writes lines, each with the line feed at its end, or keeps them, or counts them as lost.
  func write(_ lines: String) {
    state.withLock { state in
      state.buffer.append(lines)
      flush(&state)
    }
  }

  /// Writes what waits, as far as it is taken at once.
  func flush() { state.withLock { flush(&$0) } }

  /// Writes what waits before the process ends, for at most so long.
  package func finish(milliseconds: Int32) {
    var start = timespec()
    clock_gettime(CLOCK_MONOTONIC, &start)
    while isWaiting {
      var now = timespec()
      clock_gettime(CLOCK_MONOTONIC, &now)
      let passed = (now.tv_sec - start.tv_sec) * 1000 + (now.tv_nsec - start.tv_nsec) / 1_000_000
      let rest = milliseconds - Int32(clamping: passed)
      guard rest > 0, state.withLock({ $0.target.isWritable(timeoutMilliseconds: rest) }) else {
        return
      }
      flush()
    }
  }

  private func flush(_ state: inout State) {
    let target = state.target
    state.buffer.drain { target.write($0) }
    waits.store(state.buffer.count > 0, ordering: .relaxed)
  }
}
