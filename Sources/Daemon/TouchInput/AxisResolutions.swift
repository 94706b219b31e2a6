import CLibinput
import CLinux
import Glibc

/// The resolutions of a device's axes, in units a millimetre; 0 where the device does not
/// say. libinput refuses a device that says it of only one of x and y.
struct AxisResolutions: Equatable {
  /// By the axis' number, of those that the device has.
  var values: [Int32: Int32]

  init(_ values: [Int32: Int32]) { self.values = values }

  /// What the node says; nil where it can't be opened. The corresponding ioctl is EVIOCGABS.
  init?(node: String) {
    let descriptor = open(node, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    values = [:]
    for (x, y) in Self.pairs {
      for axis in [x, y] {
        let resolution = clinux_evdev_resolution(descriptor, axis)
        if resolution >= 0 { values[axis] = resolution }
      }
    }
  }

  /// The axes that lack a resolution which their counterpart has, and that resolution.
  var corrections: [(axis: Int32, resolution: Int32)] {
    Self.pairs.compactMap { x, y in
      guard let ofX = values[x], let ofY = values[y], (ofX == 0) != (ofY == 0) else { return nil }
      return ofX == 0 ? (x, ofY) : (y, ofX)
    }
  }

  private static let pairs = [(ABS_X, ABS_Y), (ABS_MT_POSITION_X, ABS_MT_POSITION_Y)]
}
