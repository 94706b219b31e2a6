import ConsoleDrawing
import Examination
import Glibc
import LayoutDrawing
import TouchInput
import TouchModel

/// Shows crosses to a person, or says where they would be, and takes a press on each.
final class PressSession {
  private let target: CalibrationTarget
  private let places: [Point]
  private let seconds: Int
  private let say: (String) throws -> Void
  private let seat: LibinputSeat
  /// Where there is none, it is said where to press.
  private let console: CrossConsole

  /// A finger that rests stays within this share of the device.
  private static let tolerance = 0.03

  /// Opens the touchscreen, for this process alone, and the framebuffer.
  ///
  /// - Parameters:
  ///   - places: The crosses, as shares of the part of the screen that the touchscreen covers.
  ///   - framebuffer: Its node; nil for the usual one if it is there, `none` for none.
  ///   - seconds: How long it waits for a press.
  ///   - say: Tells the person what to do.
  init(
    on target: CalibrationTarget, at places: [Point], framebuffer: String?, seconds: Int,
    _ say: @escaping (String) throws -> Void
  ) throws(Failure) {
    self.target = target
    self.places = places
    self.seconds = seconds
    self.say = say
    // The device's own coordinates, as if it covered a screen of 1 by 1 points.
    let rule = DeviceRule(
      match: DeviceRule.Match(), screen: ScreenIndex(0), calibration: [1, 0, 0, 0, 1, 0],
      rotation: Screen.Rotation.none, grab: true)
    do throws(TouchInputError) {
      seat = try LibinputSeat(
        examining: target.device.node, rules: [rule],
        screens: [Screen(name: "device", size: Size(width: 1, height: 1))])
    } catch {
      throw Failure(error.description)
    }
    console = try CrossConsole(framebuffer: framebuffer)
  }

  /// Takes all presses, in the device's own coordinates.
  func run() throws -> [Point] {
    defer { console.close() }
    let picture = CrossPicture(places.map(target.panelPlace))
    var presses: [Point] = []
    for (index, place) in places.enumerated() {
      console.show(picture, next: index)
      try say("\(index + 1) of \(places.count): \(instruction(place))")
      presses.append(try press())
    }
    return presses
  }

  private func instruction(_ place: Point) -> String {
    guard !console.isThere else { return "press the white cross, at \(target.words(place))" }
    let point = target.point(place)
    let x = Text.number((point.x / target.screen.size.width * 100).rounded())
    let y = Text.number((point.y / target.screen.size.height * 100).rounded())
    return "press at \(target.words(place)), which is \(x) % from the left edge of the screen and "
      + "\(y) % from its top"
  }

  /// Waits for a press.
  private func press() throws -> Point {
    let end = MonotonicClock.now + UInt64(seconds) * 1_000_000_000
    var collector = PressCollector(tolerance: Self.tolerance)
    var events: ReusableArray<DeviceEvent> = []
    while MonotonicClock.now < end {
      console.wait(for: seat.descriptor, until: end)
      events.removeAll()
      seat.dispatch(into: &events)
      for event in events {
        switch collector.take(event) {
        case .press(let point): return point
        case .severalFingers: try say("several fingers were down: press with one")
        case .stroke: try say("the finger went on: press, and lift it at the same place")
        case .cancelled: try say("the touchscreen took that for a palm: press with a fingertip")
        case .lost: throw Failure("\(target.device.node) is gone: the touchscreen was unplugged")
        case nil: break
        }
      }
    }
    throw Failure(
      "nothing was pressed for \(seconds) s; if you did press, another program has grabbed "
        + "\(target.device.name): touchroute list-devices shows who reads it")
  }
}
