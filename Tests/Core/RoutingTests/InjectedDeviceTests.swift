import Routing
import Testing
import TouchModel

@Suite("Injected touchscreens")
struct InjectedDeviceTests {
  private static let screens = [
    Screen(name: "a", size: Size(width: 100, height: 100)),
    Screen(name: "b", size: Size(width: 100, height: 100)),
  ]
  private let time = Timestamp(microseconds: 7)

  private func contact(_ slot: Int32, _ phase: TouchPhase, _ x: Double = 1) -> InjectedContact {
    InjectedContact(slot: slot, phase: phase, location: Point(x: x, y: 2))
  }

  private func refusal(
    _ device: inout InjectedDevice, _ contacts: InjectedContact..., screen: Int32 = 0
  ) -> String? {
    do throws(InjectedDevice.Refusal) {
      _ = try device.events(
        contacts, on: ScreenIndex(screen), of: Self.screens, at: time)
      return nil
    } catch { return error.text }
  }

  @Test("a frame becomes what a touchscreen reports, up to its frame mark (T2)")
  func events() throws {
    var device = InjectedDevice(DeviceID(9))
    let first = try device.events(
      [contact(0, .began), contact(-5, .began, 3)], on: ScreenIndex(1), of: Self.screens, at: time)
    #expect(
      first == [
        .down(
          DeviceID(9), slot: 0, screen: ScreenIndex(1), location: Point(x: 1, y: 2), time: time),
        .down(
          DeviceID(9), slot: -5, screen: ScreenIndex(1), location: Point(x: 3, y: 2), time: time),
        .frame(DeviceID(9), time: time),
      ])
    let second = try device.events(
      [contact(0, .moved, 4), contact(-5, .cancelled)], on: ScreenIndex(1), of: Self.screens,
      at: time)
    #expect(
      second == [
        .motion(DeviceID(9), slot: 0, location: Point(x: 4, y: 2), time: time),
        .cancel(DeviceID(9), slot: -5, reason: .requested, time: time),
        .frame(DeviceID(9), time: time),
      ])
  }

  @Test("a frame that no touchscreen could give is refused whole, and says what is wrong (T6)")
  func refusals() {
    var device = InjectedDevice(DeviceID(9))
    #expect(
      refusal(&device, contact(0, .began), screen: 2) == "there is no screen 2; there are 2")
    #expect(refusal(&device, contact(0, .began), screen: -1) != nil)
    for phase in [TouchPhase.moved, .ended, .cancelled] {
      #expect(
        refusal(&device, contact(1, .began), contact(0, phase))
          == "slot 0 is not down, and so can't be \(phase)")
    }
    #expect(
      refusal(&device, contact(0, .began), contact(0, .moved)) == "slot 0 is in the frame twice")
    #expect(
      refusal(&device, contact(0, .began, .nan)) == "slot 0 is at (nan, 2.0), which is no place")
    #expect(refusal(&device, contact(0, .stationary)) != nil)
    // Nothing of these has happened.
    #expect(refusal(&device, contact(0, .began), contact(1, .began)) == nil)
    #expect(refusal(&device, contact(0, .began)) == "slot 0 begins, and is down already")
    #expect(
      refusal(&device, contact(2, .began), screen: 1)
        == "fingers are down on screen 0: lift them before going to screen 1")
    #expect(refusal(&device, contact(0, .ended), contact(1, .ended)) == nil)
    #expect(refusal(&device, contact(2, .began), screen: 1) == nil)
  }

  @Test("32 fingers may be down at a time, and not one more (F5)")
  func limit() {
    var device = InjectedDevice(DeviceID(9))
    for slot in 0..<32 { #expect(refusal(&device, contact(Int32(slot), .began)) == nil) }
    #expect(
      refusal(&device, contact(32, .began)) == "33 fingers would be down, beyond the limit of 32")
    #expect(refusal(&device, contact(0, .ended), contact(32, .began)) == nil)
  }
}
