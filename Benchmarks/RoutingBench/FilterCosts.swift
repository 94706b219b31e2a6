import CAllocationCount
import Measuring
import Signals
import TouchModel

/// What the filters of a bad panel cost: ten fingers that land, move and are lifted.
enum FilterCosts {
  private static let device = DeviceID(1)
  private static let fingers: Range<Int32> = 0..<10
  private static let reports: UInt64 = 100

  /// Each filter by itself, and all of them.
  private static var cases: [(name: String, settings: SignalSettings)] {
    let changes: [(String, (inout SignalSettings) -> Void)] = [
      ("bridge", { $0.bridge = .init(milliseconds: 25) }),
      ("min_contact", { $0.minimumContactMilliseconds = 15 }),
      ("median", { $0.smoothing = .median(depth: 9) }),
      ("one_euro", { $0.smoothing = .oneEuro(minimumCutoff: 1, beta: 0.1) }),
      ("max_speed", { $0.maximumSpeed = 1e6 }),
      ("zones", { $0.deadZones = [Rect(x: 790, y: 0, width: 10, height: 480)] }),
      ("edge", { $0.edge = 4 }),
      ("ghosts", { $0.ghosts = [.farApart, .aligned, .samePlace] }),
      ("stuck", { $0.stuck = .init(milliseconds: 60_000) }),
      ("palm", { $0.palm = .init(size: 25, aspect: 2.5) }),
    ]
    var cases: [(name: String, settings: SignalSettings)] = []
    var all = SignalSettings()
    for (name, change) in changes {
      var settings = SignalSettings()
      change(&settings)
      change(&all)
      cases.append((name, settings))
    }
    return cases + [("all", all)]
  }

  /// Prints nanoseconds for each touch of a report.
  static func time() {
    print("\nfilters, ten moving fingers: ns a touch\n")
    for (name, settings) in cases {
      var bench = Bench(settings)
      for round in 0..<20 { bench.play(round) }
      var times: [Double] = []
      for round in 20..<60 {
        let start = processorTime()
        bench.play(round)
        times.append(
          (processorTime() - start) / Double(reports * UInt64(fingers.count)))
      }
      show([name, fixed(median(times), 0)])
    }
  }

  /// How often they ask for memory, once warm.
  static func countAllocations() -> UInt {
    var bench = Bench(cases[cases.count - 1].settings)
    for round in 0..<20 { bench.play(round) }
    let before = allocation_count()
    for round in 20..<120 { bench.play(round) }
    let count = allocation_count() - before
    print("  \(count)\tall filters: \(100 * reports) reports of ten fingers")
    return count
  }

  private struct Bench {
    private var stage = SignalStage()
    private var raw: ReusableArray<DeviceEvent> = []
    private var events: ReusableArray<DeviceEvent> = []

    init(_ settings: SignalSettings) {
      stage.configure(
        device, settings, region: Rect(x: 0, y: 0, width: 800, height: 480), into: &events)
    }

    /// A stroke of ten fingers, and time enough for all of it to end.
    mutating func play(_ round: Int) {
      let start = UInt64(round + 1) * 10_000_000
      for step in 0..<reports {
        let time = Timestamp(microseconds: start + step * 10_000)
        raw.removeAll()
        events.removeAll()
        for slot in fingers { raw.append(event(of: slot, step, at: time)) }
        raw.append(.frame(device, time: time))
        for slot in fingers {
          stage.note(ContactSize(major: 9, minor: 8), in: slot, of: device)
        }
        stage.take(raw, into: &events)
      }
      stage.advance(to: Timestamp(microseconds: start + 9_000_000), into: &events)
    }

    private func event(of slot: Int32, _ step: UInt64, at time: Timestamp) -> DeviceEvent {
      let point = Point(x: Double(slot) * 60 + 20 + Double(step), y: 200 + Double(step))
      switch step {
      case 0:
        return .down(device, slot: slot, screen: ScreenIndex(0), location: point, time: time)
      case reports - 1: return .up(device, slot: slot, time: time)
      default: return .motion(device, slot: slot, location: point, time: time)
      }
    }
  }
}
