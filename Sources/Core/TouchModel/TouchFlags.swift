/// What is special about a touch; the bits are the wire's.
///
/// The constants are computed, so that a touch's way has no call for them into this module.
public struct TouchFlags: OptionSet, Hashable, Sendable, BitwiseCopyable {
  /// One bit for each flag.
  public var rawValue: UInt16

  /// The set of those bits.
  @inlinable
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// It happened earlier, and somebody declined it. Rule R5.
  @inlinable
  public static var replayed: TouchFlags { TouchFlags(rawValue: 1 << 0) }
  /// It was made by the control socket, not by a finger.
  @inlinable
  public static var injected: TouchFlags { TouchFlags(rawValue: 1 << 1) }
  /// Several moves were merged into this one. Rule F2.
  @inlinable
  public static var coalesced: TouchFlags { TouchFlags(rawValue: 1 << 2) }
  /// Observers get no location. Rule F7.
  @inlinable
  public static var secure: TouchFlags { TouchFlags(rawValue: 1 << 3) }
}

extension TouchFlags {
  /// The words of the protocol, as people and scripts read them.
  package var words: [String] {
    let words: [(TouchFlags, String)] = [
      (.replayed, "replayed"), (.injected, "injected"), (.coalesced, "coalesced"),
      (.secure, "secure"),
    ]
    return words.filter { contains($0.0) }.map(\.1)
  }
}
