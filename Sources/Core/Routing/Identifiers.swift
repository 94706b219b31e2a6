/// A connected client, by the slot that the server keeps it in; a slot is used again, a generation
/// is not.
public struct ClientID: Hashable, Sendable, BitwiseCopyable {
  /// The slot: small numbers, from 0.
  public var slot: UInt32
  /// Tells this user of the slot from those before it.
  public var generation: UInt32

  /// The client in that slot.
  @inlinable
  public init(slot: UInt32, generation: UInt32) {
    self.slot = slot
    self.generation = generation
  }
}

/// An attachment of a client to a responder, from its grant to its end; never used again while the
/// daemon runs.
public struct AttachmentID: Hashable, Sendable, BitwiseCopyable {
  /// The number itself; the first attachment has 1.
  public var rawValue: UInt32

  /// The attachment of that number.
  @inlinable
  public init(_ rawValue: UInt32) { self.rawValue = rawValue }
}
