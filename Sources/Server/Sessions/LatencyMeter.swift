import Routing
import TouchModel

/// Measures how long frames take from the kernel's timestamp until they are sent: each frame once,
/// if somebody gets it who reads.
struct LatencyMeter {
  /// What was measured until now.
  private(set) var histogram = LatencyHistogram()
  /// The times of the frames that the end of the turn sends.
  private var pending: ReusableArray<Timestamp> = []
  /// The number of the latest of them.
  private var latestFrame: UInt64 = 0

  /// Whether the end of the turn sends a frame.
  var isPending: Bool { !pending.isEmpty }

  /// A frame goes out at the end of the turn.
  @inline(__always)
  mutating func note(_ frame: Deliveries.ClientFrame) {
    guard frame.sequence != latestFrame else { return }
    latestFrame = frame.sequence
    pending.append(frame.time)
  }

  /// The frames that were noted are sent; it is now so late.
  mutating func framesSent(at present: Timestamp) {
    for time in pending { histogram.add(present.microseconds(since: time)) }
    pending.removeAll()
  }
}
