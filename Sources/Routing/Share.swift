import Layout
import TouchModel

/// One touch's way to one attachment: the answer to rule R4, found once when the touch begins.
struct Share {
  /// How the attachment's client stands to the touch. Rule R5.
  enum Standing: Equatable {
    /// It has not said whether it keeps the touch, and may decline it before this time.
    case undecided(until: Timestamp)
    /// It keeps the touch.
    case accepted
    /// Everything that it handles stops further down the chain; it gets some of it where somebody
    /// there declines.
    case waiting
    /// It waited, and its client is not there any more.
    case absent
    /// It declined: what stopped at it goes further up.
    case declined
    /// It was cancelled, or its client is gone: what stopped at it goes nowhere (rule R7).
    case gone
  }

  /// The touch's place in ``DeviceTouches/touches``, which changes when another one is over.
  var place: Int
  let touch: TouchID
  let client: ClientID
  let attachment: AttachmentID
  /// Its place in the touch's chain; 0 is the lowest responder that somebody holds.
  let position: Int
  let handles: TouchPhases
  let passes: TouchPhases

  /// The view that was hit.
  var target: ViewIndex
  /// The target among the views of the attachment's responder.
  var targetIndex: UInt32
  /// The phases that were granted to the attachment.
  var phases: TouchPhases
  /// Those of them that it gets from now on: all, or none once its part is over.
  var hears: TouchPhases
  /// Those of them that it has just been granted, and gets replayed.
  var gained: TouchPhases = []
  var standing: Standing
  /// Why this share alone is cancelled with the frame at hand, if it is.
  var cancelReason: CancelReason?

  /// Whether it has a part in the touch that was neither declined nor cut off.
  var isActive: Bool {
    switch standing {
    case .undecided, .accepted: true
    case .waiting, .absent, .declined, .gone: false
    }
  }

  /// Whether what it handles stops at it, now or before its part was cut off.
  var stopsPhases: Bool { standing != .declined && standing != .absent }

  /// When its client's silence becomes consent, where that is open.
  var deadline: Timestamp? {
    if case .undecided(let deadline) = standing { deadline } else { nil }
  }

  /// Ends its part without a word.
  mutating func retire(_ standing: Standing) {
    self.standing = standing
    hears = []
    gained = []
    cancelReason = nil
  }
}
