/// What an earlier router's clients know and must not find used again.
extension Router {
  /// The numbers that are next.
  public struct Numbers: Equatable, Sendable {
    /// Of the frames that were routed, the latest one's.
    public var sequence: UInt64
    /// The next attachment's.
    public var attachment: UInt32

    /// The numbers.
    public init(sequence: UInt64, attachment: UInt32) {
      self.sequence = sequence
      self.attachment = attachment
    }
  }

  /// Where the next frame and the next attachment go on. To set the numbers of an earlier router is
  /// for the time before the first of either.
  public var numbers: Numbers {
    get { Numbers(sequence: sequence, attachment: attachments.nextID) }
    set {
      sequence = newValue.sequence
      attachments.nextID = newValue.attachment
    }
  }
}
