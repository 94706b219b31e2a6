import CLibevdev
import Foundation
import TouchModel
import VirtualDevices

/// What the fingers of a recording did, reckoned from its bare numbers: the measures of rule G16 on
/// a screen of 800 x 480 points.
struct RecordedFingers {
  /// With one finger or more.
  private(set) var anyFingers = Travel(fewest: 1)
  /// With two or more.
  private(set) var severalFingers = Travel(fewest: 2)
  private let units: (x: DeviceSheet.Axis, y: DeviceSheet.Axis)
  private var slot: Int32 = 0
  private var tracking: [Int32: Int32] = [:]
  private var places: [Int32: Point] = [:]
  private var before: [Int32: Point] = [:]

  /// Nil for a device without contacts that can be told apart.
  init?(_ sheet: DeviceSheet) {
    guard sheet.isProtocolB, let units = sheet.units else { return nil }
    self.units = units
  }

  /// Takes in a frame of the kernel's.
  mutating func take(_ events: [InputEvent]) {
    for event in events where event.type == UInt16(EV_ABS) { take(event) }
    // By contact, since another finger may have the slot of one that was lifted.
    var now: [Int32: Point] = [:]
    for (slot, id) in tracking { now[id] = place(places[slot] ?? .zero) }
    anyFingers.go(from: before, to: now)
    severalFingers.go(from: before, to: now)
    before = now
  }

  private mutating func take(_ event: InputEvent) {
    switch Int32(event.code) {
    case ABS_MT_SLOT: slot = event.value
    case ABS_MT_TRACKING_ID: tracking[slot] = event.value < 0 ? nil : event.value
    case ABS_MT_POSITION_X: places[slot, default: .zero].x = Double(event.value)
    case ABS_MT_POSITION_Y: places[slot, default: .zero].y = Double(event.value)
    default: break
    }
  }

  private func place(_ raw: Point) -> Point {
    func share(_ value: Double, _ axis: DeviceSheet.Axis) -> Double {
      (value - Double(axis.minimum)) / Double(axis.maximum - axis.minimum + 1)
    }
    return Point(x: share(raw.x, units.x) * 800, y: share(raw.y, units.y) * 480)
  }
}

/// How far some fingers have gone together. From frame to frame it is what those did that are in
/// both, so one that comes or goes makes no jump.
struct Travel {
  /// How many fingers are down; one that came with the last frame counts from the next one on, as
  /// what happens in a frame is judged before its new fingers are taken.
  private(set) var count = 0
  /// The mean of where they are, or last were.
  private(set) var centroid = Point.zero
  private(set) var translation = Point.zero
  private(set) var scale = 1.0
  /// Degrees.
  private(set) var rotation = 0.0
  private var spread = 0.0
  private var distance = 0.0
  private let fewest: Int

  init(fewest: Int) { self.fewest = fewest }

  /// Whether a recognizer of the table of kinds has all that it asks for.
  func isEnough(for name: String) -> Bool {
    switch name {
    case "pan": (translation.x * translation.x + translation.y * translation.y).squareRoot() >= 10
    case "scroll": abs(translation.y) >= 10 && abs(translation.y) >= abs(translation.x)
    case "pinch": abs(spread) >= 10
    case "turn": abs(rotation) >= 10 && abs(rotation) * .pi / 180 * distance >= 10
    default: false
    }
  }

  mutating func go(from before: [Int32: Point], to now: [Int32: Point]) {
    if before.isEmpty { self = Travel(fewest: fewest) }
    let stayed = now.keys.filter { before[$0] != nil }
    count = stayed.count
    let old = stayed.compactMap { before[$0] }
    let new = stayed.compactMap { now[$0] }
    guard count > 0 else { return }
    centroid = Self.mean(new)
    if count >= fewest { add(old, new) }
  }

  private mutating func add(_ old: [Point], _ new: [Point]) {
    let (start, end) = (Self.mean(old), Self.mean(new))
    translation.x += end.x - start.x
    translation.y += end.y - start.y
    guard old.count > 1 else { return }
    let from = old.map { $0.distance(to: start) }.reduce(0, +) / Double(old.count)
    distance = new.map { $0.distance(to: end) }.reduce(0, +) / Double(new.count)
    spread += distance - from
    if from > 0 { scale *= distance / from }
    // The rotation that takes the arms before best to those now, by least squares.
    var (across, along) = (0.0, 0.0)
    for (old, new) in zip(old, new) {
      let before = Point(x: old.x - start.x, y: old.y - start.y)
      let now = Point(x: new.x - end.x, y: new.y - end.y)
      across += before.x * now.y - before.y * now.x
      along += before.x * now.x + before.y * now.y
    }
    rotation += atan2(across, along) * 180 / .pi
  }

  private static func mean(_ points: some Collection<Point>) -> Point {
    let count = Double(points.count)
    return Point(
      x: points.map(\.x).reduce(0, +) / count, y: points.map(\.y).reduce(0, +) / count)
  }
}
