import Glibc

/// A touchscreen that is to be recovered, as the kernel's tree of devices has it.
package struct IllTouchscreen: Sendable {
  /// Its name, as the kernel has it.
  package let name: String
  /// Its vendor and product, in four hexadecimal digits each.
  package let id: String
  private let node: String
  /// The folder of what the kernel calls its input device.
  private let input: String
  private let sysfs: Sysfs

  /// The touchscreen at a node such as `/dev/input/event3`.
  package init(node: String, in sysfs: Sysfs) throws(RecoveryError) {
    let number = node.dropFirst(Self.nodes.count)
    guard node.hasPrefix(Self.nodes), !number.isEmpty, number.utf8.count <= 9,
      number.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { throw RecoveryError("\"\(node)\" is no event node of an input device") }
    let entry = "\(sysfs.root)/class/input/event\(number)"
    guard let path = Sysfs.resolved(entry), path.hasPrefix(sysfs.root + "/devices/") else {
      throw RecoveryError("\(node) is gone: \(entry) is not there")
    }
    let input = Sysfs.parent(of: path)
    guard let name = Sysfs.text("\(input)/name"), let vendor = Sysfs.text("\(input)/id/vendor"),
      let product = Sysfs.text("\(input)/id/product")
    else { throw RecoveryError("\(node) is gone: \(input) has no name, vendor and product") }
    self.node = node
    self.input = input
    self.sysfs = sysfs
    self.name = name
    id = "\(vendor):\(product)".lowercased()
  }

  private static let nodes = "/dev/input/event"

  /// Whether a person means it by a name, or by vendor and product.
  package func isNamed(_ text: String) -> Bool {
    text == name || text.lowercased() == id
  }

  /// The means of recovering it.
  package func interruption(by means: RecoveryMeans) throws(RecoveryError) -> Interruption {
    switch means {
    case .driver: try driver()
    case .port: try port()
    }
  }

  /// The device's folder, and those around it.
  private var folders: [String] {
    var folders: [String] = []
    var folder = Sysfs.parent(of: input)
    while folder.utf8.count > sysfs.root.utf8.count + "/devices".utf8.count {
      folders.append(folder)
      folder = Sysfs.parent(of: folder)
    }
    return folders
  }

  /// The nearest device with a driver. Of a HID device that is what carries it, where there is
  /// something: its driver starts the hardware anew, and the HID driver alone does not.
  private func driver() throws(RecoveryError) -> Interruption {
    let folders = folders
    guard var index = folders.firstIndex(where: { Sysfs.exists("\($0)/driver") }) else {
      throw RecoveryError("\(described) has no driver that could be unbound: it is a virtual one")
    }
    let isHID = Sysfs.linkName("\(folders[index])/subsystem") == "hid"
    if isHID, index + 1 < folders.count, Sysfs.exists("\(folders[index + 1])/driver") { index += 1 }
    let device = folders[index]
    guard let driver = Sysfs.resolved("\(device)/driver"), driver.hasPrefix(sysfs.root + "/") else {
      throw RecoveryError("\(described) is gone: \(device) has no driver any more")
    }
    guard Sysfs.exists("\(driver)/unbind"), Sysfs.exists("\(driver)/bind") else {
      throw RecoveryError(
        "\(described) can't be unbound: its driver \(Sysfs.name(of: driver)) does not allow that")
    }
    return Interruption(
      means: .driver, device: device, offFile: "\(driver)/unbind", onFile: "\(driver)/bind",
      off: Sysfs.name(of: device), on: Sysfs.name(of: device))
  }

  /// The USB port that it is plugged into.
  private func port() throws(RecoveryError) -> Interruption {
    guard let device = folders.first(where: { Sysfs.exists("\($0)/devnum") }) else {
      throw RecoveryError("\(described) is not on USB, so it has no port: use --by driver")
    }
    guard let port = Sysfs.resolved("\(device)/port"), port.hasPrefix(sysfs.root + "/devices/"),
      Sysfs.exists("\(port)/disable")
    else {
      throw RecoveryError(
        "the USB port of \(described) can't be turned off: \(device)/port/disable is not there, "
          + "which Linux has since 6.0: use --by driver")
    }
    return Interruption(
      means: .port, device: device, offFile: "\(port)/disable", onFile: "\(port)/disable", off: "1",
      on: "0")
  }

  /// Its name and node, for sentences.
  package var described: String { "\"\(name)\" (\(node))" }
}
