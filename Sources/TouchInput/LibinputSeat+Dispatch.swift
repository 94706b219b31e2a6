import CLibinput
import Glibc
import Logging
public import TouchModel

extension LibinputSeat {
  /// Reads all that the devices have reported and appends it to `events`. Never blocks. The
  /// corresponding C functions are libinput_dispatch and libinput_get_event.
  public func dispatch(into events: inout [DeviceEvent]) {
    let result = libinput_dispatch(context)
    if result < 0 { logger.error("libinput can't read its devices: errno \(-result)") }
    drain(into: &events)
  }

  /// Empties libinput's queue. Nothing of libinput's outlives this.
  func drain(into events: inout [DeviceEvent]) {
    let start = events.count
    var hasPending = false
    while let event = libinput_get_event(context) {
      let type = libinput_event_get_type(event)
      switch type {
      case LIBINPUT_EVENT_DEVICE_ADDED: added(libinput_event_get_device(event))
      case LIBINPUT_EVENT_DEVICE_REMOVED:
        removed(libinput_event_get_device(event), &events, from: start)
      default:
        if let device = device(of: event), let touch = libinput_event_get_touch_event(event) {
          append(type, touch, of: device, to: &events)
          if device.pending != nil { hasPending = true }
        }
      }
      libinput_event_destroy(event)
    }
    // Only now: what stood in the queue has libinput's former calibration in it.
    if hasPending { applyPending(into: &events) }
  }

  /// The device of a touch event; nil for events of every other kind.
  private func device(of event: OpaquePointer) -> TouchDevice? {
    switch libinput_event_get_type(event) {
    case LIBINPUT_EVENT_TOUCH_MOTION, LIBINPUT_EVENT_TOUCH_FRAME, LIBINPUT_EVENT_TOUCH_DOWN,
      LIBINPUT_EVENT_TOUCH_UP, LIBINPUT_EVENT_TOUCH_CANCEL:
      guard let pointer = libinput_device_get_user_data(libinput_event_get_device(event)) else {
        return nil
      }
      return Unmanaged<TouchDevice>.fromOpaque(pointer).takeUnretainedValue()
    default: return nil
    }
  }

  /// The way of a touch: a few loads, two calls for a place, one append.
  private func append(
    _ type: libinput_event_type, _ touch: OpaquePointer, of device: TouchDevice,
    to events: inout [DeviceEvent]
  ) {
    let time = Timestamp(microseconds: libinput_event_touch_get_time_usec(touch))
    guard type != LIBINPUT_EVENT_TOUCH_FRAME else {
      events.append(.frame(device.id, time: time))
      return
    }
    // -1 on single-touch devices; the sequencer takes any number.
    let slot = libinput_event_touch_get_slot(touch)
    switch type {
    case LIBINPUT_EVENT_TOUCH_MOTION:
      events.append(
        .motion(device.id, slot: slot, location: device.location(of: touch), time: time))
    case LIBINPUT_EVENT_TOUCH_DOWN:
      device.liveTouches += 1
      events.append(
        .down(
          device.id, slot: slot, screen: device.mapping.screen,
          location: device.location(of: touch), time: time))
    case LIBINPUT_EVENT_TOUCH_UP:
      device.liveTouches -= 1
      events.append(.up(device.id, slot: slot, time: time))
    default:
      device.liveTouches -= 1
      events.append(.cancel(device.id, slot: slot, reason: leaving ?? .palm, time: time))
    }
  }
}

extension TouchDevice {
  /// Where the touch is on the screen, in points.
  fileprivate func location(of touch: OpaquePointer) -> Point {
    // To a width of 1: a device's n units are then 0 to (n - 1)/n, so that the last one is inside.
    mapping.location(
      x: libinput_event_touch_get_x_transformed(touch, 1),
      y: libinput_event_touch_get_y_transformed(touch, 1))
  }
}
