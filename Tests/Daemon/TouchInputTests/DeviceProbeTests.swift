import Testing
import TouchModel

@testable import TouchInput

@Suite("The probe")
struct DeviceProbeTests {
  @Test("sysfs writes capabilities as words of 64 bits, the highest first")
  func bits() {
    #expect(DeviceCapabilities.bits("3") == [0, 1])
    #expect(DeviceCapabilities.bits("400 0 0 0 0 0") == [330])
    #expect(DeviceCapabilities.bits("260800000000003") == [0, 1, 47, 53, 54, 57])
    #expect(DeviceCapabilities.bits("") == [])
  }

  @Test("a virtual touchscreen of ours is told by bus and physical path, not by its name")
  func outputs() {
    var device = DeviceDescription(
      name: "touchroute home", bus: 6, node: "/dev/input/event5", phys: "touchroute/home",
      properties: ["ID_INPUT_TOUCHSCREEN": "1"])
    #expect(device.outputName == "home")
    let report = DeviceReport(description: device, verdict: .output("home"))
    #expect(!report.isTouchscreen)
    #expect(
      report.sentences == [
        "the virtual touchscreen of touchroute output uinput for \"home\", which touchrouted never "
          + "reads"
      ])
    device.bus = 3
    #expect(device.outputName == nil)
    device.bus = 6
    device.phys = "usb-1/input0"
    #expect(device.outputName == nil)
  }

  @Test("a touchscreen is for so many fingers, of more than libinput follows that is said too (T7)")
  func fingers() {
    let counts = [nil, 0, 1, 2, 32, 33].map { count in
      DeviceReport(
        description: DeviceDescription(name: "Panel", node: "/dev/input/event5", touchCount: count),
        verdict: .touchscreen
      ).sentences.first
    }
    #expect(
      counts == [
        "touchscreen", "touchscreen, which does not say for how many fingers",
        "touchscreen for one finger", "touchscreen for 2 fingers", "touchscreen for 32 fingers",
        "touchscreen for 33 fingers (libinput follows 32)",
      ])
  }

  @Test("who else has a touchscreen open is said, and whether that program gets its touches")
  func readers() {
    let device = DeviceDescription(name: "Panel", node: "/dev/input/event5")
    var report = DeviceReport(description: device, verdict: .touchscreen)
    report.readers = [
      NodeReader(pid: 7, name: "touchrouted", isDaemon: true),
      NodeReader(pid: 9, name: "chromium", isDaemon: false),
    ]
    #expect(
      report.sentences.last
        == "chromium (pid 9) has it open too, and gets every touch: integrating.md says how nobody "
        + "but touchrouted reads it")
    let screens = [Screen(name: "panel", size: Size(width: 800, height: 480))]
    let rule = DeviceRule(match: .init(name: "Panel"), screen: ScreenIndex(0), grab: true)
    report.assignment = DeviceMatcher(rules: [rule], screens: screens).assignment(of: device)
    report.screen = "panel"
    #expect(
      report.sentences.last
        == "chromium (pid 9) has it open too, and gets nothing of it while touchrouted grabs it")
    report.verdict = .output("home")
    #expect(report.sentences.last == "read by chromium (pid 9)")
  }

  @Test("a touchpad, a mouse and a virtual machine's pointer do not look like touchscreens")
  func others() {
    var touchpad = DeviceCapabilities()
    touchpad.absolute = [0, 1, 47, 53, 54, 57]
    touchpad.keys = [272, 325, 330]
    touchpad.properties = [0]
    #expect(!touchpad.resemblesTouchscreen)
    var mouse = DeviceCapabilities()
    mouse.keys = [272, 273, 274]
    mouse.relative = [0, 1, 8]
    #expect(!mouse.resemblesTouchscreen)
    var pointer = DeviceCapabilities()
    pointer.absolute = [0, 1]
    pointer.keys = [272, 273, 274]
    pointer.relative = [8]
    #expect(!pointer.resemblesTouchscreen)
  }

  @Test("a touch monitor that reports a mouse's buttons and places looks like a touchscreen")
  func monitor() {
    var monitor = DeviceCapabilities()
    monitor.absolute = [0, 1]
    monitor.keys = [272, 273, 274]
    #expect(monitor.resemblesTouchscreen)
    #expect(monitor.hasLeftButtonAlone)
  }

  @Test("a pen is a pen by its stylus, or by its tool and its pressure; a panel of fingers is none")
  func pens() {
    var pen = DeviceCapabilities()
    pen.absolute = [0, 1, 24]
    pen.keys = [320, 330]
    #expect(pen.isPen && !pen.resemblesTouchscreen)
    // An old controller with the tool of a pen and nothing that pens measure.
    pen.absolute = [0, 1]
    #expect(!pen.isPen && pen.resemblesTouchscreen)
    pen.keys = [330, 331]
    #expect(pen.isPen)
    pen.absolute = [0, 1, 47, 53, 54, 57]
    #expect(!pen.isPen && pen.resemblesTouchscreen)
  }

  @Test("nodes are of one piece of hardware by their ids and by where it is plugged in")
  func siblings() {
    func node(_ number: Int, _ phys: String, product: UInt16 = 7) -> DeviceDescription {
      DeviceDescription(
        name: "panel", bus: 3, vendor: 1, product: product, node: "/dev/input/event\(number)",
        phys: phys)
    }
    let first = node(1, "usb-0000:00:14.0-2/input0")
    #expect(first.isSibling(of: node(2, "usb-0000:00:14.0-2/input1")))
    #expect(!first.isSibling(of: node(1, "usb-0000:00:14.0-2/input0")), "it is itself")
    #expect(!first.isSibling(of: node(2, "usb-0000:00:14.0-3/input1")))
    #expect(!first.isSibling(of: node(2, "usb-0000:00:14.0-2/input1", product: 8)))
    #expect(!node(1, "").isSibling(of: node(2, "")))
  }

  @Test("the axis without a resolution gets that of its counterpart; where both lack it, none")
  func resolutions() {
    let device = DeviceDescription(
      name: "Panel", vendor: 1, product: 2, node: "/dev/input/event1")
    let start =
      "ACTION!=\"remove\", SUBSYSTEM==\"input\", ATTRS{name}==\"Panel\", "
      + "ATTRS{id/vendor}==\"0001\", ATTRS{id/product}==\"0002\", KERNEL==\"event*\", "
    #expect(
      UdevRule.line(for: device, resolutions: AxisResolutions([0: 12, 1: 0, 53: 0, 54: 9]))
        == start + "ENV{EVDEV_ABS_01}=\"::12\", ENV{EVDEV_ABS_35}=\"::9\", "
        + "RUN{builtin}+=\"keyboard\"")
    #expect(UdevRule.line(for: device, resolutions: AxisResolutions([0: 0, 1: 0])) == nil)
    #expect(UdevRule.line(for: device, resolutions: AxisResolutions([0: 4, 1: 4])) == nil)
  }

  @Test("the rule takes away the tags that are in the way, and names nothing that it can't quote")
  func rule() {
    let device = DeviceDescription(
      name: "A \"screen\" [1] µ", vendor: 0x4e7, product: 0x20, node: "/dev/input/event1",
      properties: ["ID_INPUT": "1", "ID_INPUT_TABLET": "1"])
    #expect(
      UdevRule.line(for: device, DeviceCapabilities())
        == "ACTION!=\"remove\", SUBSYSTEM==\"input\", ATTRS{name}==\"A ?screen? ?1? *\", "
        + "ATTRS{id/vendor}==\"04e7\", ATTRS{id/product}==\"0020\", ENV{ID_INPUT_TABLET}=\"\", "
        + "ENV{ID_INPUT}=\"1\", ENV{ID_INPUT_TOUCHSCREEN}=\"1\"")
  }

  @Test("a machine without input devices has none to report")
  func none() throws {
    #expect(try DeviceProbe.reports(matcher: nil).allSatisfy { !$0.sentences.isEmpty })
  }
}
