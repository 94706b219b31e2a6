import Routing
import TouchModel

/// The touchscreens of a world, and what they have done since that was last taken.
struct SimulatedTouchscreens {
  private(set) var events: ReusableArray<DeviceEvent> = []
  private var devices: [DeviceID] = []
  private var nextDevice: UInt32 = 1

  init() {
    for _ in 0..<Step.devices { devices.append(takeDevice()) }
  }

  private mutating func takeDevice() -> DeviceID {
    nextDevice += 1
    return DeviceID(nextDevice - 1)
  }

  mutating func removeEvents() { events.removeAll() }

  /// What a finger does by a step.
  mutating func take(_ step: Step, at time: Timestamp) {
    let index = step[0] % Step.devices
    let device = devices[index]
    let slot = Int32(truncatingIfNeeded: step[1])
    let point = Point(x: Double(step[2]), y: Double(step[3]))
    let event: DeviceEvent =
      switch step.kind {
      case .down:
        .down(
          device, slot: slot, screen: ScreenIndex(index == 2 ? 1 : 0), location: point, time: time)
      case .motion: .motion(device, slot: slot, location: point, time: time)
      case .up: .up(device, slot: slot, time: time)
      default: .cancel(device, slot: slot, reason: .palm, time: time)
      }
    events.append(event)
  }

  /// The mark of a device's frame.
  mutating func mark(_ index: Int, at time: Timestamp) {
    events.append(.frame(devices[index], time: time))
  }

  /// A frame of a drag, in which its fingers move.
  mutating func drag(_ index: Int, frame: Int, at time: Timestamp) {
    for slot in 0..<Int32(Step.slots) where frame % 3 != slot {
      let point = Point(x: Double(frame * 5 % 200), y: Double(20 * (slot + 1)))
      events.append(.motion(devices[index], slot: slot, location: point, time: time))
    }
    mark(index, at: time)
  }

  /// A device goes, and another takes its place.
  mutating func lose(_ index: Int, _ reason: CancelReason, at time: Timestamp) {
    events.append(.lost(devices[index], reason: reason, time: time))
    devices[index] = takeDevice()
  }

  /// Every finger of a device is lifted.
  mutating func liftAll(_ index: Int, at time: Timestamp) {
    for slot in -1..<Int32(Step.slots) {
      events.append(.up(devices[index], slot: slot, time: time))
    }
    mark(index, at: time)
  }
}
