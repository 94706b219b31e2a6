import CLibinput
import Glibc
import TouchModel

extension DeviceDescription {
  /// What udev and sysfs say of an event node; nil for a device without one. Opens nothing.
  ///
  /// The udev_device stays the caller's.
  init?(udevDevice device: OpaquePointer) {
    guard let node = udev_device_get_devnode(device).map({ String(cString: $0) }) else {
      return nil
    }
    // The parent, inputN, bears name and ids; it belongs to the device.
    let parent = udev_device_get_parent_with_subsystem_devtype(device, "input", nil)
    func attribute(_ name: String) -> String {
      udev_device_get_sysattr_value(parent, name).map { String(cString: $0) } ?? ""
    }
    func number(_ name: String) -> UInt16 { UInt16(attribute(name), radix: 16) ?? 0 }
    // libinput, too, takes a tag from the parent where the node has none.
    var properties = parent.map(Self.properties) ?? [:]
    properties.merge(Self.properties(of: device)) { _, own in own }
    self.init(
      name: Self.trimmed(attribute("name")), bus: number("id/bustype"),
      vendor: number("id/vendor"), product: number("id/product"), version: number("id/version"),
      node: node, links: Self.names(udev_device_get_devlinks_list_entry(device)),
      phys: attribute("phys"), properties: properties)
  }

  /// What udev says of the node at that path, a link to one included; nil where there is none.
  init?(node: String, udev: OpaquePointer) {
    var status = stat()
    guard stat(node, &status) == 0,
      let device = udev_device_new_from_devnum(udev, CChar(UInt8(ascii: "c")), status.st_rdev)
    else { return nil }
    defer { udev_device_unref(device) }
    self.init(udevDevice: device)
  }

  /// The event nodes that udev knows.
  static func eventNodes(_ udev: OpaquePointer) -> [DeviceDescription] {
    DeviceProbe.eventNodes(udev).compactMap { path in
      guard let device = udev_device_new_from_syspath(udev, path) else { return nil }
      defer { udev_device_unref(device) }
      return DeviceDescription(udevDevice: device)
    }
  }

  /// What udev says of a device of libinput's, and what libinput adds.
  init?(libinputDevice device: OpaquePointer) {
    guard let udevDevice = libinput_device_get_udev_device(device) else { return nil }
    defer { udev_device_unref(udevDevice) }
    self.init(udevDevice: udevDevice)
    let count = libinput_device_touch_get_touch_count(device)
    touchCount = count < 0 ? nil : Int(count)
    var width = 0.0
    var height = 0.0
    if libinput_device_get_size(device, &width, &height) == 0 {
      sizeMillimetres = Size(width: width, height: height)
    }
  }

  /// Some devices pad their names with blanks, to a size of their firmware's.
  static func trimmed(_ name: String) -> String {
    guard let last = name.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(name[...last])
  }

  private static func properties(of device: OpaquePointer) -> [String: String] {
    var properties: [String: String] = [:]
    var entry = udev_device_get_properties_list_entry(device)
    while let current = entry {
      if let name = udev_list_entry_get_name(current) {
        let value = udev_list_entry_get_value(current).map { String(cString: $0) }
        properties[String(cString: name)] = value ?? ""
      }
      entry = udev_list_entry_get_next(current)
    }
    return properties
  }

  private static func names(_ first: OpaquePointer?) -> [String] {
    var names: [String] = []
    var entry = first
    while let current = entry {
      if let name = udev_list_entry_get_name(current) { names.append(String(cString: name)) }
      entry = udev_list_entry_get_next(current)
    }
    return names
  }
}
