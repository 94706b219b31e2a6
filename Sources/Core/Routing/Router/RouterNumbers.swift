extension Router {
  /// The numbers that an earlier router's clients know and must not find used again.
  public struct Numbers: Equatable, Sendable {
    /// Of the frames that were routed, the latest one's.
    public var sequence: UInt64
    /// The next attachment's.
    public var attachment: UInt32
    /// The layout's in force: see ``Router/generation``.
    public var generation: UInt32
    /// The next recognizer's.
    public var recognizer: UInt32

    /// The numbers.
    public init(
      sequence: UInt64, attachment: UInt32, generation: UInt32, recognizer: UInt32 = 1
    ) {
      self.recognizer = recognizer
      self.sequence = sequence
      self.attachment = attachment
      self.generation = generation
    }
  }
}
