import Routing
import TouchModel

/// Measures how long frames take from the kernel's timestamp until they are sent: each frame once,
/// if somebody gets it who reads.
final class LatencyMeter {
  /// What was measured until now.
  private(set) var histogram = LatencyHistogram()
  /// The times of the frames that the end of the turn sends.
  private let pending = ReusableList<Timestamp>()
  /// The number of the latest of them.
  private var latestFrame: UInt64 = 0

  /// Whether frames were noted that are not sent so far.
  var isPending: Bool { !pending.isEmpty }

  /// A frame goes out at the end of the turn.
  @inline(__always)
  func note(_ frame: Deliveries.ClientFrame) {
    guard frame.sequence != latestFrame else { return }
    latestFrame = frame.sequence
    pending.append(frame.time)
  }

  /// The frames that were noted are sent, at that moment, in microseconds.
  func framesSent(at present: UInt64) {
    let moment = Timestamp(microseconds: present)
    for index in pending.indices { histogram.add(moment.microseconds(since: pending[index])) }
    pending.removeAll()
  }
}
