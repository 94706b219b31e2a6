import CTouchroute
public import TouchModel

/// A finger in a frame of ``TouchConnection/inject(_:screen:)``.
public struct InjectedContact: Equatable, Sendable {
  /// How a finger changes, and where: in points of the screen.
  public enum Change: Equatable, Sendable {
    /// It comes down.
    case began(Point)
    /// It moves.
    case moved(Point)
    /// It is lifted where it was.
    case ended
    /// It is cancelled, with the reason requested.
    case cancelled
  }

  /// Names the finger while it is down.
  public var slot: Int32
  /// How it changes.
  public var change: Change

  /// A change of the finger of a slot.
  public init(slot: Int32 = 0, _ change: Change) {
    self.slot = slot
    self.change = change
  }

  /// The contact as the C library takes it.
  var wire: touchroute_contact {
    let (phase, point): (TouchPhase, Point) =
      switch change {
      case .began(let point): (.began, point)
      case .moved(let point): (.moved, point)
      case .ended: (.ended, .zero)
      case .cancelled: (.cancelled, .zero)
      }
    return touchroute_contact(slot: slot, phase: UInt32(phase.rawValue), x: point.x, y: point.y)
  }
}
