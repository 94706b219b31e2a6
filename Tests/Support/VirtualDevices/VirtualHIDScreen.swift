import Glibc

/// A HID device made with uhid, which the kernel's own drivers turn into an input device.
package final class VirtualHIDScreen {
  /// What it reports.
  package enum Kind {
    /// One finger as the left button of an absolute mouse, as Elo's 2700 does.
    case leftButton
    /// One finger of a digitizer: udev takes it for a touchscreen.
    case finger
  }

  /// Whether this process can make such devices: the module uhid must be loaded.
  package static var isAvailable: Bool { access("/dev/uhid", R_OK | W_OK) == 0 }

  /// The name that its input device bears.
  package let name: String
  /// The input device's node.
  package let node: String
  private let descriptor: Int32

  /// Plugs the device in and waits until udev has looked at it.
  package init(
    _ kind: Kind = .leftButton, name: String, vendor: UInt32 = 0x4e7, product: UInt32 = 0x20
  ) throws {
    let reports = kind == .finger ? Self.fingerDescriptor : Self.buttonDescriptor
    let descriptor = open("/dev/uhid", O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw VirtualTouchscreen.Failure(description: "opening /dev/uhid: errno \(errno)")
    }
    let watch = UdevWatch()
    // struct uhid_create2_req of linux/uhid.h, packed.
    var request = Message(type: 11)
    request.append(text: name, size: 128)
    request.append(text: "", size: 128)
    request.append(UInt16(reports.count))
    request.append(UInt16(3))
    request.append(vendor)
    request.append(product)
    request.append(UInt32(0x100))
    request.append(UInt32(0))
    request.bytes += reports
    guard request.send(descriptor), let node = watch.waitForAdd(name: name) else {
      close(descriptor)
      throw VirtualTouchscreen.Failure(description: "making a uhid device: errno \(errno)")
    }
    self.name = name
    self.node = node
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// The finger's place in the device's units, 0 to 4095, and whether it touches.
  package func report(touches: Bool, x: UInt16, y: UInt16) throws {
    // struct uhid_input2_req: the report is a byte of buttons and two little-endian numbers.
    var request = Message(type: 12)
    request.append(UInt16(5))
    request.bytes.append(touches ? 1 : 0)
    request.append(x)
    request.append(y)
    guard request.send(descriptor) else {
      throw VirtualTouchscreen.Failure(description: "writing to /dev/uhid: errno \(errno)")
    }
  }

  /// A mouse of one button and two absolute axes.
  private static let buttonDescriptor: [UInt8] = [
    0x05, 0x01, 0x09, 0x02, 0xa1, 0x01, 0x09, 0x01, 0xa1, 0x00,
    0x05, 0x09, 0x19, 0x01, 0x29, 0x01, 0x15, 0x00, 0x25, 0x01, 0x75, 0x01, 0x95, 0x01, 0x81, 0x02,
    0x75, 0x07, 0x95, 0x01, 0x81, 0x03,
    0x05, 0x01, 0x09, 0x30, 0x09, 0x31, 0x15, 0x00, 0x26, 0xff, 0x0f, 0x75, 0x10, 0x95, 0x02,
    0x81, 0x02, 0xc0, 0xc0,
  ]

  /// A touch screen with a finger's tip switch and two absolute axes.
  private static let fingerDescriptor: [UInt8] = [
    0x05, 0x0d, 0x09, 0x04, 0xa1, 0x01, 0x09, 0x22, 0xa1, 0x02,
    0x09, 0x42, 0x15, 0x00, 0x25, 0x01, 0x75, 0x01, 0x95, 0x01, 0x81, 0x02,
    0x75, 0x07, 0x95, 0x01, 0x81, 0x03,
    0x05, 0x01, 0x09, 0x30, 0x09, 0x31, 0x15, 0x00, 0x26, 0xff, 0x0f, 0x75, 0x10, 0x95, 0x02,
    0x81, 0x02, 0xc0, 0xc0,
  ]

  /// A struct uhid_event as bytes: the kernel takes the rest for zeros.
  private struct Message {
    var bytes: [UInt8]

    init(type: UInt32) {
      bytes = []
      append(type)
    }

    mutating func append<Number: FixedWidthInteger>(_ number: Number) {
      withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }

    mutating func append(text: String, size: Int) {
      let text = Array(text.utf8.prefix(size - 1))
      bytes += text + [UInt8](repeating: 0, count: size - text.count)
    }

    func send(_ descriptor: Int32) -> Bool { write(descriptor, bytes, bytes.count) == bytes.count }
  }
}
