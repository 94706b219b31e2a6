import Signals
import TouchModel

extension SignalBench {
  /// Takes a report of a recording, with its frame mark.
  mutating func take(_ report: [Recording.Sample]) {
    guard let time = report.first?.time else { return }
    for sample in report { take(event(of: sample)) }
    take(.frame(Self.device, time: time))
  }

  private mutating func event(of sample: Recording.Sample) -> DeviceEvent {
    if !sample.isDown {
      live.remove(sample.slot)
      return .up(Self.device, slot: sample.slot, time: sample.time)
    }
    if live.insert(sample.slot).inserted {
      return .down(
        Self.device, slot: sample.slot, screen: ScreenIndex(0), location: sample.point,
        time: sample.time)
    }
    return .motion(Self.device, slot: sample.slot, location: sample.point, time: sample.time)
  }

  /// How many contacts came out, and how many of them were lifted.
  var beganAndEnded: (began: Int, ended: Int) {
    var (began, ended) = (0, 0)
    for event in events {
      if case .down = event { began += 1 }
      if case .up = event { ended += 1 }
    }
    return (began, ended)
  }
}
