import TouchModel

/// The smoothing of one contact: one of the four filters, and the bound that holds for all of them.
/// Rule N4.
enum Smoother {
  case median(MedianFilter)
  case iir(IIRFilter)
  case dejitter(DejitterFilter)
  case oneEuro(OneEuroFilter)

  /// How far it may move a point, in points: UIKit's slop of a pan. So smoothing alone makes no pan
  /// of a tap.
  static let bound = 10.0

  init(_ smoothing: SignalSettings.Smoothing, from first: Point, at time: Timestamp) {
    switch smoothing {
    case .median(let depth): self = .median(MedianFilter(depth: depth, from: first))
    case .iir(let weight): self = .iir(IIRFilter(weight: weight, from: first))
    case .dejitter(let distance): self = .dejitter(DejitterFilter(distance: distance, from: first))
    case .oneEuro(let minimumCutoff, let beta):
      self = .oneEuro(
        OneEuroFilter(minimumCutoff: minimumCutoff, beta: beta, from: first, at: time))
    }
  }

  mutating func filter(_ point: Point, at time: Timestamp) -> Point {
    Self.limited(smoothed(point, at: time), near: point)
  }

  private mutating func smoothed(_ point: Point, at time: Timestamp) -> Point {
    switch self {
    case .median(var filter):
      defer { self = .median(filter) }
      return filter.filter(point)
    case .iir(var filter):
      defer { self = .iir(filter) }
      return filter.filter(point)
    case .dejitter(var filter):
      defer { self = .dejitter(filter) }
      return filter.filter(point)
    case .oneEuro(var filter):
      defer { self = .oneEuro(filter) }
      return filter.filter(point, at: time)
    }
  }

  private static func limited(_ smoothed: Point, near point: Point) -> Point {
    let distance = point.distance(to: smoothed)
    guard distance > bound else { return smoothed }
    let share = bound / distance
    return Point(
      x: point.x + (smoothed.x - point.x) * share, y: point.y + (smoothed.y - point.y) * share)
  }
}
