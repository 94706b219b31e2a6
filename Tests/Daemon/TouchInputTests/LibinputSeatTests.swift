import Glibc
import Logging
import Testing
import TouchInput
import TouchModel

/// What needs no device; Tests/Whole/DeviceTests has the rest.
@Suite("The seat without devices")
struct LibinputSeatTests {
  private let screens = [Screen(name: "panel", size: Size(width: 800, height: 480))]

  @Test("a seat without a touchscreen is no error, can be dispatched and given other rules")
  func emptySeat() throws {
    let seat = try LibinputSeat(
      source: .seat("seat-without-devices"), rules: [], screens: screens,
      logger: Logger(label: "test"))
    #expect(seat.devices.isEmpty)
    #expect(seat.descriptor >= 0)
    var events: ReusableArray<DeviceEvent> = []
    seat.dispatch(into: &events)
    seat.updateRules([], screens: screens, into: &events)
    #expect(events.isEmpty)
  }

  @Test("a named node that is missing is an error that names it")
  func missingNode() {
    let error = #expect(throws: TouchInputError.self) {
      try LibinputSeat(
        source: .nodes(["/dev/input/event-missing"]), rules: [], screens: screens,
        logger: Logger(label: "test"))
    }
    #expect(error?.description.contains("/dev/input/event-missing") == true)
  }

  @Test("a named node that is no input device is an error that names it")
  func wrongNode() {
    let error = #expect(throws: TouchInputError.self) {
      try LibinputSeat(
        source: .nodes(["/dev/null"]), rules: [], screens: screens, logger: Logger(label: "test"))
    }
    #expect(error?.description.contains("/dev/null") == true)
  }
}
