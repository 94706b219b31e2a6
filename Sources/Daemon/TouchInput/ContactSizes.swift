import CLibinput
import CLinux
import Signals
import TouchModel

/// How large the contacts of one touchscreen are. Rule N12.
///
/// libinput's events do not say. The kernel keeps the latest values of each slot, and gives them by
/// the descriptor that libinput reads (EVIOCGMTSLOTS): that takes nothing from libinput, and needs
/// no second reader that would wake up for each report.
final class ContactSizes {
  let device: DeviceID
  let descriptor: Int32
  private let count: Int
  /// Units in a millimetre.
  private let unit: Double
  private let hasMinor: Bool
  /// A slot each, behind a place for the axis' number.
  private let majors: UnsafeMutablePointer<Int32>
  private let minors: UnsafeMutablePointer<Int32>

  /// As many slots as the sequencer follows contacts.
  private static let slotLimit: Int32 = 256

  /// Why sizes can't be read, in words that follow the touchscreen's name.
  enum Lack: Error {
    case slots, sizes, unit

    var sentence: String {
      switch self {
      case .slots: "has no slots (ABS_MT_SLOT)"
      case .sizes: "does not report how large contacts are (ABS_MT_TOUCH_MAJOR)"
      case .unit: "reports how large contacts are in no unit (resolution 0)"
      }
    }
  }

  /// - Parameter descriptor: libinput's, which must stay open as long as this is asked.
  init(of device: DeviceID, descriptor: Int32) throws(Lack) {
    let last = clinux_evdev_maximum(descriptor, ABS_MT_SLOT)
    // The kernel says 0 both of one slot and of none; but of none it has no values.
    var values: [Int32] = [0, 0]
    guard last >= 0, clinux_evdev_slots(descriptor, ABS_MT_POSITION_X, &values, 1) == 0 else {
      throw .slots
    }
    guard clinux_evdev_maximum(descriptor, ABS_MT_TOUCH_MAJOR) > 0 else { throw .sizes }
    // The kernel's documentation: sizes are in the units of the surface, unless the axis says its
    // own.
    let units = [ABS_MT_TOUCH_MAJOR, ABS_MT_POSITION_X].map {
      clinux_evdev_resolution(descriptor, $0)
    }
    guard let unit = units.first(where: { $0 > 0 }) else { throw .unit }
    self.device = device
    self.descriptor = descriptor
    self.unit = Double(unit)
    count = Int(min(last, Self.slotLimit - 1)) + 1
    hasMinor = clinux_evdev_maximum(descriptor, ABS_MT_TOUCH_MINOR) > 0
    majors = .allocate(capacity: count + 1)
    minors = .allocate(capacity: count + 1)
    majors.initialize(repeating: 0, count: count + 1)
    minors.initialize(repeating: 0, count: count + 1)
  }

  deinit {
    majors.deallocate()
    minors.deallocate()
  }

  /// Tells the filters how large the contact in each slot is now.
  func tell(_ stage: inout SignalStage) {
    guard clinux_evdev_slots(descriptor, ABS_MT_TOUCH_MAJOR, majors, count) == 0 else { return }
    // Without a shorter side contacts are round.
    let hasMinor =
      hasMinor && clinux_evdev_slots(descriptor, ABS_MT_TOUCH_MINOR, minors, count) == 0
    for slot in 0..<count {
      let major = millimetres(majors[slot + 1])
      let minor = hasMinor ? millimetres(minors[slot + 1]) : major
      stage.note(
        ContactSize(major: max(major, minor), minor: min(major, minor)), in: Int32(slot),
        of: device)
    }
  }

  private func millimetres(_ value: Int32) -> Double { Double(max(value, 0)) / unit }
}
