import Testing
import TouchModel

@testable import Signals

/// The tables of Chromium's false_touch_finder_unittest.cc: at each time whether the contact in a
/// slot is taken for noise or held back. Here such a contact is not live.
@Suite("Chromium's tables of false touches (N7, N8)")
struct GhostTests {
  struct Row {
    let time: Double
    let slot: Int32
    let isTouching: Bool
    let x: Double
    let y: Double
    /// Whether it is neither noise nor held back.
    let isShown: Bool

    init(
      _ time: Double, _ slot: Int32, _ isTouching: Bool, _ x: Double, _ y: Double, _ isShown: Bool
    ) {
      self.time = time
      self.slot = slot
      self.isTouching = isTouching
      self.x = x
      self.y = y
      self.isShown = isShown
    }
  }

  struct Table: CustomTestStringConvertible {
    let name: String
    let rows: [Row]
    var testDescription: String { name }
  }

  static let tables = [
    Table(
      name: "far apart taps",
      rows: [
        Row(10, 1, true, 10, 10, true), Row(20, 1, true, 10, 11, true),
        Row(30, 1, true, 10, 12, true), Row(30, 2, true, 2500, 1000, false),
        Row(40, 1, true, 10, 13, false), Row(40, 2, true, 2500, 1001, false),
        Row(50, 1, true, 10, 14, false), Row(50, 2, false, 2500, 1002, false),
        Row(60, 1, false, 10, 15, false),
      ]),
    Table(
      name: "far apart taps, slowly",
      rows: [
        Row(1000, 1, true, 10, 10, true), Row(1500, 1, true, 10, 11, true),
        Row(2000, 1, true, 10, 12, true), Row(2500, 1, true, 10, 13, true),
        Row(2500, 2, true, 2500, 1000, true), Row(3000, 1, true, 10, 14, true),
        Row(3000, 2, false, 2500, 1001, true), Row(3500, 1, false, 10, 15, true),
      ]),
    Table(
      name: "aligned",
      rows: [
        Row(10, 1, true, 10, 10, true), Row(20, 1, true, 10, 10, true),
        Row(20, 2, true, 10, 25, false), Row(30, 1, false, 10, 10, true),
        Row(30, 2, true, 10, 25, false), Row(40, 2, false, 10, 25, false),
      ]),
    Table(
      name: "same position",
      rows: [
        Row(1000, 1, true, 10, 10, true), Row(1500, 1, false, 10, 10, true),
        Row(2000, 1, true, 10, 10, true), Row(2500, 1, false, 10, 10, true),
        Row(3000, 1, true, 50, 50, true), Row(3500, 1, true, 50, 51, true),
        Row(3500, 2, true, 10, 10, false), Row(4000, 1, false, 50, 52, true),
        Row(4000, 2, false, 10, 10, false), Row(4500, 1, true, 10, 10, false),
        Row(5000, 1, false, 10, 10, false),
      ]),
    Table(
      name: "a touch of several seconds",
      rows: [
        Row(1000, 1, true, 10, 10, true), Row(2000, 1, true, 10, 11, true),
        Row(3000, 1, true, 10, 10, true), Row(4000, 1, true, 10, 11, false),
        Row(5000, 1, true, 10, 10, false), Row(6000, 1, true, 10, 11, false),
      ]),
    Table(
      name: "taps at the edge",
      rows: [
        Row(10, 1, true, 0, 100, false), Row(20, 1, true, 0, 100, false),
        Row(30, 1, false, 0, 100, false), Row(40, 2, true, 3999, 100, false),
        Row(50, 2, true, 3999, 100, false), Row(60, 2, false, 3999, 100, false),
        Row(70, 3, true, 100, 0, false), Row(80, 3, true, 100, 0, false),
        Row(90, 3, false, 100, 0, false), Row(100, 4, true, 100, 3999, false),
        Row(110, 4, true, 100, 3999, false), Row(120, 4, false, 100, 3999, false),
      ]),
    Table(
      name: "moves from the edge",
      rows: [
        Row(10, 1, true, 0, 100, false), Row(20, 1, true, 0, 100, false),
        Row(30, 1, true, 1, 100, true), Row(40, 1, false, 1, 100, true),
        Row(50, 1, true, 0, 100, false), Row(60, 1, true, 0, 100, false),
        Row(70, 1, true, 0, 101, true), Row(80, 1, false, 0, 101, true),
      ]),
    Table(
      name: "moves to the edge",
      rows: [
        Row(10, 1, true, 100, 100, true), Row(20, 1, true, 100, 100, true),
        Row(30, 1, true, 0, 100, true), Row(40, 1, false, 0, 100, true),
      ]),
  ]

  @Test("each row is judged as Chromium judges it (N7, N8)", arguments: tables)
  func table(_ table: Table) {
    var bench = SignalBench(region: Rect(x: 0, y: 0, width: 4000, height: 4000)) {
      $0.ghosts = [.farApart, .aligned, .samePlace]
      $0.edge = 1
    }
    var touching: Set<Int32> = []
    for (index, row) in table.rows.enumerated() {
      bench.take(row.event(was: touching.contains(row.slot)))
      if row.isTouching { touching.insert(row.slot) } else { touching.remove(row.slot) }
      let isLast = index + 1 == table.rows.count || table.rows[index + 1].time != row.time
      guard isLast else { continue }
      bench.take(.frame(SignalBench.device, time: row.timestamp))
      for shown in table.rows where shown.time == row.time {
        #expect(bench.isShown(shown) == shown.isShown, "slot \(shown.slot) at \(shown.time)")
      }
    }
  }
}

extension GhostTests.Row {
  var timestamp: Timestamp { Timestamp(microseconds: UInt64(time * 1000)) }

  func event(was wasTouching: Bool) -> DeviceEvent {
    let device = SignalBench.device
    let point = Point(x: x, y: y)
    guard isTouching else { return .up(device, slot: slot, time: timestamp) }
    guard wasTouching else {
      return .down(
        device, slot: slot, screen: ScreenIndex(0), location: point, time: timestamp)
    }
    return .motion(device, slot: slot, location: point, time: timestamp)
  }
}

extension SignalBench {
  /// Whether the latest contact that is or was where the row says is live, or was lifted just now
  /// without having been cancelled: the tables' contacts are told by where they began.
  fileprivate func isShown(_ row: GhostTests.Row) -> Bool {
    var isShown = false
    var number: Int32?
    for event in events {
      switch event {
      case .down(_, let slot, _, let point, _):
        if near(point, row) { (number, isShown) = (slot, true) }
      case .cancel(_, let slot, _, _): if slot == number { isShown = false }
      case .up(_, let slot, let time):
        if slot == number, time < row.timestamp { isShown = false }
      default: break
      }
    }
    return isShown
  }

  private func near(_ point: Point, _ row: GhostTests.Row) -> Bool {
    let reach = row.x < 200 && row.y > 99 && row.y < 110 ? 101.0 : 10
    return point.distance(to: Point(x: row.x, y: row.y)) <= reach
  }
}
