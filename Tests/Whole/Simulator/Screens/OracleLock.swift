import Routing
import TouchModel

/// A screen's lock, as the oracle keeps it. Rule D9.
struct OracleLock {
  let request: TouchLocks.Request
  let end: Timestamp
  /// Who has asked for it; nil where that is an administrator who is gone.
  var owner: ClientID?
  let isAdministrators: Bool
  private var taps: OracleWaker?
  /// The fingers that have come down in a corner and rest there: in which, and since when.
  private var fingers: [TouchID: (corner: [Bool], since: Timestamp)] = [:]

  init(
    _ request: TouchLocks.Request, end: Timestamp, owner: ClientID?, isAdministrators: Bool
  ) {
    self.request = request
    self.end = end
    self.owner = owner
    self.isAdministrators = isAdministrators
    taps = request.exit.contains(.taps) ? .taps(5) : nil
  }

  /// The same with what is left of its time, which knows of no finger.
  func renewed(owner: ClientID?) -> OracleLock {
    OracleLock(request, end: end, owner: owner, isAdministrators: isAdministrators)
  }

  /// Whether the touches of a view go their way.
  func leavesOut(_ view: String?) -> Bool {
    guard let view else { return false }
    return request.exceptions.contains { view == $0 || view.hasPrefix($0 + "/") }
  }

  mutating func begin(
    _ touch: TouchID, at place: Point, of device: DeviceID, on size: Size, time: Timestamp,
    now: Timestamp
  ) {
    taps?.begin(touch, at: place, of: device, time: time)
    if let corner = Self.corner(place, size) { fingers[touch] = (corner, now) }
  }

  mutating func take(_ frame: TouchFrame, on size: Size) {
    taps?.take(frame)
    for touch in frame.touches {
      guard let finger = fingers[touch.id] else { continue }
      if touch.phase.isFinal || Self.corner(touch.location, size) != finger.corner {
        fingers[touch.id] = nil
      }
    }
  }

  /// Which corner a place is in: the one that is nearest, if it is within 80 points of both edges.
  private static func corner(_ place: Point, _ size: Size) -> [Bool]? {
    let isRight = place.x > size.width / 2
    let isBottom = place.y > size.height / 2
    let across = isRight ? size.width - place.x : place.x
    let down = isBottom ? size.height - place.y : place.y
    return across <= 80 && down <= 80 ? [isRight, isBottom] : nil
  }

  /// When two fingers have rested in two corners for three seconds.
  private var cornerEnd: Timestamp? {
    guard request.exit.contains(.holdCorners) else { return nil }
    let pairs = fingers.values.flatMap { one in
      fingers.values.filter { $0.corner != one.corner }.map { max($0.since, one.since) }
    }
    return pairs.min()?.adding(milliseconds: 3_000)
  }

  var deadline: Timestamp? {
    [end, cornerEnd, taps?.deadline].compactMap(\.self).min()
  }

  /// Why it is over by that time, if it is: what comes first ends it.
  func cause(at time: Timestamp) -> LockCause? {
    let limit = min(time, end)
    taps?.advance(to: limit)
    if isExited(at: limit) { return .exit }
    return end <= time ? .timeIsOver : nil
  }

  /// Whether fingers have ended it with a frame of that time. What is due then comes behind it.
  func isExited(at time: Timestamp) -> Bool {
    taps?.takeRecognition() ?? false || cornerEnd.map { $0 <= time } ?? false
  }
}
