import CTouchroute
public import Wire

/// The end of an answer: to detach, set, observe, reload, inject and cancel, and after the last
/// item of describe and status.
public struct Completion: Equatable, Sendable {
  /// The request.
  public var serial: Serial
  /// How many views describe could list in all, items status sent, or touches were cancelled; of
  /// inject the number of the touchscreen, ``RoutedFrame/device`` and ``Observation/device``.
  public var total: UInt32
  /// The layout's generation.
  public var generation: UInt32
  /// What a reload changed, in words; otherwise empty.
  public var text: String

  /// The message as the C library shows it.
  init(_ done: touchroute_done, text: String) {
    serial = Serial(done.serial)
    total = done.total
    generation = done.generation
    self.text = text
  }
}

/// The end of an attachment that nobody asked for.
public struct Detachment: Equatable, Sendable {
  /// Why an attachment ended; the raw values are the wire's.
  public typealias Reason = Wire.DetachReason

  /// The attachment.
  public var attachment: AttachmentID
  /// Why it ended; nil where this version does not know the reason.
  public var reason: Reason?
  /// Why, as a sentence.
  public var text: String
}

/// The notice that an attachment stands in line for its responder. Rule R2.
public struct Waiting: Equatable, Sendable {
  /// The attachment.
  public var attachment: AttachmentID
  /// Why it has lost its responder; nil where it has it yet to get, as another client holds it.
  public var reason: Detachment.Reason?
  /// Why, as a sentence.
  public var text: String
}

/// The daemon's notice that it is about to end the connection.
public struct ClosingNotice: Equatable, Sendable {
  /// Why; the raw values are the wire's.
  public typealias Reason = Wire.CloseReason

  /// Why; nil where this version does not know the reason.
  public var reason: Reason?
  /// Why, as a sentence.
  public var text: String
}
