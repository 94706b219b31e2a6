import TouchModel

/// The touches of one device that a recognizer has, and where they are.
///
/// A touch keeps its index until no recognizer knows it any more, which for a tap that a further
/// one may follow is later than its end.
struct TrackedTouches {
  let device: DeviceID
  /// One touch, in points of the screen.
  struct Finger: BitwiseCopyable {
    let id: TouchID
    /// Where it came down.
    let beginning: Point
    /// Where it was before the frame at hand.
    fileprivate(set) var previous: Point
    /// Where it is.
    fileprivate(set) var location: Point
    fileprivate(set) var isDown = true
  }

  private var fingers: ContiguousArray<Finger> = []
  private var known = FingerSet()
  /// Where the next touch of the frame at hand is, if they come in the order in which they began.
  private var expected = 0
  /// Those that moved with the frame at hand.
  private(set) var moved = FingerSet()
  /// Tells the frame at hand from those before it, whatever their times.
  private(set) var frame: UInt64 = 0

  init(of device: DeviceID) { self.device = device }

  subscript(index: Int) -> Finger { fingers[index] }

  /// Whether no touch is known.
  var isEmpty: Bool { known.isEmpty }

  /// Where a touch that is on the glass is kept; nil where no recognizer has it.
  @inline(__always)
  func index(of touch: TouchID) -> Int? {
    for index in fingers.indices where isTouch(touch, at: index) { return index }
    return nil
  }

  @inline(__always)
  private func isTouch(_ touch: TouchID, at index: Int) -> Bool {
    fingers[index].id == touch && fingers[index].isDown && known.contains(index)
  }

  /// Where a touch is kept, also one that was lifted; nil where no recognizer has it.
  func lastIndex(of touch: TouchID) -> Int? {
    fingers.indices.first { fingers[$0].id == touch && known.contains($0) }
  }

  /// Takes in a touch that begins; nil where there are ``FingerSet/capacity`` already.
  mutating func add(_ touch: TouchID, at location: Point) -> Int? {
    guard let index = known.firstAbsent else { return nil }
    let finger = Finger(
      id: touch, beginning: location, previous: location, location: location)
    if index < fingers.count { fingers[index] = finger } else { fingers.append(finger) }
    known.insert(index)
    return index
  }

  /// Takes a touch, if a recognizer has it, to where the frame at hand says that it is.
  @inline(__always)
  mutating func move(_ touch: TouchID, to location: Point) {
    let isExpected = expected < fingers.count && isTouch(touch, at: expected)
    guard let index = isExpected ? expected : index(of: touch) else { return }
    expected = index + 1
    fingers[index].location = location
    moved.insert(index)
  }

  /// What those fingers do together, since the frame before. They are of this device: a
  /// recognizer's fingers come from ``add(_:at:)`` of one device, and the list never gets shorter.
  @inline(__always)
  func measure(_ set: FingerSet, withTurns: Bool) -> Measure {
    Measure(set, fingers.span, withTurns: withTurns)
  }

  /// Takes a touch from the glass.
  mutating func lift(_ index: Int) { fingers[index].isDown = false }

  /// Gets ready for the next frame.
  @inline(__always)
  mutating func rest() {
    frame &+= 1
    if moved.isEmpty { return }
    moved.forEach { fingers[$0].previous = fingers[$0].location }
    moved = FingerSet()
    expected = 0
  }

  /// Forgets all touches but these.
  mutating func keep(_ kept: FingerSet) { known = kept }
}
