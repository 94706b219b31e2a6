import CLibinput
import Logging
public import TouchModel

extension LibinputSeat {
  /// Reads all that the devices have reported and appends it to `events`. Never blocks. The
  /// corresponding C functions are libinput_dispatch and libinput_get_event.
  public func dispatch(into events: inout ReusableArray<DeviceEvent>) {
    let result = libinput_dispatch(context)
    if result < 0 { logger.error("libinput can't read its devices: errno \(-result)") }
    drain(into: &events)
  }

  /// Empties libinput's queue. Nothing of libinput's outlives this.
  func drain(into events: inout ReusableArray<DeviceEvent>) {
    let start = events.count
    var source = CurrentDevice()
    var hasLift = false
    while let event = libinput_get_event(context) {
      defer { libinput_event_destroy(event) }
      let type = libinput_event_get_type(event)
      switch type {
      case LIBINPUT_EVENT_TOUCH_MOTION, LIBINPUT_EVENT_TOUCH_FRAME, LIBINPUT_EVENT_TOUCH_DOWN,
        LIBINPUT_EVENT_TOUCH_UP, LIBINPUT_EVENT_TOUCH_CANCEL:
        guard source.select(libinput_event_get_device(event)),
          let touch = libinput_event_get_touch_event(event)
        else { continue }
        if type == LIBINPUT_EVENT_TOUCH_UP || type == LIBINPUT_EVENT_TOUCH_CANCEL { hasLift = true }
        append(type, touch, of: source, to: &events)
      case LIBINPUT_EVENT_DEVICE_ADDED:
        added(libinput_event_get_device(event))
      case LIBINPUT_EVENT_DEVICE_REMOVED:
        source = CurrentDevice()
        removed(libinput_event_get_device(event), &events, from: start)
      default: continue
      }
    }
    // Only now: what stood in the queue has libinput's former calibration in it.
    if hasLift { applyPending(into: &events) }
  }

  /// The way of a touch: a few loads, the calls for its time, slot and place, one append.
  private func append(
    _ type: libinput_event_type, _ touch: OpaquePointer, of source: CurrentDevice,
    to events: inout ReusableArray<DeviceEvent>
  ) {
    let time = Timestamp(microseconds: libinput_event_touch_get_time_usec(touch))
    guard type != LIBINPUT_EVENT_TOUCH_FRAME else {
      events.append(.frame(source.id, time: time))
      return
    }
    // -1 on single-touch devices; the sequencer takes any number.
    let slot = libinput_event_touch_get_slot(touch)
    switch type {
    case LIBINPUT_EVENT_TOUCH_MOTION:
      events.append(
        .motion(source.id, slot: slot, location: source.location(of: touch), time: time))
    case LIBINPUT_EVENT_TOUCH_DOWN:
      source.device?.liveTouches += 1
      events.append(
        .down(
          source.id, slot: slot, screen: source.mapping.screen,
          location: source.location(of: touch), time: time))
    case LIBINPUT_EVENT_TOUCH_UP:
      source.device?.liveTouches -= 1
      events.append(.up(source.id, slot: slot, time: time))
    default:
      source.device?.liveTouches -= 1
      events.append(.cancel(source.id, slot: slot, reason: leaving ?? .palm, time: time))
    }
  }
}

/// The device whose events are being drained, with what each of them needs: events of one device
/// come one after another, and looking at the object for each costs more than all the rest.
private struct CurrentDevice {
  private var handle: OpaquePointer?
  private(set) var device: TouchDevice?
  private(set) var id = DeviceID(0)
  private(set) var mapping = CurrentDevice.noMapping

  private static let noMapping = DeviceMapping(
    index: ScreenIndex(0), screen: Screen(name: "", size: Size(width: 1, height: 1)))

  /// Turns to the device of the next event; false where it is not one of ours.
  mutating func select(_ next: OpaquePointer?) -> Bool {
    if next == handle { return device != nil }
    guard let next, let pointer = libinput_device_get_user_data(next) else { return false }
    let device = Unmanaged<TouchDevice>.fromOpaque(pointer).takeUnretainedValue()
    handle = next
    self.device = device
    id = device.id
    mapping = device.mapping
    return true
  }

  /// Where the touch is on the screen, in points.
  func location(of touch: OpaquePointer) -> Point {
    // To a width of 1: a device's n units are then 0 to (n - 1)/n, so that the last one is inside.
    mapping.location(
      x: libinput_event_touch_get_x_transformed(touch, 1),
      y: libinput_event_touch_get_y_transformed(touch, 1))
  }
}
