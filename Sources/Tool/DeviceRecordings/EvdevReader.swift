import CLibevdev
import Glibc
package import TouchModel

/// Reads an event node beside whoever else reads it, report by report, as libevdev does.
package final class EvdevReader {
  /// What a device reported at one time.
  package struct Report: Equatable, Sendable {
    /// The events; the last one is SYN_REPORT.
    package var events: [EvdevEvent]
    /// Whether the kernel lost events before this one, which makes good for them (SYN_DROPPED).
    package var isRepair = false
  }

  private let device: OpaquePointer
  /// Ours until the end.
  private let descriptor: CInt
  private var events: [EvdevEvent] = []
  private var isRepairing = false

  /// A reader of an open node, which is its own from here on; nil where it is no event node.
  package init?(_ descriptor: CInt) {
    var made: OpaquePointer?
    guard libevdev_new_from_fd(descriptor, &made) == 0, let made else {
      close(descriptor)
      return nil
    }
    libevdev_set_clock_id(made, CLOCK_MONOTONIC)
    device = made
    self.descriptor = descriptor
  }

  deinit {
    libevdev_free(device)
    close(descriptor)
  }

  /// What the device says of itself.
  package var sheet: EvdevSheet { EvdevSheet(device) }

  /// Readable when there is something to read.
  package var pollDescriptor: CInt { descriptor }

  /// A report of the contacts that are down already, and of the slot that further reports are
  /// about; nil where there is nothing to say.
  ///
  /// - Parameter time: When that is.
  package func present(at time: Timestamp) -> Report? {
    let slots = libevdev_get_num_slots(device)
    let current = libevdev_get_current_slot(device)
    let codes = (sheet.codes[UInt16(EV_ABS)] ?? []).filter { $0 > UInt16(ABS_MT_SLOT) }
    var events: [EvdevEvent] = []
    func add(_ type: Int32, _ code: UInt16, _ value: Int32) {
      events.append(EvdevEvent(time: time, type: UInt16(type), code: code, value: value))
    }
    for slot in 0..<UInt32(max(0, slots)) {
      let id = libevdev_get_slot_value(device, slot, UInt32(ABS_MT_TRACKING_ID))
      guard id >= 0 else { continue }
      add(EV_ABS, UInt16(ABS_MT_SLOT), Int32(slot))
      for code in codes { add(EV_ABS, code, libevdev_get_slot_value(device, slot, UInt32(code))) }
    }
    if !events.isEmpty { add(EV_KEY, UInt16(BTN_TOUCH), 1) }
    if current > 0 || !events.isEmpty { add(EV_ABS, UInt16(ABS_MT_SLOT), max(0, current)) }
    guard !events.isEmpty else { return nil }
    add(EV_SYN, UInt16(SYN_REPORT), 0)
    return Report(events: events)
  }

  /// Takes what has been reported. Never blocks.
  ///
  /// - Returns: Whether the device is still there.
  package func read(_ take: (Report) throws -> Void) rethrows -> Bool {
    var flag = LIBEVDEV_READ_FLAG_NORMAL.rawValue
    while true {
      var event = input_event()
      let result = libevdev_next_event(device, flag, &event)
      if result == LIBEVDEV_READ_STATUS_SYNC.rawValue {
        isRepairing = true
        // The first such answer is SYN_DROPPED itself; what follows is libevdev's.
        if flag == LIBEVDEV_READ_FLAG_NORMAL.rawValue {
          flag = LIBEVDEV_READ_FLAG_SYNC.rawValue
          continue
        }
      } else if result == -EAGAIN, flag == LIBEVDEV_READ_FLAG_SYNC.rawValue {
        flag = LIBEVDEV_READ_FLAG_NORMAL.rawValue
        continue
      } else if result != LIBEVDEV_READ_STATUS_SUCCESS.rawValue {
        return result == -EAGAIN || result == -EINTR
      }
      events.append(
        EvdevEvent(
          time: Timestamp(microseconds: clibevdev_time(&event)), type: event.type,
          code: event.code, value: event.value))
      guard event.type == EV_SYN, event.code == SYN_REPORT else { continue }
      let report = Report(events: events, isRepair: isRepairing)
      (events, isRepairing) = ([], false)
      try take(report)
    }
  }
}
