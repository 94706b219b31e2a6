import CLibinput
package import TouchModel

/// What is known of an input device without opening it, and of an open one what libinput adds.
///
/// Neither names nor ids are identity: panels on I2C have the ids 0000:0000, one id serves
/// different devices, several nodes can bear one name.
package struct DeviceDescription: Equatable, Sendable {
  /// The name, trailing blanks removed and broken UTF-8 repaired with U+FFFD.
  package var name: String
  /// The bus it is on, the kernel's BUS_ number: 3 is USB, 24 is I2C.
  package var bus: UInt16
  /// The vendor's number; 0 on many panels.
  package var vendor: UInt16
  /// The product's number; 0 on many panels.
  package var product: UInt16
  /// The version's number.
  package var version: UInt16
  /// The node, such as `/dev/input/event3`.
  package var node: String
  /// The links to the node, such as `/dev/input/by-path/...`, in no order.
  package var links: [String]
  /// The physical path that the kernel gives, or nothing.
  package var phys: String
  /// udev's properties of the node, and those of its parent that the node does not have.
  package var properties: [String: String]
  /// How many contacts it can report; 0 where the device does not say, as with protocol A; nil
  /// where it has not been opened.
  package var touchCount: Int?
  /// The size in millimetres, where the device reports a resolution and has been opened; about half
  /// of all devices do not.
  package var sizeMillimetres: Size?

  /// A description with those figures.
  package init(
    name: String, bus: UInt16 = 0, vendor: UInt16 = 0, product: UInt16 = 0, version: UInt16 = 0,
    node: String, links: [String] = [], phys: String = "", properties: [String: String] = [:],
    touchCount: Int? = nil, sizeMillimetres: Size? = nil
  ) {
    self.name = name
    self.bus = bus
    self.vendor = vendor
    self.product = product
    self.version = version
    self.node = node
    self.links = links
    self.phys = phys
    self.properties = properties
    self.touchCount = touchCount
    self.sizeMillimetres = sizeMillimetres
  }

  /// `vendor:product`, four lower-case hexadecimal digits each.
  package var id: String { "\(Self.hexadecimal(vendor)):\(Self.hexadecimal(product))" }

  /// Whether udev has tagged it ID_INPUT_TOUCHSCREEN: libinput takes no other device for a
  /// touchscreen.
  package var isTaggedTouchscreen: Bool { hasTag("ID_INPUT_TOUCHSCREEN") }

  /// Whether udev has set a tag such as `ID_INPUT_TABLET`, to anything but `0`.
  package func hasTag(_ tag: String) -> Bool {
    guard let value = properties[tag] else { return false }
    return value != "0" && !value.isEmpty
  }

  /// The name of the output whose virtual touchscreen it is; nil where it is none. That is told by
  /// what the device itself says, with udev's rule or without.
  package var outputName: String? {
    guard bus == UInt16(BUS_VIRTUAL), phys.hasPrefix(Self.outputPhys) else { return nil }
    return String(phys.dropFirst(Self.outputPhys.count))
  }

  /// What the physical path of each virtual touchscreen begins with: UINPUT_PHYS_PREFIX.
  private static let outputPhys = "touchroute/"

  /// Where it is in sysfs: nothing that is plugged in later has the same place.
  var place: String { properties["DEVPATH"] ?? node }

  /// The seat that udev assigns it to.
  package var seat: String { properties["ID_SEAT"] ?? "seat0" }

  /// Whether both are nodes of one piece of hardware, by its ids and where it is plugged in.
  func isSibling(of other: DeviceDescription) -> Bool {
    guard node != other.node, bus == other.bus, vendor == other.vendor, product == other.product,
      let port = Self.port(phys)
    else { return false }
    return port == Self.port(other.phys)
  }

  /// A physical path without the interface's number, such as `/input1`; nil where there is none.
  private static func port(_ phys: String) -> Substring? {
    guard let end = phys.lastIndex(of: "/"), phys[end...].hasPrefix("/input") else { return nil }
    return phys[..<end]
  }

  /// The name as it can be printed, and the node in brackets.
  var label: String { "\"\(name.printable())\" (\(node))" }

  static func hexadecimal(_ number: UInt16) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }
}
