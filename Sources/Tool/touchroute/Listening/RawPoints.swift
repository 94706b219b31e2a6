import TouchClient
import TouchModel

/// Where touchscreens reported touches that a filter has moved, until the frame that says where
/// the filter put them.
struct RawPoints {
  private var points: [TouchID: Point] = [:]

  /// Takes what a filter did.
  mutating func note(_ signal: ObservedSignal) {
    guard signal.finding == .smoothed, let touch = signal.touch else { return }
    points[touch] = signal.screenLocation
  }

  /// Where the touchscreen reported a touch, if a filter has moved it in this frame.
  func point(of record: Observation.Record) -> Point? { points[record.id] }

  /// Forgets what concerned a frame.
  mutating func forget(_ frame: Observation) {
    for record in frame.records { points[record.id] = nil }
  }
}
