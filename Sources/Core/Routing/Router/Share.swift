import Layout
import TouchModel

/// One touch's way to one attachment: the answer to rule R4, found once when the touch begins.
struct Share: BitwiseCopyable {
  /// The view that was hit, as the attachment is told of it.
  private struct Target: BitwiseCopyable {
    var view: ViewIndex
    /// Among the views of the attachment's responder.
    var index: UInt32
    /// Whether the attachment was told its path: with `began`, or where it is not granted that with
    /// whatever it gets first.
    var isTold: Bool
  }

  /// How the attachment's client stands to the touch. Rule R5.
  enum Standing: Equatable, BitwiseCopyable {
    /// It has not said whether it keeps the touch, and may decline it before this time.
    case undecided(until: Timestamp)
    /// It keeps the touch.
    case accepted
    /// Everything that it handles stops further down the chain; it gets some of it where somebody
    /// there declines.
    case waiting
    /// It waited, and its client is gone.
    case absent
    /// It declined: what stopped at it goes further up.
    case declined
    /// It was cancelled, or its client is gone: what stopped at it goes nowhere (rule R7).
    case gone
  }

  let touch: TouchID
  /// The attachment, in the layout in force.
  private(set) var attachment: Attachment
  /// Counts the held responders of the touch's chain; 0 is the lowest.
  let position: Int
  /// Where ``DeviceTouches`` has the touch, which changes when another one is over.
  var touchIndex: Int

  private var hit: Target
  /// The phases that were granted to the attachment.
  private(set) var phases: TouchPhases
  /// Those of them that it gets from now on: all, or none once its part is over.
  private(set) var hears: TouchPhases
  /// Those of them that it has just been granted, and gets replayed.
  private(set) var gained: TouchPhases = []
  private(set) var standing: Standing
  /// Why this share alone is cancelled with the frame at hand, if it is.
  private(set) var cancelReason: CancelReason?

  /// The share that a link of a touch's chain gives an attachment: with phases, where it gets
  /// something; without, where it would get something if others declined.
  @inline(__always)
  init(
    _ link: ChainWalk.Link, _ attachment: Attachment, of touch: TouchID, at touchIndex: Int,
    on target: ViewIndex, position: Int, deadline: Timestamp
  ) {
    self.touch = touch
    self.touchIndex = touchIndex
    self.position = position
    self.attachment = attachment
    hit = Target(
      view: target, index: link.targetIndex, isTold: link.phases.contains(.began))
    phases = link.phases
    hears = link.phases
    standing = link.phases.isEmpty ? .waiting : .undecided(until: deadline)
  }

  /// The view that was hit.
  @inline(__always)
  var target: ViewIndex { hit.view }

  /// The target among the views of the attachment's responder.
  @inline(__always)
  var targetIndex: UInt32 { hit.index }

  /// Whether its attachment was told the path of the target.
  @inline(__always)
  var isTold: Bool { hit.isTold }

  /// Who gets it.
  @inline(__always)
  var client: ClientID { attachment.client }

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

  /// Whether it will get something of the touch, and was not told the target's path yet.
  var isUntold: Bool { !isTold && !hears.isEmpty }

  /// Marks that its attachment was told the path of the target.
  mutating func noteTold() { hit.isTold = true }

  /// Takes its client's word, or silence until the deadline, that it keeps the touch.
  mutating func accept() { standing = .accepted }

  /// Takes its client's word that it does not want the touch.
  mutating func decline() { retire(.declined) }

  /// Says nothing more of a touch that was lifted, and may yet be declined.
  mutating func mute() { hears = [] }

  /// Says nothing of a touch that a recognizer may take, and asks for no decision. Rule G11.
  mutating func holdBack() {
    hears = []
    if isActive { standing = .undecided(until: Self.never) }
  }

  /// Whether its client was given nothing of the touch yet, so has nothing to decide. Rule G11.
  var isHeldBack: Bool { deadline == Self.never }

  private static let never = Timestamp(microseconds: .max)

  /// Gets all of the touch, as ``gained``, and may decline it until the deadline.
  mutating func release(deadline: Timestamp) {
    guard isActive else { return }
    gained = phases
    standing = .undecided(until: deadline)
  }

  /// Marks that the frame at hand cancels it.
  mutating func cancel(_ reason: CancelReason) { cancelReason = reason }

  /// Ends its part without a word, unless it is over already.
  mutating func drop() {
    switch standing {
    case .undecided, .accepted: retire(.gone)
    case .waiting: retire(.absent)
    case .absent, .declined, .gone: break
    }
  }

  /// Grants it what it handles of the phases that a decline has left, as ``gained``. Whose part was
  /// cut off gets nothing.
  mutating func gain(_ left: inout TouchPhases) {
    let granted = left.grant(handling: attachment.handles, passing: attachment.passes)
    if standing != .gone { gained = granted.subtracting(phases) }
  }

  /// Takes back what ``gain(_:)`` granted.
  mutating func forgetGained() { gained = [] }

  /// Takes in what was gained; who is granted `began` gets the touch from its beginning. Somebody
  /// who only waited may decline it until the deadline.
  mutating func keepGained(deadline: Timestamp) {
    phases.formUnion(gained)
    if gained.contains(.began) { gained = phases }
    if standing == .waiting { standing = .undecided(until: deadline) }
  }

  /// Ends the replay of what was gained: from now on it hears of the touch as it happens, unless
  /// the touch was lifted.
  mutating func finishReplay(isLifted: Bool) {
    gained = []
    hears = isLifted ? [] : phases
  }

  /// Goes over to another layout, by what is where in it.
  mutating func move(to target: ViewIndex, _ targetIndex: UInt32, of attachment: Attachment) {
    self.attachment = attachment
    hit.view = target
    hit.index = targetIndex
  }

  private mutating func retire(_ standing: Standing) {
    self.standing = standing
    hears = []
    gained = []
    cancelReason = nil
  }
}
