import Testing

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
    #expect(!pointer.resemblesTouchscreen)
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
