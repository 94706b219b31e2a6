import Layout
import TouchModel

/// Remembers taps, to count those that follow one another on one device. Rule T10.
///
/// A tap is a touch that ended no farther from where it began than the next tap may be from it: a
/// drag is none. Each tap counts for one touch after it, so that two fingers that tap twice are two
/// double taps.
struct TapCounter {
  private struct Tap {
    var device: DeviceID
    var target: ViewIndex
    var location: Point
    var time: Timestamp
    var count: UInt16
  }

  /// How many taps are remembered: more fingers than a panel tells apart.
  private static let capacity = 32

  /// Oldest first.
  private var taps: [Tap] = []

  /// The count of a touch that begins on a device.
  mutating func count(
    of touch: LiveTouch, from device: DeviceID, on target: ViewIndex,
    interval milliseconds: UInt64, distance: Double
  ) -> UInt16 {
    taps.sweep { touch.time > $0.time.adding(milliseconds: milliseconds) }
    let index = taps.lastIndex {
      $0.device == device && $0.target == target
        && $0.location.distance(to: touch.beganLocation) <= distance
    }
    guard let index else { return 1 }
    let count = taps.remove(at: index).count
    return count == .max ? .max : count + 1
  }

  /// Remembers a touch of a device that ended.
  mutating func add(_ touch: LiveTouch, from device: DeviceID, distance: Double) {
    guard let target = touch.target,
      touch.beganLocation.distance(to: touch.screenLocation) <= distance
    else { return }
    if taps.count == Self.capacity { taps.removeFirst() }
    taps.append(
      Tap(
        device: device, target: target, location: touch.screenLocation, time: touch.time,
        count: touch.tapCount))
  }

  /// Goes over to another layout: taps of views that it does not have are forgotten.
  mutating func move(_ place: (ViewIndex) -> ViewIndex?) {
    taps = taps.compactMap { tap in
      guard let target = place(tap.target) else { return nil }
      var tap = tap
      tap.target = target
      return tap
    }
  }
}
