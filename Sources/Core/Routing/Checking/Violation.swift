public import TouchModel

/// A mistake of ours that ``StreamChecker`` found. Rule T5.
public struct Violation: Equatable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public enum Kind: String, Sendable {
    /// A touch began twice, or with an id that was used before.
    case idReused = "it began with an id that was used before"
    /// A touch changed that is not on the glass.
    case notOnGlass = "it is not on the glass"
    /// The first word of a touch is not `began`, though the attachment gets `began`.
    case noBegan = "its first phase is not began"
    /// A touch began again for an attachment that has it.
    case beganAgain = "it began again"
    /// Something came after `ended` or `cancelled`.
    case afterEnd = "something came after its end"
    /// A touch left the glass and the attachment, which gets `ended` and `cancelled`, heard
    /// neither.
    case neverEnded = "it left the glass and neither ended nor was cancelled"
    /// A phase that the attachment does not get, or that it no longer gets.
    case wrongPhase = "the attachment does not get that phase"
    /// `cancelled` without a reason, or a reason without `cancelled`.
    case wrongReason = "a reason comes with cancelled and with nothing else"
    /// The first word of a touch does not name its target.
    case unnamed = "its first record does not name its target"
    /// The target is another one than before.
    case targetChanged = "its target changed"
    /// The device is another one than before.
    case deviceChanged = "its device changed"
    /// A time went back.
    case timeWentBack = "a time went back"
    /// A frame does not have a higher number than the client's one before.
    case sequenceWentBack = "the frame's number did not go up"
    /// A frame does not hold lifts, moves and begans in this order, and each of them by id.
    case wrongOrder = "its place in the frame is not the one that its phase and id give it"
    /// A frame in which nothing changed for its client.
    case nothingChanged = "nothing changed for the client"
    /// A frame without a live touch of its client.
    case missing = "the frame leaves it out"
    /// An attachment that is not the client's: it never was, or is no more.
    case notAttached = "the client has no such attachment"
    /// An attachment ended with a touch that was not cancelled before.
    case detachedLive = "its attachment ended before it did"
    /// A gesture's event that can't come where it does. Rule G12.
    case gestureOutOfOrder = "a gesture's event came out of order"
    /// An attachment ended with a gesture that was neither ended nor cancelled. Rule G12.
    case gestureNeverEnded = "its attachment ended before its gesture did"
  }

  /// What is wrong.
  public var kind: Kind
  /// The client that was told; nil where the mistake lies before the router.
  public var client: ClientID?
  /// The attachment that was told.
  public var attachment: AttachmentID?
  /// The touch, if it is about one.
  public var touch: TouchID?

  /// A sentence that names all of it.
  public var description: String {
    let client = client.map { "client \($0.slot).\($0.generation)" }
    let attachment = attachment.map { "attachment \($0.rawValue)" }
    let touch = touch.map { "touch \($0.rawValue)" }
    let subject = [client, attachment, touch].compactMap(\.self).joined(separator: ", ")
    return "\(subject.isEmpty ? "frame" : subject): \(kind.rawValue)"
  }
}
