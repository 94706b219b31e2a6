import CTouchroute
public import Wire

/// A request is done. For describe and status it comes after the last item.
public struct Completion: Equatable, Sendable {
  /// The request.
  public var serial: Serial
  /// For describe, how many views there are; for status, how many items it sent; for cancel, how
  /// many touches were live. For inject, the device number of the touchscreen, as in
  /// ``RoutedFrame/device`` and ``Observation/device``.
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

/// The end of an attachment, not by detach.
public struct Detachment: Equatable, Sendable {
  /// Why an attachment ended; the raw values are the wire's.
  public typealias Reason = Wire.DetachReason

  /// The attachment.
  public var attachment: AttachmentID
  /// Why it ended; nil if this version does not know the reason.
  public var reason: Reason?
  /// Why, as a sentence.
  public var text: String
}

/// An attachment waits in the queue for its responder. Rule R2.
public struct Waiting: Equatable, Sendable {
  /// The attachment.
  public var attachment: AttachmentID
  /// Why it lost its responder; nil if it waits because another client holds the responder.
  public var reason: Detachment.Reason?
  /// Why, as a sentence.
  public var text: String
}

/// The daemon is about to end the connection.
public struct ClosingNotice: Equatable, Sendable {
  /// Why; the raw values are the wire's.
  public typealias Reason = Wire.CloseReason

  /// Why; nil if this version does not know the reason.
  public var reason: Reason?
  /// Why, as a sentence.
  public var text: String
}
