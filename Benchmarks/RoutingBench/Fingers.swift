import TouchModel

/// How ten fingers lie.
enum Hand {
  /// Each touchscreen's on one program.
  case together
  /// Each on another program.
  case apart
}

/// What touchscreens do: ten fingers each, that move in every frame and are put down elsewhere now
/// and then, so that every program gets some.
struct Fingers {
  /// How many frames fingers stay on a program.
  private let stay: Int
  private let hand: Hand
  private let programs: Int
  private let devices: Int
  private var frame = 0
  private var time: UInt64

  init(_ hand: Hand, programs: Int, stay: Int = 64) {
    self.hand = hand
    self.stay = stay
    self.programs = programs
    devices = hand == .together ? min(10, programs) : 1
    time = 0
  }

  /// So many frames that what a program gets of them fits into its socket.
  var batch: Int { hand == .together ? 16 * devices : 32 }

  /// The next frame of one of the touchscreens: they take turns.
  mutating func next(at now: UInt64, into events: inout ReusableArray<DeviceEvent>) {
    let device = DeviceID(UInt32(frame % devices + 1))
    let count = frame / devices
    time = max(time + 1, now)
    let stamp = Timestamp(microseconds: time)
    for slot in 0..<10 as Range<Int32> {
      let home = place(slot, device: frame % devices, hop: count / stay)
      switch count % stay {
      case 0:
        events.append(
          .down(device, slot: slot, screen: ScreenIndex(0), location: home, time: stamp))
      case stay - 1: events.append(.up(device, slot: slot, time: stamp))
      case let step:
        let there = Point(x: home.x, y: home.y + Double(step) * 0.25)
        events.append(.motion(device, slot: slot, location: there, time: stamp))
      }
    }
    events.append(.frame(device, time: stamp))
    frame += 1
  }

  /// Whether the next frame is one of moves.
  var isMoving: Bool { !(frame / devices % stay == 0 || isLast) }

  /// Whether the next frame lifts the fingers of a touchscreen.
  private var isLast: Bool { frame / devices % stay == stay - 1 }

  /// Whether no finger is down.
  var isIdle: Bool { frame % (devices * stay) == 0 }

  /// Where a finger comes down: in the window of its program.
  private func place(_ slot: Int32, device: Int, hop: Int) -> Point {
    let program =
      switch hand {
      case .together: (device + hop * devices) % programs
      case .apart: (Int(slot) + hop * 10) % programs
      }
    let corner = World.corner(of: program)
    return Point(x: corner.x + 4 + 9 * Double(slot), y: corner.y + 40)
  }
}
