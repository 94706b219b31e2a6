import CTouchroute

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
  public enum Reason: UInt32, Sendable, CaseIterable {
    /// Its client asked for it.
    case requested = 0
    /// The layout in force no longer has the responder. Rule R8.
    case removed = 1
    /// Another client took it over. Rule R2.
    case takenOver = 2
    /// The access rules in force do not allow it.
    case notAllowed = 3
  }

  /// The attachment.
  public var attachment: AttachmentID
  /// Why it ended; nil where this version does not know the reason.
  public var reason: Reason?
  /// Why, as a sentence.
  public var text: String
}

/// The daemon's notice that it is about to end the connection.
public struct ClosingNotice: Equatable, Sendable {
  /// Why; the raw values are the wire's.
  public enum Reason: UInt32, Sendable, CaseIterable {
    /// The daemon stops.
    case stopping = 1
    /// This program broke the protocol. Rule F4.
    case malformed = 2
    /// This program has not read, and its queue reached the limit. Rule F3.
    case queueFull = 3
    /// There are too many clients. Rule F5.
    case limit = 4
  }

  /// Why; nil where this version does not know the reason.
  public var reason: Reason?
  /// Why, as a sentence.
  public var text: String
}
