import Gestures
public import TouchModel

/// Which screens are locked, for how long, and what ends that. Rule D9.
///
/// It knows no client and no clock: its owner says who asks. Time comes in with touches and
/// deadlines.
public struct TouchLocks: ~Copyable {
  /// What fingers do to end a lock.
  public struct Exit: OptionSet, Sendable {
    /// One bit for each of them.
    public let rawValue: UInt16

    /// Those of these bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Two fingers rest in two corners of the screen for three seconds.
    public static let holdCorners = Exit(rawValue: 1)
    /// A finger taps five times in a row.
    public static let taps = Exit(rawValue: 2)
    /// All there are.
    public static let all: Exit = [.holdCorners, .taps]
  }

  /// What somebody asks for.
  public struct Request: Equatable, Sendable {
    /// How long it lasts.
    public var milliseconds: UInt64
    /// The paths of the views that get touches all the same, with what lies in them.
    public var exceptions: [String]
    /// What fingers do to end it.
    public var exit: Exit

    /// A lock.
    public init(milliseconds: UInt64, exceptions: [String] = [], exit: Exit = []) {
      self.milliseconds = milliseconds
      self.exceptions = exceptions
      self.exit = exit
    }

    /// Whether a touch on the view of a path goes its way.
    func spares(_ path: String) -> Bool {
      exceptions.contains { exception in
        path.hasPrefix(exception)
          && path.utf8.dropFirst(exception.utf8.count).first ?? Self.separator == Self.separator
      }
    }

    /// What comes behind a view's name in the path of what lies in it.
    private static let separator = UInt8(ascii: "/")
  }

  /// A screen is locked, or no longer.
  public struct Change: Equatable, Sendable, BitwiseCopyable {
    /// The screen.
    public var screen: ScreenIndex
    /// When the lock ends; nil where it has ended.
    public var end: Timestamp?
    /// Why.
    public var cause: LockCause
  }

  private struct Lock {
    var screen: Screen
    var request: Request
    var end: Timestamp
    var corners: CornerWatch?
    var taps: WakeRecognizer?

    /// One that knows of no finger yet.
    init(_ request: Request, until end: Timestamp, of screen: Screen) {
      self.screen = screen
      self.request = request
      self.end = end
      corners = request.exit.contains(.holdCorners) ? CornerWatch(of: screen.size) : nil
      taps = request.exit.contains(.taps) ? WakeRecognizer(TouchLocks.fiveTaps) : nil
    }
  }

  /// By the screens' order; nil where one is not locked.
  private var locks: [Lock?]
  /// Whether a screen is locked, as it rarely is.
  private(set) var isLocked = false
  /// What has changed since ``removeChanges()``, in order.
  private(set) var changes: [Change] = []

  /// Screens that are not locked.
  init(_ screens: [Screen]) { locks = screens.map { _ in nil } }

  /// Forgets the changes, which were told.
  mutating func removeChanges() { changes.removeAll(keepingCapacity: true) }

  /// When a screen's lock ends, and what it was asked for; nil where it is not locked.
  public func lock(of screen: ScreenIndex) -> (end: Timestamp, request: Request)? {
    locks[Int(screen.rawValue)].map { ($0.end, $0.request) }
  }

  /// Other screens are configured: those of the same name stay locked.
  ///
  /// Fingers that rest stay on the screen of the number that they came down on (rule T11): what
  /// they did is forgotten where that is another one by now.
  mutating func replace(_ screens: [Screen]) {
    let before = locks
    locks = screens.enumerated().map { number, screen in
      let index = before.firstIndex { $0?.screen.name == screen.name }
      guard let index, var lock = before[index] else { return nil }
      if index != number { lock = Lock(lock.request, until: lock.end, of: screen) }
      if lock.corners != nil, lock.screen.size != screen.size {
        lock.corners = CornerWatch(of: screen.size)
      }
      lock.screen = screen
      return lock
    }
    review()
  }

  // MARK: - What is asked for

  /// Locks a screen, in place of a lock that it has.
  mutating func lock(
    _ screen: ScreenIndex, _ request: Request, of all: [Screen], at time: Timestamp
  ) {
    let index = Int(screen.rawValue)
    let end = time.adding(milliseconds: request.milliseconds)
    locks[index] = Lock(request, until: end, of: all[index])
    review()
    changes.append(Change(screen: screen, end: end, cause: .requested))
  }

  /// Ends a screen's lock; false where it has none.
  mutating func unlock(_ screen: ScreenIndex, _ cause: LockCause) -> Bool {
    let index = Int(screen.rawValue)
    guard locks[index] != nil else { return false }
    locks[index] = nil
    review()
    changes.append(Change(screen: screen, end: nil, cause: cause))
    return true
  }

  private static var fiveTaps: RecognizerDescription {
    var tap = GestureKind.Tap()
    tap.taps = 5
    return RecognizerDescription(.tap(tap))
  }

  // MARK: - Touches and time

  /// Whether a touch that begins goes to no program.
  ///
  /// - Parameter path: That of the view it hit; nil where it hit none.
  func keepsOut(touchOn path: @autoclosure () -> String?, on screen: ScreenIndex) -> Bool {
    guard let lock = locks[Int(screen.rawValue)] else { return false }
    if lock.request.exceptions.isEmpty { return true }
    return path().map { !lock.request.spares($0) } ?? true
  }

  /// Shows a touch that is kept out.
  ///
  /// - Parameter time: That of the frame.
  mutating func begin(
    _ touch: Touch, of device: DeviceID, on screen: ScreenIndex, at time: Timestamp
  ) {
    let index = Int(screen.rawValue)
    locks[index]?.taps?.begin(touch, of: device)
    locks[index]?.corners?.begin(touch, at: time)
    endIfAsked(index, at: time)
  }

  /// Shows what the fingers of a device do further.
  mutating func take(_ frame: TouchFrame) {
    let index = Int(frame.screen.rawValue)
    guard locks[index] != nil else { return }
    locks[index]?.taps?.take(frame)
    locks[index]?.corners?.take(frame)
    endIfAsked(index, at: frame.time)
  }

  /// When it must be told the time; nil where nothing is waited for.
  var nextDeadline: Timestamp? {
    if !isLocked { return nil }
    return locks.lazy.compactMap { lock in
      guard let lock else { return nil }
      return [lock.end, lock.corners?.deadline, lock.taps?.nextDeadline].compactMap(\.self).min()
    }.min()
  }

  /// Takes in that it is that time.
  mutating func advance(to time: Timestamp) {
    if !isLocked { return }
    for index in locks.indices {
      locks[index]?.taps?.advance(to: time)
      endIfAsked(index, at: time)
      if let end = locks[index]?.end, end <= time {
        _ = unlock(ScreenIndex(Int32(index)), .timeIsOver)
      }
    }
  }

  private mutating func endIfAsked(_ index: Int, at time: Timestamp) {
    let isTapped = locks[index]?.taps?.takeRecognition(at: time) ?? false
    let isHeld = locks[index]?.corners?.deadline.map { $0 <= time } ?? false
    if isTapped || isHeld { _ = unlock(ScreenIndex(Int32(index)), .exit) }
  }

  private mutating func review() { isLocked = locks.contains { $0 != nil } }
}

/// Sees whether two fingers rest in two corners of a screen. Rule D9.
struct CornerWatch {
  /// How long they rest.
  private static let milliseconds: UInt64 = 3_000
  /// How far from a corner a finger may be along each edge, in points.
  private static let reach = 80.0

  private let size: Size
  /// The corner that each finger came down in, 0 to 3, and since when it has rested there.
  private var fingers: [TouchID: (corner: Int, since: Timestamp)] = [:]
  /// When two of them have rested for long enough; nil where they do not rest.
  private(set) var deadline: Timestamp?

  /// The corners of a screen of that size.
  init(of size: Size) { self.size = size }

  /// The corner that is nearest, if a place is near enough.
  private func corner(_ place: Point) -> Int? {
    let isLeft = place.x <= size.width / 2
    let isTop = place.y <= size.height / 2
    guard (isLeft ? place.x : size.width - place.x) <= Self.reach,
      (isTop ? place.y : size.height - place.y) <= Self.reach
    else { return nil }
    return (isLeft ? 0 : 1) + (isTop ? 0 : 2)
  }

  /// Shows it a touch that begins.
  mutating func begin(_ touch: Touch, at time: Timestamp) {
    if let corner = corner(touch.location) {
      fingers[touch.id] = (corner, time)
      review()
    }
  }

  /// Shows it what fingers do.
  mutating func take(_ frame: TouchFrame) {
    for touch in frame.touches {
      guard let finger = fingers[touch.id] else { continue }
      if touch.phase.isFinal || corner(touch.location) != finger.corner {
        fingers[touch.id] = nil
        review()
      }
    }
  }

  /// Two have rested together since the second of the corners has had a finger.
  private mutating func review() {
    let since = Dictionary(fingers.values.map { ($0.corner, $0.since) }) { min($0, $1) }
    deadline = since.values.sorted().dropFirst().first?.adding(milliseconds: Self.milliseconds)
  }
}
