import Wire
import Layout
import Routing
import TouchModel

/// A touch, and everybody that it could go to, as the oracle keeps them.
struct OracleTouch {
  /// One attachment up the touch's chain.
  struct Part {
    enum Standing { case undecided, accepted, waiting, absent, declined, gone }

    var attachment: OracleAttachment
    var phases: TouchPhases
    var gained: TouchPhases = []
    var standing: Standing
    var deadline: Timestamp
    var cancelReason: CancelReason?

    var isActive: Bool { standing == .undecided || standing == .accepted }
    var stopped: TouchPhases { attachment.handles.subtracting(attachment.passes) }
  }

  var id: TouchID
  var device: DeviceID
  var screen: ScreenIndex
  /// What is special about it but where it is.
  var ownFlags: TouchFlags
  /// The view that it hit.
  var target: String?
  /// The window of that view, while the view is there. Rule D7.
  var window: String?
  var discardReason: DiscardReason?
  /// Whether the router has cancelled it for everybody, or all clients went away.
  var isDead = false
  /// Whether it ended and is known only because somebody may still decline it.
  var isLifted = false
  /// Whether anybody could get more of it than it was given at first.
  var couldGrow = false
  var parts: [Part] = []
  var tapCount: UInt16 = 1

  var phase = TouchPhase.began
  var cancelReason: CancelReason?
  var beganTime: Timestamp
  var beganPlace: Point
  var time: Timestamp
  /// In points of the screen.
  var place: Point
  /// Where it was in the frame before, likewise.
  var previousPlace: Point
  var moves: [(place: Point, time: Timestamp, isCoalesced: Bool)] = []

  var isLive: Bool {
    discardReason == nil && !isDead && !isLifted && !phase.isFinal
  }

  /// Whether it makes a difference what its clients decide. Rule R5.
  var isOpen: Bool { couldGrow && parts.contains { $0.standing == .undecided } }

  /// Who gets what, by rule R4, of those who have not declined.
  mutating func grant() {
    var left = TouchPhases.all
    for index in parts.indices {
      let part = parts[index]
      if part.standing == .declined || part.standing == .absent { continue }
      if part.standing != .gone {
        parts[index].gained = left.intersection(part.attachment.handles).subtracting(part.phases)
      }
      left.subtract(part.stopped)
    }
    let isHandled = parts.contains { part in
      (part.isActive || part.standing == .waiting)
        && part.phases.union(part.gained).contains(.began)
    }
    for index in parts.indices {
      let hasEnded = isLifted && parts[index].phases.contains(.ended)
      if !isHandled || (hasEnded && !parts[index].gained.contains(.began)) {
        parts[index].gained = []
      }
      parts[index].phases.formUnion(parts[index].gained)
      if parts[index].gained.contains(.began) { parts[index].gained = parts[index].phases }
    }
  }

  /// Keeps a move, of at most `limit`: when there is one too many, the one with the least time
  /// between those around it goes.
  mutating func keep(_ place: Point, _ time: Timestamp, limit: Int) {
    moves.append((place, time, false))
    guard moves.count > limit else { return }
    let times = [beganTime] + moves.map(\.time)
    let gaps = (0..<moves.count - 1).map { times[$0 + 2].microseconds - times[$0].microseconds }
    guard let least = gaps.min(), let index = gaps.firstIndex(of: least) else { return }
    moves.remove(at: index)
    moves[index].isCoalesced = true
  }
}

/// An attachment, as the oracle keeps it.
struct OracleAttachment: Equatable {
  var id: AttachmentID
  var client: ClientID
  var path: String
  var handles: TouchPhases
  var passes: TouchPhases
}

/// A message to a client.
enum Said: Equatable {
  case frame(Frame)
  case layout(AttachmentID)
  case detached(AttachmentID, Wire.DetachReason)
  /// In line again.
  case waiting(AttachmentID, Wire.DetachReason)
  /// Served out of line.
  case attached(AttachmentID)

  struct Frame: Equatable {
    var sequence: UInt64
    var device: DeviceID
    var time: Timestamp
    var records: [Deliveries.Record]
    /// The path of each record's target.
    var paths: [String]
  }
}
