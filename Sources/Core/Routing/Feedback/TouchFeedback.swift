import Layout
import TouchModel

/// Gives feedback for touches as clients get their `began`, once for each touch. Rule D10.
struct TouchFeedback: ~Copyable {
  /// The touches that have begun, and of which no client has got `began` yet.
  private var pending: [(touch: TouchID, device: DeviceTouches)] = []

  /// Whether it is to be told of each frame and of each touch that is let go of.
  var isPending: Bool { !pending.isEmpty }

  /// Takes in a touch that begins and that a client is to get.
  mutating func begin(_ touch: TouchID, on device: DeviceTouches) {
    pending.append((touch, device))
  }

  /// Forgets all touches: nobody listens any more.
  mutating func removeAll() { pending.removeAll() }

  /// Gives feedback for the touches whose `began` is among the deliveries, and forgets those whose
  /// `began` no client will get.
  mutating func review(in layout: Layout, into deliveries: Deliveries) {
    pending.removeAll { touch, device in
      guard let record = Self.beginning(of: touch, in: deliveries) else {
        return !device.isHeldBack(touch)
      }
      if let name = layout.feedback(of: record.target) {
        let isSecure = layout.secureRoot(of: record.target) != nil
        deliveries.add(
          Feedback(
            .touch, on: record.screen, at: record.time, name: name,
            target: isSecure ? nil : layout.path(of: record.target)))
      }
      return true
    }
  }

  private static func beginning(
    of touch: TouchID, in deliveries: Deliveries
  ) -> Deliveries.Record? {
    let records = deliveries.records
    return records.indices.first { records[$0].id == touch && records[$0].phase == .began }
      .map { records[$0] }
  }
}
