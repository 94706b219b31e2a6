import ConsoleDrawing
import Examination
import LayoutDrawing
import TouchInput
import TouchModel

/// A touchscreen that is examined while a person uses it.
struct LivePanel {
  let description: DeviceDescription
  private let region: Rect
  private let screen: Screen
  private let ungrabbed: UngrabbedDevice
  private let seat: LibinputSeat
  private let console: CrossConsole

  /// How many crosses are shown, and for how long each at most, in seconds.
  private static let crosses = (count: 9, seconds: 10)
  /// A finger is at a cross within this share of the shorter side.
  private static let reach = 0.1

  /// Opens a touchscreen.
  ///
  /// - Parameters:
  ///   - name: Its node, name, or vendor and product; nil for the only one.
  ///   - framebuffer: Where crosses are shown; nil for the usual one if it is there, `none` for
  ///     none.
  init(
    named name: String?, _ rules: PanelRules, _ socket: SocketOption, framebuffer: String?
  ) throws(Failure) {
    let device = try NamedDevice.touchscreen(name, rules.matcher)
    ungrabbed = try UngrabbedDevice(device, socket)
    description = device
    let panel = rules.panel(device)
    region = panel.region
    screen = panel.screen
    do throws(TouchInputError) {
      seat = try LibinputSeat(
        examining: device.node, rules: rules.matcher.rules, screens: rules.matcher.screens)
    } catch {
      throw Failure(error.description)
    }
    console = try CrossConsole(framebuffer: framebuffer)
  }

  /// Watches while nobody touches it, and then while somebody does.
  ///
  /// - Parameter say: Tells the person what to do.
  func watch(seconds: Int, _ say: (String) throws -> Void) throws -> Examination {
    defer { console.close() }
    try say("Keep your hands off \(description.name) for \(seconds) s.")
    var events = collect(seconds: seconds)
    let ghosts = events.count
    let start = MonotonicClock.now / 1000
    let hasCrosses = console.isThere
    if hasCrosses { events += try touchCrosses(seconds: min(seconds, Self.crosses.seconds), say) }
    try say(
      "Now touch it for \(seconds) s: \(hasCrosses ? "" : "tap all over, ")rest a finger, draw "
        + "along the edges and across, use all fingers.")
    events += collect(seconds: seconds)
    guard events.count > ghosts || ghosts > 0 else {
      throw Failure(
        "\(description.name) has reported nothing: if a program has grabbed it, such as "
          + "touchrouted with grab = true, stop that first")
    }
    return Examination(
      events, of: RecordedFacts(description), in: region,
      untouchedUntil: Timestamp(microseconds: start))
  }

  /// Shows crosses, each until a finger has come down at it, or its time is over.
  private func touchCrosses(
    seconds: Int, _ say: (String) throws -> Void
  ) throws -> [DeviceEvent] {
    let places = CrossList.places(Self.crosses.count).map {
      Point(x: region.x + $0.x * region.width, y: region.y + $0.y * region.height)
    }
    let picture = CrossPicture(places.map(screen.panelPlace))
    let reach = Self.reach * min(region.width, region.height)
    var events: [DeviceEvent] = []
    var missedCount = 0
    for (index, place) in places.enumerated() {
      console.show(picture, next: index)
      let words = Text.point(Point(x: place.x.rounded(), y: place.y.rounded()))
      try say("\(index + 1) of \(places.count): touch the white cross, at \(words).")
      var isTouched = false
      events += collect(seconds: seconds) { event in
        if case .down(_, _, _, let point, _) = event, point.distance(to: place) <= reach {
          isTouched = true
        }
        return isTouched
      }
      if isTouched { continue }
      missedCount += 1
      try say("Nothing came down near \(words) in \(seconds) s.")
    }
    if missedCount > places.count / 2 {
      try say(
        "\(missedCount) of \(places.count) crosses were not reached. If you touched them, the "
          + "touchscreen says other places: touchroute calibrate finds how it lies.")
    }
    return events
  }

  /// What is reported within that time, or until something that ends it.
  private func collect(
    seconds: Int, until isEnd: (DeviceEvent) -> Bool = { _ in false }
  ) -> [DeviceEvent] {
    let end = MonotonicClock.now + UInt64(seconds) * 1_000_000_000
    var collected: [DeviceEvent] = []
    var events: ReusableArray<DeviceEvent> = []
    while MonotonicClock.now < end {
      console.wait(for: seat.descriptor, until: end)
      events.removeAll()
      seat.dispatch(into: &events)
      collected += events
      if events.contains(where: isEnd) { break }
    }
    return collected
  }
}

extension RecordedFacts {
  /// What is known of a touchscreen that is open.
  fileprivate init(_ description: DeviceDescription) {
    self.init(
      width: description.sizeMillimetres?.width, height: description.sizeMillimetres?.height,
      slotCount: description.touchCount.flatMap { $0 > 0 ? $0 : nil })
  }
}
