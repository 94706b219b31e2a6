import Examination
import Glibc
import TouchInput
import TouchModel

/// A touchscreen that is examined while a person uses it.
struct LivePanel {
  let description: DeviceDescription
  private let region: Rect
  private let seat: LibinputSeat

  /// Opens a touchscreen.
  ///
  /// - Parameter name: Its node, name, or vendor and product; nil for the only one.
  init(named name: String?, _ rules: PanelRules) throws(Failure) {
    let panel = try NamedDevice.touchscreen(name, rules.matcher)
    description = panel
    region = rules.panel(panel).region
    do throws(TouchInputError) {
      seat = try LibinputSeat(
        examining: panel.node, rules: rules.matcher.rules, screens: rules.matcher.screens)
    } catch {
      throw Failure(error.description)
    }
  }

  /// Watches while nobody touches it, and then while somebody does.
  ///
  /// - Parameter say: Tells the person what to do.
  func watch(seconds: Int, _ say: (String) throws -> Void) throws -> Examination {
    try say("Keep your hands off \(description.name) for \(seconds) s.")
    var events = collect(seconds: seconds)
    let ghosts = events.count
    let start = MonotonicClock.now / 1000
    try say(
      "Now touch it for \(seconds) s: tap all over, rest a finger, draw along the edges and "
        + "across, use all fingers.")
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

  private func collect(seconds: Int) -> [DeviceEvent] {
    let end = MonotonicClock.now + UInt64(seconds) * 1_000_000_000
    var collected: [DeviceEvent] = []
    var events: ReusableArray<DeviceEvent> = []
    while MonotonicClock.now < end {
      var descriptor = pollfd(fd: seat.descriptor, events: Int16(POLLIN), revents: 0)
      poll(&descriptor, 1, CInt(clamping: (end - min(end, MonotonicClock.now)) / 1_000_000 + 1))
      events.removeAll()
      seat.dispatch(into: &events)
      collected += events
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
