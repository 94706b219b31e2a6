import CLibinput
import Glibc
import Logging
import TouchModel

extension LibinputSeat {
  /// A device that libinput has opened.
  func added(_ handle: OpaquePointer?) {
    guard let handle else { return }
    guard libinput_device_has_capability(handle, LIBINPUT_DEVICE_CAP_TOUCH) != 0,
      let description = DeviceDescription(libinputDevice: handle)
    else {
      // Tagged as a touchscreen, yet none to libinput: closed again, never grabbed.
      disable(handle)
      return
    }
    lastDevice += 1
    let device = TouchDevice(
      id: DeviceID(lastDevice), description: description, handle: handle,
      assignment: matcher.assignment(of: description))
    touchDevices.append(device)
    logger.info(
      "touchscreen \(description.label), \(description.id), \(sentence(of: device))")
  }

  /// A device that libinput has closed. libinput has cancelled its touches before, without a word
  /// of why: the cancels of this batch get the reason now.
  func removed(
    _ handle: OpaquePointer?, _ events: inout ReusableArray<DeviceEvent>, from start: Int
  ) {
    guard let index = touchDevices.firstIndex(where: { $0.handle == handle }) else { return }
    let device = touchDevices.remove(at: index)
    let reason = leaving ?? .deviceRemoved
    relabelCancels(of: device.id, reason, &events, from: start)
    events.append(.lost(device.id, reason: reason, time: Self.now()))
    logger.info("touchscreen \(device.description.label) \(Self.farewell(reason))")
  }

  /// Takes up one of the named nodes.
  func add(_ node: String) throws(TouchInputError) {
    // Asked first: libinput waits two seconds for udev to know what it will never know.
    guard opener.isEventNode(node) else {
      throw TouchInputError("\(node) is no event node of an input device, or there is no such node")
    }
    guard libinput_path_add_device(context, node) == nil else { return }
    let reason = opener.failure ?? "libinput does not take \(node) for a touchscreen"
    throw TouchInputError("\(reason) (touchroute list-devices says more)")
  }

  /// Follows the comings and goings of named nodes, which libinput's path backend does not.
  func followNodes() {
    monitor?.receive { change in
      switch change {
      case .gone(let node):
        guard let device = touchDevices.first(where: { $0.description.node == node }) else {
          return
        }
        libinput_path_remove_device(device.handle)
      case .came(let node):
        guard !isSuspended, !touchDevices.contains(where: { $0.description.node == node }) else {
          return
        }
        do { try add(node) } catch { logger.error("\(error)") }
      }
    }
  }

  func sentence(of device: TouchDevice) -> String {
    let assignment = device.assignment
    let screen =
      matcher.screens.indices.contains(Int(assignment.mapping.screen.rawValue))
      ? matcher.screens[Int(assignment.mapping.screen.rawValue)].name : "?"
    return assignment.sentence(screen: screen)
  }

  private func disable(_ handle: OpaquePointer) {
    let name = libinput_device_get_name(handle).map { String(cString: $0) } ?? "?"
    logger.notice("\"\(name.printable())\" can't touch, says libinput: it is not used")
    libinput_device_config_send_events_set_mode(
      handle, LIBINPUT_CONFIG_SEND_EVENTS_DISABLED.rawValue)
  }

  private func relabelCancels(
    of id: DeviceID, _ reason: CancelReason, _ events: inout ReusableArray<DeviceEvent>,
    from start: Int
  ) {
    for index in events.indices[start...].reversed() {
      switch events[index] {
      case .cancel(id, let slot, _, let time):
        events[index] = .cancel(id, slot: slot, reason: reason, time: time)
      case .down(id, _, _, _, _), .motion(id, _, _, _), .up(id, _, _): return
      default: break
      }
    }
  }

  private static func farewell(_ reason: CancelReason) -> String {
    reason == .suspended
      ? "is let go of until the seat is resumed" : "is gone: it was unplugged, or has failed"
  }

  private static func now() -> Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Timestamp(
      microseconds: UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1_000)
  }
}
