import Foundation
import TestSupport

@testable import Recovery

/// A folder that looks as the kernel's tree of devices does: a touchscreen on USB, one on I2C, and
/// a virtual one.
struct FakeSysfs {
  private let folder: TemporaryDirectory
  let usbDevice = "devices/pci0000:00/usb1/1-2"
  let i2cDevice = "devices/platform/i2c-0/i2c-GDIX1001:00"

  init() throws {
    folder = try TemporaryDirectory()
    let hid = "\(usbDevice)/1-2:1.0/0003:0EEF:0001.0001"
    try addInput("event3", in: hid, "eGalax Touch", "0eef", "0001")
    try addDriver("usbhid", of: "\(usbDevice)/1-2:1.0", bus: "usb")
    try addDriver("hid-multitouch", of: hid, bus: "hid")
    try write("12", to: "\(usbDevice)/devnum")
    let port = "devices/pci0000:00/usb1/1-0:1.0/usb1-port2"
    try write("0", to: "\(port)/disable")
    try link("\(usbDevice)/port", to: port)
    try addInput("event4", in: i2cDevice, "Goodix Capacitive TouchScreen", "0416", "038f")
    try addDriver("Goodix-TS", of: i2cDevice, bus: "i2c")
    try addInput("event5", in: "devices/virtual", "virtual", "1234", "5678")
  }

  var sysfs: Sysfs { Sysfs(folder.url.path) }

  func path(_ name: String) -> String { sysfs.root + "/" + name }

  private func addInput(
    _ event: String, in device: String, _ name: String, _ vendor: String, _ product: String
  ) throws {
    let input = "\(device)/input/input\(event.dropFirst(5))"
    try write("\(name) ", to: "\(input)/name")
    try write(vendor, to: "\(input)/id/vendor")
    try write(product, to: "\(input)/id/product")
    try write("13:67", to: "\(input)/\(event)/dev")
    try link("class/input/\(event)", to: "\(input)/\(event)")
  }

  private func addDriver(_ driver: String, of device: String, bus: String) throws {
    let files = "bus/\(bus)/drivers/\(driver)"
    try write("", to: "\(files)/bind")
    try write("", to: "\(files)/unbind")
    try link("\(device)/driver", to: files)
    try link("\(device)/subsystem", to: "bus/\(bus)")
  }

  func write(_ text: String, to name: String) throws {
    let path = folder.url.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data((text.isEmpty ? "" : text + "\n").utf8).write(to: path)
  }

  func text(_ name: String) -> String {
    (try? String(contentsOfFile: path(name), encoding: .utf8)) ?? "?"
  }

  func link(_ name: String, to target: String) throws {
    let path = folder.url.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: path.path, withDestinationPath: folder.url.appendingPathComponent(target).path)
  }

  func remove(_ name: String) { try? FileManager.default.removeItem(atPath: path(name)) }
}
