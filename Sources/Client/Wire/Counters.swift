public import TouchModel

extension Wire {
  /// How many of each ``Counter`` there were. Every part of the daemon counts into its own; status
  /// has their sum.
  public struct Counters: Equatable, Sendable {
    @usableFromInline var counts = [UInt64](repeating: 0, count: Counter.allCases.count)

    /// Nothing counted yet.
    public init() {}

    /// How many there were of one.
    @inlinable
    public subscript(counter: Counter) -> UInt64 {
      get { counts[counter.rawValue] }
      _modify { yield &counts[counter.rawValue] }
    }

    /// All of them, in the order of the wire.
    public var all: [UInt64] { counts }

    /// What two parts have counted together.
    public static func + (left: Counters, right: Counters) -> Counters {
      var sum = left
      for counter in Counter.allCases { sum[counter] += right[counter] }
      return sum
    }
  }
}

extension Wire.Counter {
  /// The counter of the touches that went to nobody for that reason; nil for `over`, for which no
  /// touch is discarded that begins.
  public init?(_ reason: DiscardReason) {
    switch reason {
    case .noWindow: self = .discardedNoWindow
    case .outsideScreen: self = .discardedOutsideScreen
    case .unhandled: self = .discardedUnhandled
    case .singleTouch: self = .discardedSingleTouch
    case .exclusive: self = .discardedExclusive
    case .declined: self = .discardedDeclined
    case .limit: self = .discardedLimit
    case .gesture: self = .discardedGesture
    case .dark: self = .discardedDark
    case .locked: self = .discardedLocked
    case .over: return nil
    }
  }
}

extension Wire.Counters: CustomStringConvertible {
  /// Those that are not 0, by name.
  public var description: String {
    Wire.Counter.allCases.filter { self[$0] > 0 }.map { "\($0) \(self[$0])" }
      .joined(separator: ", ")
  }
}
