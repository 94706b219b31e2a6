import Foundation
import TestSupport
import Testing

@testable import Recovery

@Suite("How touchscreens are taken from the system and given back")
struct InterruptionTests {
  private func interruption(
    _ node: String, _ means: RecoveryMeans, in fake: FakeSysfs
  ) throws -> Interruption {
    try IllTouchscreen(node: "/dev/input/\(node)", in: fake.sysfs).interruption(by: means)
  }

  private func sentence(_ body: () throws -> Void) -> String {
    do { try body() } catch let error as RecoveryError { return error.sentence } catch {}
    return "nothing was thrown"
  }

  @Test("the driver of what carries the HID device is unbound and bound; on I2C its own (N11)")
  func driver() throws {
    let fake = try FakeSysfs()
    var kept: [Bool] = []
    for (node, device, driver) in [
      ("event3", "\(fake.usbDevice)/1-2:1.0", "bus/usb/drivers/usbhid"),
      ("event4", fake.i2cDevice, "bus/i2c/drivers/Goodix-TS"),
    ] {
      let name = String(device.split(separator: "/").last ?? "")
      let words = try interruption(node, .driver, in: fake).carryOut {
        kept.append($0 != nil)
      } wait: { _ in
        #expect(fake.text("\(driver)/unbind") == name && fake.text("\(driver)/bind") == "")
        fake.remove("\(device)/driver")
      }
      #expect(fake.text("\(driver)/bind") == name)
      let driver = String(driver.split(separator: "/").last ?? "")
      #expect(words == "unbound \(name) from its driver \(driver), and bound it again")
    }
    #expect(kept == [true, false, true, false])
    #expect(fake.text("bus/hid/drivers/hid-multitouch/unbind") == "")
  }

  @Test("a USB port is turned off and on (N11)")
  func port() throws {
    let fake = try FakeSysfs()
    let port = "devices/pci0000:00/usb1/1-0:1.0/usb1-port2/disable"
    let words = try interruption("event3", .port, in: fake).carryOut(keep: { _ in }) { _ in
      #expect(fake.text(port) == "1\n")
    }
    #expect(fake.text(port) == "0\n")
    #expect(words == "turned usb1-port2 off and on, the USB port of 1-2")
  }

  @Test("a touchscreen that is unplugged while it is unbound is not bound (N11)")
  func gone() throws {
    let fake = try FakeSysfs()
    var kept: [Bool] = []
    let device = "\(fake.usbDevice)/1-2:1.0"
    let interruption = try interruption("event3", .driver, in: fake)
    let error = sentence {
      _ = try interruption.carryOut(
        keep: { kept.append($0 != nil) },
        wait: { _ in
          fake.remove(device)
        })
    }
    #expect(
      error == "\(fake.path(device)) is gone: it was unplugged while its driver was unbound")
    #expect(kept == [true, false] && fake.text("bus/usb/drivers/usbhid/bind") == "")
  }

  @Test("one that can't be bound is tried five times, stays kept, and is given back later (N11)")
  func stuck() throws {
    let fake = try FakeSysfs()
    let bind = "bus/i2c/drivers/Goodix-TS/bind"
    fake.remove(bind)
    // Nothing can be written to a folder.
    try fake.write("", to: "\(bind)/file")
    var kept: Interruption?
    var waits = 0
    let interruption = try interruption("event4", .driver, in: fake)
    let error = sentence {
      _ = try interruption.carryOut(
        keep: { kept = $0 },
        wait: { _ in
          waits += 1
          fake.remove("\(fake.i2cDevice)/driver")
        })
    }
    #expect(
      error
        == "\(fake.path(bind)) has refused \"i2c-GDIX1001:00\" 5 times (Is a directory): the "
        + "touchscreen stays off until it is unplugged and plugged in, or that file takes it")
    #expect(waits == 5 && kept == interruption)
    fake.remove(bind)
    try fake.write("", to: bind)
    let line = try #require(kept?.line)
    let again = try #require(Interruption(line: Substring(line)))
    _ = try again.finish(keep: { kept = $0 }, wait: { _ in })
    #expect(fake.text(bind) == "i2c-GDIX1001:00" && kept == nil)
    // It is on by now: nothing is written.
    try fake.link("\(fake.i2cDevice)/driver", to: "bus/i2c/drivers/Goodix-TS")
    try fake.write("", to: bind)
    _ = try again.finish(keep: { _ in }, wait: { _ in })
    #expect(fake.text(bind) == "")
  }

  @Test("what can't be recovered says why (N11)")
  func refused() throws {
    let fake = try FakeSysfs()
    func error(_ node: String, _ means: RecoveryMeans = .driver) -> String {
      sentence {
        _ = try IllTouchscreen(node: node, in: fake.sysfs).interruption(by: means)
      }
    }
    #expect(error("/dev/sda") == "\"/dev/sda\" is no event node of an input device")
    #expect(
      error("/dev/input/event3/../../x")
        == "\"/dev/input/event3/../../x\" is no event node of an input device")
    #expect(error("/dev/input/event") == "\"/dev/input/event\" is no event node of an input device")
    #expect(
      error("/dev/input/event9")
        == "/dev/input/event9 is gone: \(fake.path("class/input/event9")) is not there")
    #expect(
      error("/dev/input/event5")
        == "\"virtual\" (/dev/input/event5) has no driver that could be unbound: it is a virtual "
        + "one"
    )
    #expect(
      error("/dev/input/event4", .port)
        == "\"Goodix Capacitive TouchScreen\" (/dev/input/event4) is not on USB, so it has no "
        + "port: use --by driver")
    fake.remove("devices/pci0000:00/usb1/1-0:1.0/usb1-port2/disable")
    #expect(
      error("/dev/input/event3", .port).contains("which Linux has since 6.0: use --by driver"))
    fake.remove("bus/i2c/drivers/Goodix-TS/bind")
    #expect(
      error("/dev/input/event4").hasSuffix(
        "can't be unbound: its driver Goodix-TS does not allow that"))
    // A link out of the tree is followed nowhere.
    try FileManager.default.createSymbolicLink(
      atPath: fake.path("class/input/event7"), withDestinationPath: "/tmp")
    #expect(error("/dev/input/event7").hasPrefix("/dev/input/event7 is gone"))
    let unbind = "bus/usb/drivers/usbhid/unbind"
    let interruption = try interruption("event3", .driver, in: fake)
    fake.remove(unbind)
    var kept: [Bool] = []
    #expect(
      sentence { _ = try interruption.carryOut(keep: { kept.append($0 != nil) }) }.hasSuffix(
        "/1-2:1.0 is gone, or has no driver any more"))
    #expect(kept == [true, false])
  }

  @Test("what can't be kept is not begun, and counts as not done (N11)")
  func full() throws {
    let fake = try FakeSysfs()
    let interruption = try interruption("event3", .driver, in: fake)
    #expect(throws: RecoveryError("no room", hasDoneNothing: true)) {
      _ = try interruption.carryOut(
        keep: { _ throws(RecoveryError) in throw RecoveryError("no room") }, wait: { _ in })
    }
    #expect(fake.text("bus/usb/drivers/usbhid/unbind") == "")
  }

  @Test("a touchscreen is meant by its name, or by vendor and product in either case (N11)")
  func names() throws {
    let fake = try FakeSysfs()
    let touchscreen = try IllTouchscreen(node: "/dev/input/event4", in: fake.sysfs)
    #expect(touchscreen.isNamed("Goodix Capacitive TouchScreen"))
    #expect(touchscreen.isNamed("0416:038F") && !touchscreen.isNamed("0416:0390"))
    #expect(!touchscreen.isNamed("") && !touchscreen.isNamed("Goodix"))
  }
}
