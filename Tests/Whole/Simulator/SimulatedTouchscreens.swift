import Routing
import TouchInput
import TouchModel

/// The touchscreens of a world, and what they have done since that was last taken: as the daemon
/// has it, by the code that maps them (TouchInput's, above libinput), and as the oracle has it.
struct SimulatedTouchscreens {
  private struct Touchscreen {
    let id: DeviceID
    var held: HeldAssignment
    var oracle: OracleTouchscreen
    /// The slots whose fingers libinput has begun, and how many it has lifted since the mark.
    var down: Set<Int32> = []
    var lifted = 0
  }

  /// For the daemon.
  private(set) var events: ReusableArray<DeviceEvent> = []
  /// For the oracle.
  private(set) var expected: ReusableArray<DeviceEvent> = []
  private var mountings: SimulatedMountings
  private var devices: [Touchscreen] = []
  private var nextDevice: UInt32 = 1

  init(_ mountings: SimulatedMountings) {
    self.mountings = mountings
    for index in 0..<Step.devices { devices.append(takeDevice(index)) }
  }

  /// One that has just been opened.
  private mutating func takeDevice(_ index: Int) -> Touchscreen {
    nextDevice += 1
    return touchscreen(index, DeviceID(nextDevice - 1))
  }

  private func touchscreen(_ index: Int, _ id: DeviceID) -> Touchscreen {
    let description = SimulatedMountings.description(of: index)
    return Touchscreen(
      id: id, held: HeldAssignment(mountings.matcher.assignment(of: description)),
      oracle: OracleTouchscreen(mountings.mounting(of: index)))
  }

  /// What was reported is read, and what waited for that may hold.
  mutating func removeEvents() {
    events.removeAll()
    expected.removeAll()
    applyPending()
  }

  private mutating func append(_ event: DeviceEvent) {
    events.append(event)
    expected.append(event)
  }

  /// What a finger does by a step.
  mutating func take(_ step: Step, at time: Timestamp) {
    let index = step[0] % Step.devices
    let id = devices[index].id
    let slot = Int32(truncatingIfNeeded: step[1])
    switch step.kind {
    case .down: press(index, slot, step[2], step[3], at: time)
    case .motion: move(index, slot, step[2], step[3], at: time)
    case .up:
      lift(index, slot)
      append(.up(id, slot: slot, time: time))
    default:
      lift(index, slot)
      append(.cancel(id, slot: slot, reason: .palm, time: time))
    }
  }

  private mutating func press(_ index: Int, _ slot: Int32, _ x: Int, _ y: Int, at time: Timestamp) {
    if devices[index].down.insert(slot).inserted { devices[index].held.liveTouches += 1 }
    devices[index].oracle.press(slot)
    let (device, (x, y)) = (devices[index], Self.part(x, y))
    let (mapping, mounting) = (device.held.mapping, device.oracle.mounting)
    events.append(
      .down(
        device.id, slot: slot, screen: mapping.screen, location: mapping.location(x: x, y: y),
        time: time))
    expected.append(
      .down(
        device.id, slot: slot, screen: mounting.screen, location: mounting.place(x: x, y: y),
        time: time))
  }

  private mutating func move(_ index: Int, _ slot: Int32, _ x: Int, _ y: Int, at time: Timestamp) {
    let (device, (x, y)) = (devices[index], Self.part(x, y))
    events.append(
      .motion(
        device.id, slot: slot, location: device.held.mapping.location(x: x, y: y), time: time))
    expected.append(
      .motion(
        device.id, slot: slot, location: device.oracle.mounting.place(x: x, y: y), time: time))
  }

  private mutating func lift(_ index: Int, _ slot: Int32) {
    if devices[index].down.remove(slot) != nil { devices[index].lifted += 1 }
    devices[index].oracle.lift(slot)
  }

  /// A place of a screen of 200 by 100 points as a part of a panel of 256 by 256 units: exact, so
  /// that both ways of mapping it are.
  private static func part(_ x: Int, _ y: Int) -> (x: Double, y: Double) {
    (Double(x * 256 / 200) / 256, Double(y * 256 / 100) / 256)
  }

  /// The mark of a device's frame.
  mutating func mark(_ index: Int, at time: Timestamp) {
    append(.frame(devices[index].id, time: time))
    devices[index].held.liveTouches -= devices[index].lifted
    devices[index].lifted = 0
    devices[index].oracle.mark()
  }

  /// A frame of a drag, in which its fingers move.
  mutating func drag(_ index: Int, frame: Int, at time: Timestamp) {
    for slot in 0..<Int32(Step.slots) where frame % 3 != slot {
      move(index, slot, frame * 5 % 200, 20 * (Int(slot) + 1), at: time)
    }
    mark(index, at: time)
  }

  /// A device goes, and another takes its place.
  mutating func lose(_ index: Int, _ reason: CancelReason, at time: Timestamp) {
    append(.lost(devices[index].id, reason: reason, time: time))
    devices[index] = takeDevice(index)
  }

  /// Every finger of a device is lifted.
  mutating func liftAll(_ index: Int, at time: Timestamp) {
    for slot in -1..<Int32(Step.slots) {
      lift(index, slot)
      append(.up(devices[index].id, slot: slot, time: time))
    }
    mark(index, at: time)
  }

  // MARK: - Other rules

  /// Another configuration is in force; for a device with a finger down, later. Rule T11.
  mutating func mount(_ mountings: SimulatedMountings) {
    self.mountings = mountings
    for index in devices.indices {
      let description = SimulatedMountings.description(of: index)
      devices[index].held.propose(mountings.matcher.assignment(of: description))
      devices[index].oracle.mount(mountings.mounting(of: index))
    }
    if events.isEmpty { applyPending() }
  }

  private mutating func applyPending() {
    for index in devices.indices {
      _ = devices[index].held.applyPending()
      devices[index].oracle.rest()
    }
  }

  /// Another daemon opens them anew: it knows of no finger, nor of what the one before had yet to
  /// read.
  mutating func restart(_ mountings: SimulatedMountings) {
    self.mountings = mountings
    events.removeAll()
    expected.removeAll()
    for index in devices.indices { devices[index] = touchscreen(index, devices[index].id) }
  }
}
