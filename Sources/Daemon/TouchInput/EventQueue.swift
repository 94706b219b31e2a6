import CLibinput
import Glibc
import Signals
import TouchModel

/// What the devices have reported and libinput has queued.
final class EventQueue {
  /// What has changed beside the touches.
  struct Changes: OptionSet {
    let rawValue: UInt8
    /// A finger was lifted.
    static let lift = Changes(rawValue: 1 << 0)
    /// A device has come or gone.
    static let devices = Changes(rawValue: 1 << 1)
    /// A finger landed.
    static let landing = Changes(rawValue: 1 << 2)
  }

  /// A finger that landed or was lifted.
  struct ContactChange: BitwiseCopyable {
    let device: DeviceID
    let slot: Int32
    let isDown: Bool
    let time: Timestamp
    /// Where a finger landed.
    let screen: ScreenIndex
    let location: Point
  }

  /// The fingers that have landed and were lifted since ``takeContacts(into:)``. Nobody looks at
  /// them before touches are sent.
  private var contacts: ReusableArray<ContactChange> = []

  /// Whether a finger has landed or was lifted since ``takeContacts(into:)``.
  var hasContacts: Bool { !contacts.isEmpty }

  /// Swaps what fingers have done for an empty array.
  func takeContacts(into all: inout ReusableArray<ContactChange>) { swap(&contacts, &all) }

  /// libinput's; the seat's until the end.
  private let context: OpaquePointer
  private let devices: TouchDevices
  private var order = ReportOrder()

  init(of context: OpaquePointer, for devices: TouchDevices) {
    self.context = context
    self.devices = devices
  }

  /// Empties the queue into `events`, in the order of their times. Nothing of libinput's outlives
  /// this, and every report is closed: libinput queues what a device said once the kernel has
  /// marked the report complete, but leaves out its own mark where the last slot of the report is
  /// filtered (`fallback_flush_mt_events`).
  ///
  /// - Returns: What else has changed.
  func drain(into events: inout ReusableArray<DeviceEvent>) -> Changes {
    let start = events.count
    var source = CurrentDevice()
    while let event = libinput_get_event(context) {
      let type = libinput_event_get_type(event)
      switch type {
      case LIBINPUT_EVENT_TOUCH_MOTION, LIBINPUT_EVENT_TOUCH_FRAME, LIBINPUT_EVENT_TOUCH_DOWN,
        LIBINPUT_EVENT_TOUCH_UP, LIBINPUT_EVENT_TOUCH_CANCEL:
        if source.select(libinput_event_get_device(event), into: &events),
          let touch = libinput_event_get_touch_event(event)
        {
          append(type, touch, of: &source, to: &events)
        }
      case LIBINPUT_EVENT_DEVICE_ADDED:
        if let device = libinput_event_get_device(event) { devices.add(device) }
        source.changes.insert(.devices)
      case LIBINPUT_EVENT_DEVICE_REMOVED:
        source.forget(into: &events)
        removed(libinput_event_get_device(event), &events, from: start)
        source.changes.insert(.devices)
      default: break
      }
      libinput_event_destroy(event)
    }
    source.closeReport(into: &events)
    if source.turns > 1 { order.sort(&events, from: start) }
    if source.turns == 0 { devices.noteQuietReport(at: Self.now()) }
    return source.changes
  }

  /// The way of a touch: a few loads, the calls for its time, slot and point, one append.
  @inline(__always)
  private func append(
    _ type: libinput_event_type, _ touch: OpaquePointer, of source: inout CurrentDevice,
    to events: inout ReusableArray<DeviceEvent>
  ) {
    // A mark has the time of what it marks.
    let isMark = type == LIBINPUT_EVENT_TOUCH_FRAME
    if isMark, source.isInReport { return source.closeReport(into: &events) }
    let time = Timestamp(microseconds: libinput_event_touch_get_time_usec(touch))
    source.openReport(at: time, into: &events)
    if isMark { return source.closeReport(into: &events) }
    // -1 on single-touch devices; the sequencer takes any number.
    let slot = libinput_event_touch_get_slot(touch)
    switch type {
    case LIBINPUT_EVENT_TOUCH_MOTION:
      events.append(
        .motion(source.id, slot: slot, location: source.location(of: touch), time: time))
    case LIBINPUT_EVENT_TOUCH_DOWN:
      let location = source.location(of: touch)
      note(&source, slot, isDown: true, at: location, time)
      events.append(
        .down(source.id, slot: slot, screen: source.screen, location: location, time: time))
    case LIBINPUT_EVENT_TOUCH_UP:
      note(&source, slot, isDown: false, time)
      events.append(.up(source.id, slot: slot, time: time))
    default:
      note(&source, slot, isDown: false, time)
      events.append(.cancel(source.id, slot: slot, reason: .palm, time: time))
    }
  }

  /// Counts a finger that landed or was lifted.
  private func note(
    _ source: inout CurrentDevice, _ slot: Int32, isDown: Bool, at location: Point = .zero,
    _ time: Timestamp
  ) {
    source.count(isDown ? 1 : -1)
    contacts.append(
      ContactChange(
        device: source.id, slot: slot, isDown: isDown, time: time, screen: source.screen,
        location: location))
  }

  /// libinput has closed a device. It has cancelled its touches before, without a word of why: the
  /// cancels of this batch get the reason now.
  private func removed(
    _ handle: OpaquePointer?, _ events: inout ReusableArray<DeviceEvent>, from start: Int
  ) {
    guard let handle, let id = devices.remove(handle) else { return }
    relabelCancels(of: id, &events, from: start)
    events.append(.lost(id, reason: .deviceRemoved, time: Self.now()))
  }

  private func relabelCancels(
    of id: DeviceID, _ events: inout ReusableArray<DeviceEvent>, from start: Int
  ) {
    for index in events.indices[start...].reversed() {
      switch events[index] {
      case .cancel(id, let slot, _, let time):
        events[index] = .cancel(id, slot: slot, reason: .deviceRemoved, time: time)
      case .down(id, _, _, _, _), .motion(id, _, _, _), .up(id, _, _): return
      default: break
      }
    }
  }

  static func now() -> Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Timestamp(
      microseconds: UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1_000)
  }
}

/// The device whose events are being drained, with what each of them needs: events of one device
/// come one after another, and looking at the object for each costs more than all the rest.
private struct CurrentDevice {
  private var handle: OpaquePointer?
  /// The seat's list has it until it is removed, which makes this forget it.
  private var device: Unmanaged<TouchDevice>?
  private var mapping: DeviceMapping?
  private var unit = Point.zero
  /// Where its reports are noted; as long as ``device``.
  private var reports: UnsafeMutablePointer<UInt64>?
  private(set) var id = DeviceID(0)
  /// When the report at hand was made; nil between reports. libinput gives all that one report
  /// holds the same time, that of the kernel's mark.
  private var reportTime: Timestamp?
  /// How often it has turned to another device.
  private(set) var turns = 0
  /// What has changed beside the touches.
  var changes: EventQueue.Changes = []

  var screen: ScreenIndex { mapping?.screen ?? ScreenIndex(0) }

  /// Turns to the device of the next event; false where it is not one of ours.
  @inline(__always)
  mutating func select(
    _ next: OpaquePointer?, into events: inout ReusableArray<DeviceEvent>
  ) -> Bool {
    next == handle && device != nil ? true : turn(to: next, into: &events)
  }

  private mutating func turn(
    to next: OpaquePointer?, into events: inout ReusableArray<DeviceEvent>
  ) -> Bool {
    closeReport(into: &events)
    guard let next, let pointer = libinput_device_get_user_data(next) else { return false }
    let device = Unmanaged<TouchDevice>.fromOpaque(pointer)
    turns += 1
    handle = next
    self.device = device
    (id, mapping, unit, reports) = device._withUnsafeGuaranteedRef {
      ($0.id, $0.mapping, $0.unit, $0.reports.memory)
    }
    return true
  }

  /// The device is about to go.
  mutating func forget(into events: inout ReusableArray<DeviceEvent>) {
    closeReport(into: &events)
    handle = nil
    device = nil
    reports = nil
  }

  /// Whether there is a report at hand.
  var isInReport: Bool { reportTime != nil }

  /// Goes on with the report of that time. One of another time that is still open lacks libinput's
  /// mark: it is closed first, with its own time.
  @inline(__always)
  mutating func openReport(at time: Timestamp, into events: inout ReusableArray<DeviceEvent>) {
    if reportTime == time { return }
    closeReport(into: &events)
    reportTime = time
  }

  /// Appends the frame mark of the report at hand, if there is one.
  @inline(__always)
  mutating func closeReport(into events: inout ReusableArray<DeviceEvent>) {
    guard let time = reportTime else { return }
    reportTime = nil
    if let reports { ReportLog.add(time, to: reports) }
    events.append(.frame(id, time: time))
  }

  /// Counts a finger that came down or was lifted.
  mutating func count(_ change: Int) {
    device?._withUnsafeGuaranteedRef { $0.count(change) }
    changes.insert(change < 0 ? .lift : .landing)
  }

  /// Where the touch is on the screen, in points.
  @inline(__always)
  func location(of touch: OpaquePointer) -> Point {
    guard let mapping else { return .zero }
    // To a width of 1: a device's n units are then 0 to (n - 1)/n, so that the last one is inside.
    return mapping.location(
      x: Self.inside(libinput_event_touch_get_x_transformed(touch, 1), unit.x),
      y: Self.inside(libinput_event_touch_get_y_transformed(touch, 1), unit.y))
  }

  /// A coordinate that is one unit before the edge is on it: libinput rounds down as it turns
  /// coordinates that do not begin with 0 by a calibration. Rule T8.
  @inline(__always)
  private static func inside(_ coordinate: Double, _ unit: Double) -> Double {
    coordinate < 0 && coordinate > -1.5 * unit ? 0 : coordinate
  }
}
