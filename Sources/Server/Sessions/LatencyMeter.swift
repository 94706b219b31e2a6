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

  /// A frame goes out at the end of the turn.
  @inline(__always)
  mutating func note(_ frame: Deliveries.ClientFrame) {
    guard frame.sequence != latestFrame else { return }
    latestFrame = frame.sequence
    pending.append(frame.time)
  }

  /// The frames that were noted are sent.
  ///
  /// - Parameter present: The present, in microseconds.
  /// - Returns: When they were sent; nil where there were none.
  mutating func framesSent(at present: @autoclosure () -> UInt64) -> UInt64? {
    if pending.isEmpty { return nil }
    let present = present()
    let moment = Timestamp(microseconds: present)
    for time in pending { histogram.add(moment.microseconds(since: time)) }
    pending.removeAll()
    return present
  }
}
