public import TouchModel

/// What the router counts, from its beginning on.
///
/// Two sums hold at every moment. `began = ended + cancelled + orphaned` and those that are still
/// to be counted as one of these, see ``Router/pendingTouchCount``. `began = delivered` and those
/// discarded for every reason but `declined`: what everybody declined was delivered before.
public struct RouterCounters: Equatable, Sendable {
  /// The frames that were routed.
  public var frames: UInt64 = 0
  /// Touches that began.
  public var began: UInt64 = 0
  /// Those of them that were injected.
  public var injected: UInt64 = 0
  /// Those that were lifted, whoever got them.
  public var ended: UInt64 = 0
  /// Those that were cancelled for everybody, whoever got them.
  public var cancelled: UInt64 = 0
  /// Touches that somebody got.
  public var delivered: UInt64 = 0
  /// Touches whose clients all went away before they ended. Rule R7.
  public var orphaned: UInt64 = 0
  /// Accepts and declines of touches that their client does not have.
  public var unknownTouches: UInt64 = 0
  /// Declines that came too late, or after an accept. Rule R5.
  public var lateDeclines: UInt64 = 0
  /// Touches that went to another responder because somebody declined them. Rule R5.
  public var handedOver: UInt64 = 0
  /// Changes of touches that never began, which the sequencer does not make.
  public var strayTouches: UInt64 = 0
  /// Touches that nobody got, by reason: `discarded[Int(reason.rawValue)]`.
  private var discardedByReason = [UInt64](repeating: 0, count: DiscardReason.allCases.count + 1)

  /// Nothing counted yet.
  public init() {}

  /// The touches that nobody got for that reason.
  public subscript(reason: DiscardReason) -> UInt64 {
    get { discardedByReason[Int(reason.rawValue)] }
    set { discardedByReason[Int(reason.rawValue)] = newValue }
  }

  /// The touches that nobody got.
  public var discarded: UInt64 { discardedByReason.reduce(0, +) }
}
