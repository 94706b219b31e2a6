import CLibinput
import CLinux
import TouchModel

/// One touchscreen that libinput has open for us; libinput's device points back at it.
final class TouchDevice {
  let id: DeviceID
  let description: DeviceDescription
  /// libinput's device; a reference of ours keeps it.
  let handle: OpaquePointer
  /// When it reported.
  let reports = ReportLog()
  /// One unit of its axes, its width and height being 1.
  let unit: Point
  /// Whether each of its reports says when it was made: that is one, though no contact has changed.
  let saysTime: Bool
  /// What the configuration says of it.
  private var held: HeldAssignment

  init(
    id: DeviceID, description: DeviceDescription, handle: OpaquePointer,
    descriptor: Int32?, assignment: DeviceAssignment
  ) {
    self.id = id
    self.description = description
    self.handle = libinput_device_ref(handle)
    held = HeldAssignment(assignment)
    saysTime = descriptor.map { clinux_evdev_says_time($0) != 0 } ?? false
    unit = Point(
      x: Self.unit(of: [ABS_MT_POSITION_X, ABS_X], descriptor),
      y: Self.unit(of: [ABS_MT_POSITION_Y, ABS_Y], descriptor))
    libinput_device_set_user_data(handle, Unmanaged.passUnretained(self).toOpaque())
    calibrate(assignment.calibration)
    if assignment.ignore { close() }
  }

  deinit {
    libinput_device_set_user_data(handle, nil)
    libinput_device_unref(handle)
  }

  /// One unit of the first of some axes that the device has.
  private static func unit(of axes: [Int32], _ descriptor: Int32?) -> Double {
    guard let descriptor else { return 0 }
    let units = axes.lazy.map { clinux_evdev_units(descriptor, $0) }.first { $0 > 0 }
    return units.map { 1 / Double($0) } ?? 0
  }

  /// What is in force.
  var assignment: DeviceAssignment { held.assignment }

  /// Whether the rules have it grabbed.
  var isToBeGrabbed: Bool { assignment.grab && !assignment.ignore }

  /// The screen mapping in force.
  var mapping: DeviceMapping { held.mapping }

  /// Whether a change waits for fingers to be lifted. Rule T11.
  var isChangePending: Bool { held.pending != nil }

  /// Whether the pending rules no longer ignore it: then it is closed, and must be opened afresh.
  var isToBeOpened: Bool { held.isToBeOpened }

  /// The fingers that are down. libinput ends each touch that it began, once.
  var liveTouches: Int { held.liveTouches }

  /// Counts a finger that came down or was lifted.
  func count(_ change: Int) { held.liveTouches += change }

  /// Takes what the rules say by now, for ``applyPending(opener:)``.
  func propose(_ next: DeviceAssignment) { held.propose(next) }

  /// Puts in force what waits, where no finger is down (rule T11); false where nothing changes.
  func applyPending(opener: DeviceOpener) -> Bool {
    guard let former = held.applyPending() else { return false }
    if assignment.calibration != former.calibration { calibrate(assignment.calibration) }
    if assignment.ignore {
      close()
    } else if assignment.grab != former.grab {
      opener.setGrab(description.node, assignment.grab)
    }
    return true
  }

  /// The corresponding C functions are libinput_device_config_calibration_set_matrix and, for nil,
  /// libinput_device_config_calibration_get_default_matrix, which is udev's.
  private func calibrate(_ matrix: [Float]?) {
    guard libinput_device_config_calibration_has_matrix(handle) != 0 else { return }
    var values = matrix ?? [1, 0, 0, 0, 1, 0]
    precondition(values.count == 6, "a calibration matrix has six numbers")
    if matrix == nil { libinput_device_config_calibration_get_default_matrix(handle, &values) }
    libinput_device_config_calibration_set_matrix(handle, &values)
  }

  /// libinput closes what is disabled.
  private func close() {
    libinput_device_config_send_events_set_mode(
      handle, LIBINPUT_CONFIG_SEND_EVENTS_DISABLED.rawValue)
  }
}
