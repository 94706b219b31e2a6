import EventLoop
import Glibc
import Logging
import TestSupport
import TouchInput
import TouchModel

/// A seat alone, with the events that it gave.
final class SeatFixture {
  let seat: LibinputSeat
  private let loop: EventLoop
  /// All events since the last `take()`.
  private(set) var events: ReusableArray<DeviceEvent> = []

  static let screen = Screen(name: "panel", size: Size(width: 800, height: 480))

  init(
    _ source: LibinputSeat.Source, rules: [DeviceRule] = [], screens: [Screen] = [screen]
  ) throws {
    var logger = Logger(label: "seat")
    logger.logLevel = .critical
    seat = try LibinputSeat(source: source, rules: rules, screens: screens, logger: logger)
    loop = try EventLoop()
    try seat.attach(to: loop) { [unowned self] in seat.dispatch(into: &events) }
  }

  /// The events until now. What a device has written, the kernel has passed on.
  func take() -> [DeviceEvent] {
    seat.dispatch(into: &events)
    defer { events.removeAll() }
    return Array(events)
  }

  /// Turns the loop until the condition holds; 30 seconds are the bound of failure.
  func wait(for what: String, _ condition: (SeatFixture) -> Bool) throws {
    while !condition(self) {
      guard try loop.runTurn(timeoutMicroseconds: 30_000_000) else {
        throw Missing("waiting for \(what); got \(events)")
      }
    }
  }

  func updateRules(_ rules: [DeviceRule], screens: [Screen] = [screen]) {
    seat.updateRules(rules, screens: screens, into: &events)
  }
}

extension DeviceEvent {
  /// The event without its time, in words that a test can spell out.
  var summary: String {
    switch self {
    case .down(let device, let slot, _, let location, _):
      "\(device.rawValue) down \(slot) \(Self.text(location))"
    case .motion(let device, let slot, let location, _):
      "\(device.rawValue) move \(slot) \(Self.text(location))"
    case .up(let device, let slot, _): "\(device.rawValue) up \(slot)"
    case .cancel(let device, let slot, let reason, _):
      "\(device.rawValue) cancel \(slot) \(reason)"
    case .frame(let device, _): "\(device.rawValue) frame"
    case .lost(let device, let reason, _): "\(device.rawValue) lost \(reason)"
    }
  }

  private static func text(_ point: Point) -> String {
    "\(point.x.rounded()) \(point.y.rounded())"
  }
}
