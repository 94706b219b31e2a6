import Layout
import TouchModel

/// Remembers the taps of one device, to count those that follow one another. Rule T10.
///
/// A tap is a touch that ended no farther from where it began than the next tap may be from it: a
/// drag is none. Each tap counts for one touch after it, so that two fingers that tap twice are two
/// double taps.
final class TapCounter {
  private struct Tap {
    var target: ViewIndex
    var location: Point
    var time: Timestamp
    /// 0 once it has counted for a touch.
    var count: UInt16

    func isRecent(at time: Timestamp, _ options: RouterOptions) -> Bool {
      time <= self.time.adding(milliseconds: options.tapIntervalMilliseconds)
    }
  }

  /// How many taps are remembered: more fingers than a panel tells apart.
  private static let capacity = 32

  /// Oldest first.
  private let taps = ReusableList<Tap>()

  /// The count of a touch that begins.
  func count(
    of touch: Touch, on target: ViewIndex, _ options: RouterOptions
  ) -> UInt16 {
    var index = taps.count
    while index > 0 {
      index -= 1
      if taps[index].count > 0, taps[index].target == target,
        taps[index].isRecent(at: touch.time, options),
        taps[index].location.distance(to: touch.location) <= options.tapDistance
      {
        let count = taps[index].count
        taps[index].count = 0
        return count == .max ? .max : count + 1
      }
    }
    return 1
  }

  /// Remembers a touch that ended.
  func add(_ touch: LiveTouch, _ options: RouterOptions) {
    guard let target = touch.target,
      touch.beganLocation.distance(to: touch.screenLocation) <= options.tapDistance
    else { return }
    taps.removeAll { $0.count == 0 || !$0.isRecent(at: touch.time, options) }
    if taps.count == Self.capacity { taps.remove(at: 0) }
    taps.append(
      Tap(
        target: target, location: touch.screenLocation, time: touch.time, count: touch.tapCount))
  }

  /// Goes over to another layout: taps of views that it does not have are forgotten.
  func move(_ counterpart: (ViewIndex) -> ViewIndex?) {
    taps.removeAll { counterpart($0.target) == nil }
    for index in taps.indices {
      if let target = counterpart(taps[index].target) { taps[index].target = target }
    }
  }
}
