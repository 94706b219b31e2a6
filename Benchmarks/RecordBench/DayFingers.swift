import Measuring
import TouchScripts

/// What fingers do on a panel that reports 120 times a second.
struct DayFingers {
  private typealias Place = (x: Double, y: Double)

  /// The touches until now.
  private(set) var count: UInt64 = 0
  private var random: SeededGenerator

  /// How often a finger is reported to move between its coming down and its lift.
  private static let moves = 30
  private static let period: UInt64 = 8_333

  init(_ random: SeededGenerator) { self.random = random }

  /// The next thing that people do; the time is then that of its end.
  mutating func action(from time: inout UInt64) -> [RecordedFrame] {
    time += .random(in: 400_000...1_200_000, using: &random)
    let start = place()
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<45: return stroke([start], by: [(0, 0)], &time)
    case 45..<70:
      let way = Double.random(in: -250...250, using: &random)
      return stroke([start], by: [(0, way)], &time)
    case 70..<80:
      let way = Double.random(in: -250...250, using: &random)
      return stroke([start], by: [(way, 0)], &time)
    case 80..<88:
      let first = stroke([start], by: [(0, 0)], &time)
      time += 90_000
      return first + stroke([start], by: [(0, 0)], &time)
    case 88..<92: return stroke([start], by: [(0, 0)], &time, every: 3)
    case 92..<98:
      let way = Double.random(in: -80...120, using: &random)
      return stroke(
        [start, (start.x + 100, start.y + 60)], by: [(-way, 0), (way, 0)], &time)
    default: return stroke([start], by: [(0, 0)], &time, phase: "cancelled")
    }
  }

  private mutating func place() -> Place {
    (.random(in: 10..<1150, using: &random), .random(in: 10..<720, using: &random))
  }

  /// Fingers that come down together, move and are lifted together.
  private mutating func stroke(
    _ starts: [Place], by ways: [Place], _ time: inout UInt64, every periods: UInt64 = 1,
    phase last: String = "ended"
  ) -> [RecordedFrame] {
    let ids = starts.indices.map { count + 1 + UInt64($0) }
    count += UInt64(starts.count)
    return (0...Self.moves + 1).map { step in
      let phase = step == 0 ? "began" : step > Self.moves ? last : "moved"
      let share = Double(min(step, Self.moves)) / Double(Self.moves)
      let touches = starts.indices.map { finger in
        let (start, way) = (starts[finger], ways[finger])
        let shift = Double.random(in: -1...1, using: &random)
        var touch = RecordedTouch(
          id: ids[finger], phase: phase,
          at: [
            Self.onGrid(start.x + way.x * share + shift, 1280),
            Self.onGrid(start.y + way.y * share + shift, 800),
          ])
        if phase == "cancelled" { touch.cancel_reason = "palm" }
        return touch
      }
      time += periods * Self.period
      return RecordedFrame(
        device: 1, screen: 0, sequence: 0, time_us: time, touches: touches)
    }
  }

  /// A place as a touchscreen with 4096 steps has it.
  private static func onGrid(_ place: Double, _ size: Double) -> Double {
    (min(max(place, 0), size - 1) * 4096 / size).rounded() * size / 4096
  }
}
