package import TouchModel

/// Takes one press out of what a touchscreen reports: one finger that lands, rests and is lifted.
package struct PressCollector {
  /// What came of a contact.
  package enum Outcome: Equatable, Sendable {
    /// A press, and where it was.
    case press(Point)
    /// Several fingers were down.
    case severalFingers
    /// The finger went on.
    case stroke
    /// The touchscreen took it back, as it does with a palm.
    case cancelled
    /// The touchscreen is gone.
    case lost
  }

  /// A finger that rests stays within this, in the units of the points.
  private let tolerance: Double
  private var points: [Point] = []
  private var live: Set<Int32> = []
  private var isSpoilt = false

  /// A collector of presses.
  ///
  /// - Parameter tolerance: How far a finger that rests may go from where it landed.
  package init(tolerance: Double) { self.tolerance = tolerance }

  /// Takes an event; what came of the fingers, once all are lifted.
  package mutating func take(_ event: DeviceEvent) -> Outcome? {
    switch event {
    case .down(_, let slot, _, let point, _):
      live.insert(slot)
      isSpoilt = isSpoilt || live.count > 1
      points.append(point)
    case .motion(_, let slot, let point, _):
      if live.contains(slot) { points.append(point) }
    case .up(_, let slot, _):
      guard live.remove(slot) != nil, live.isEmpty else { return nil }
      return finish()
    case .cancel(_, let slot, _, _):
      guard live.remove(slot) != nil, live.isEmpty else { return nil }
      reset()
      return .cancelled
    case .lost: return .lost
    case .frame: break
    }
    return nil
  }

  private mutating func finish() -> Outcome {
    defer { reset() }
    guard !isSpoilt else { return .severalFingers }
    guard let first = points.first else { return .cancelled }
    guard points.allSatisfy({ $0.distance(to: first) <= tolerance }) else { return .stroke }
    return .press(Point(x: Self.median(points.map(\.x)), y: Self.median(points.map(\.y))))
  }

  private mutating func reset() { (points, live, isSpoilt) = ([], [], false) }

  /// A report or two that is far off, as when a finger lands, does not move it.
  private static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
