import CLibevdev
import Glibc

/// A kernel device made with uinput, whose finger is the test. It is unplugged when it goes.
///
/// Events are gathered and written with their frame mark in one write, so that a reader sees whole
/// frames.
package final class VirtualTouchscreen {
  /// What failed, with the errno in words.
  package struct Failure: Error, CustomStringConvertible {
    /// One sentence.
    package var description: String
  }

  /// Whether this process can make devices.
  package static var isAvailable: Bool { access("/dev/uinput", R_OK | W_OK) == 0 }

  /// What the device says of itself.
  package let sheet: DeviceSheet
  /// Its node, such as `/dev/input/event3`.
  package let node: String

  private let descriptor: Int32
  private var device: OpaquePointer?
  private var frame: [InputEvent] = []
  private var nextTracking: Int32 = 0
  private var fingers: Set<Int32> = []

  /// Plugs the device in and waits until udev has looked at it. The corresponding C function is
  /// libevdev_uinput_create_from_device.
  package init(_ sheet: DeviceSheet) throws {
    let descriptor = open("/dev/uinput", O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.failure("opening /dev/uinput") }
    var made: OpaquePointer?
    let blueprint = try Self.blueprint(sheet)
    defer { libevdev_free(blueprint) }
    if let phys = sheet.phys { _ = uinput_set_phys(descriptor, phys) }
    // Before the device: one that was unplugged a moment ago may have had the same node.
    let watch = UdevWatch()
    let result = libevdev_uinput_create_from_device(blueprint, descriptor, &made)
    guard result == 0, let made, let path = libevdev_uinput_get_devnode(made) else {
      close(descriptor)
      throw Failure(description: "making a uinput device: errno \(-result)")
    }
    self.sheet = sheet
    self.descriptor = descriptor
    device = made
    node = String(cString: path)
    guard watch.waitForAdd(node) else {
      throw Failure(description: "\(node): udev has not looked at it in 30 s; is udevd running?")
    }
  }

  deinit {
    unplug()
    close(descriptor)
  }

  /// Takes the device away, fingers down or not. Twice is once.
  package func unplug() {
    guard let device else { return }
    libevdev_uinput_destroy(device)
    self.device = nil
  }

  /// Puts a finger down, in the device's units. It counts with the next `sync()`.
  package func down(_ slot: Int32 = 0, x: Int32, y: Int32) {
    guard sheet.isProtocolB else {
      onlyContact(x, y)
      frame.append(.key(BTN_TOUCH, 1))
      return
    }
    frame.append(.absolute(ABS_MT_SLOT, slot))
    frame.append(.absolute(ABS_MT_TRACKING_ID, nextTracking))
    nextTracking = (nextTracking + 1) & 0xffff
    contact(x, y)
    if fingers.isEmpty { frame.append(.key(BTN_TOUCH, 1)) }
    fingers.insert(slot)
  }

  /// Moves a finger that is down.
  package func move(_ slot: Int32 = 0, x: Int32, y: Int32) {
    guard sheet.isProtocolB else { return onlyContact(x, y) }
    frame.append(.absolute(ABS_MT_SLOT, slot))
    contact(x, y)
  }

  /// Lifts a finger.
  package func up(_ slot: Int32 = 0) {
    guard sheet.isProtocolB else {
      if sheet.isProtocolA { frame.append(.contactReport) }
      frame.append(.key(BTN_TOUCH, 0))
      return
    }
    frame.append(.absolute(ABS_MT_SLOT, slot))
    frame.append(.absolute(ABS_MT_TRACKING_ID, -1))
    fingers.remove(slot)
    if fingers.isEmpty { frame.append(.key(BTN_TOUCH, 0)) }
  }

  /// Ends the frame: all of it reaches the readers at once.
  package func sync() throws {
    frame.append(.report)
    defer { frame.removeAll(keepingCapacity: true) }
    try send(frame)
  }

  /// A touch and lift at one place, a frame each.
  package func tap(_ slot: Int32 = 0, x: Int32, y: Int32) throws {
    down(slot, x: x, y: y)
    try sync()
    up(slot)
    try sync()
  }

  /// Writes events as they are, in one write.
  package func send(_ events: [InputEvent]) throws {
    let raw = events.map {
      input_event(
        time: timeval(tv_sec: 0, tv_usec: 0), type: $0.type, code: $0.code, value: $0.value)
    }
    let size = raw.count * MemoryLayout<input_event>.stride
    guard write(descriptor, raw, size) == size else { throw Self.failure("writing to \(node)") }
  }

  /// The one finger of a device without slots.
  private func onlyContact(_ x: Int32, _ y: Int32) {
    if sheet.isProtocolA {
      frame.append(.absolute(ABS_MT_POSITION_X, x))
      frame.append(.absolute(ABS_MT_POSITION_Y, y))
      // A contact of no size is none.
      if let size = sheet.axes[UInt16(ABS_MT_TOUCH_MAJOR)] {
        frame.append(.absolute(ABS_MT_TOUCH_MAJOR, max(1, size.maximum / 8)))
      }
      if sheet.axes[UInt16(ABS_MT_TRACKING_ID)] != nil {
        frame.append(.absolute(ABS_MT_TRACKING_ID, 0))
      }
      frame.append(.contactReport)
    }
    frame.append(.absolute(ABS_X, x))
    frame.append(.absolute(ABS_Y, y))
  }

  private func contact(_ x: Int32, _ y: Int32) {
    frame.append(.absolute(ABS_MT_POSITION_X, x))
    frame.append(.absolute(ABS_MT_POSITION_Y, y))
    // What the kernel's drivers report for the first finger, too.
    frame.append(.absolute(ABS_X, x))
    frame.append(.absolute(ABS_Y, y))
  }

  private static func blueprint(_ sheet: DeviceSheet) throws -> OpaquePointer {
    guard let device = libevdev_new() else { throw failure("libevdev_new") }
    let name = sheet.name.map { CChar(bitPattern: $0) } + [0]
    libevdev_set_name(device, name)
    libevdev_set_id_bustype(device, Int32(sheet.ids[0]))
    libevdev_set_id_vendor(device, Int32(sheet.ids[1]))
    libevdev_set_id_product(device, Int32(sheet.ids[2]))
    libevdev_set_id_version(device, Int32(sheet.ids[3]))
    for property in sheet.properties { libevdev_enable_property(device, property) }
    for (type, codes) in sheet.codes {
      libevdev_enable_event_type(device, UInt32(type))
      for code in codes where type != UInt16(EV_REP) {
        libevdev_enable_event_code(device, UInt32(type), UInt32(code), nil)
      }
    }
    for (code, axis) in sheet.axes {
      var info = input_absinfo(
        value: 0, minimum: axis.minimum, maximum: axis.maximum, fuzz: axis.fuzz, flat: axis.flat,
        resolution: axis.resolution)
      libevdev_enable_event_code(device, UInt32(EV_ABS), UInt32(code), &info)
    }
    return device
  }

  private static func failure(_ action: String) -> Failure {
    Failure(description: "\(action): \(String(cString: strerror(errno)))")
  }
}
