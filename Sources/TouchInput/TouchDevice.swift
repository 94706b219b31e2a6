import CLibinput
import TouchModel

/// One touchscreen that libinput has open for us; libinput's device points back at it.
final class TouchDevice {
  let id: DeviceID
  let description: DeviceDescription
  /// libinput's device; a reference of ours keeps it.
  let handle: OpaquePointer
  /// What is in force.
  private(set) var assignment: DeviceAssignment
  /// The screen mapping in force, beside `assignment` for the way of a touch.
  private(set) var mapping: DeviceMapping
  /// What takes effect once no finger is down. Rule T11.
  var pending: DeviceAssignment?
  /// The fingers that are down. libinput ends each touch that it began, once.
  var liveTouches = 0

  init(
    id: DeviceID, description: DeviceDescription, handle: OpaquePointer,
    assignment: DeviceAssignment
  ) {
    self.id = id
    self.description = description
    self.handle = libinput_device_ref(handle)
    self.assignment = assignment
    self.mapping = assignment.mapping
    libinput_device_set_user_data(handle, Unmanaged.passUnretained(self).toOpaque())
    calibrate(assignment.calibration)
    if assignment.ignore { close() }
  }

  deinit {
    libinput_device_set_user_data(handle, nil)
    libinput_device_unref(handle)
  }

  /// Whether the pending rules no longer ignore it: then it is closed, and must be opened afresh.
  var isToBeOpened: Bool { assignment.ignore && pending?.ignore == false }

  /// Puts an assignment in force. Only while no finger is down (rule T11).
  func apply(_ next: DeviceAssignment, opener: DeviceOpener) {
    let former = assignment
    assignment = next
    mapping = next.mapping
    pending = nil
    if next.calibration != former.calibration { calibrate(next.calibration) }
    if next.ignore {
      close()
    } else if next.grab != former.grab {
      opener.setGrab(description.node, next.grab)
    }
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
