import TouchModel

/// How a touchscreen is mounted, and rules T8, T11 and H3 of that, as plainly as can be.
struct OracleMounting: Equatable {
  var screen: ScreenIndex
  /// Clockwise, as its viewer sees it.
  var rotation: Screen.Rotation
  /// The part of the screen that it covers.
  var region: Rect

  /// Where a place of the panel is, of 0 to 1 each way, in points of the screen.
  func place(x: Double, y: Double) -> Point {
    let (across, down) =
      switch rotation {
      case .none: (x, y)
      case .quarter: (1 - y, x)
      case .half: (1 - x, 1 - y)
      case .threeQuarters: (y, 1 - x)
      }
    return Point(
      x: Self.place(across, from: region.x, region.width),
      y: Self.place(down, from: region.y, region.height))
  }

  /// The far edge itself is moved inside. Rule T8.
  private static func place(_ part: Double, from start: Double, _ length: Double) -> Double {
    part == 1 ? start + length - 1.0 / 128 : start + part * length
  }
}

/// A touchscreen's mounting as the oracle keeps it: another one holds once no finger is on it.
struct OracleTouchscreen {
  private(set) var mounting: OracleMounting
  private var next: OracleMounting
  private var down: Set<Int32> = []
  /// Whether a finger was lifted since the mark: what is read is read up to that.
  private var hasLift = false

  init(_ mounting: OracleMounting) {
    self.mounting = mounting
    next = mounting
  }

  mutating func press(_ slot: Int32) { down.insert(slot) }

  mutating func lift(_ slot: Int32) { if down.remove(slot) != nil { hasLift = true } }

  mutating func mark() { hasLift = false }

  /// The configuration says something else from now on.
  mutating func mount(_ mounting: OracleMounting) { next = mounting }

  /// Takes in that all has been read. Rule T11.
  mutating func rest() { if down.isEmpty, !hasLift { mounting = next } }
}
