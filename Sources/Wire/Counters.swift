public import TouchModel

extension Wire {
  /// What the daemon counts, by the index in the status: `enum touchroute_counter`.
  public enum Counter: Int, Sendable, CaseIterable {
    /// Frames that the devices gave.
    case frames = 0
    /// Touches that began.
    case began = 1
    /// Of these, those that ended.
    case ended = 2
    /// Of these, those that were cancelled.
    case cancelled = 3
    /// Touches that somebody got.
    case delivered = 4
    /// Touches where nothing is. Rule H7.
    case discardedNoWindow = 5
    /// Touches that began outside the screen. Rule T8.
    case discardedOutsideScreen = 6
    /// Touches that nobody handles. Rule R4.
    case discardedUnhandled = 7
    /// Further touches of a view that takes one at a time. Rule T13.
    case discardedSingleTouch = 8
    /// Touches that an exclusive one kept out. Rule T13.
    case discardedExclusive = 9
    /// Touches that everybody declined. Rule R5.
    case discardedDeclined = 10
    /// Touches beyond the limit.
    case discardedLimit = 11
    /// Events of touches that were not live, or were already. Rule T6.
    case strayEvents = 12
    /// Touches whose client went away. Rule R7.
    case orphaned = 13
    /// Decisions about touches that are not there.
    case unknownTouches = 14
    /// Messages with touches that were queued.
    case messages = 15
    /// Breaches of the rules that the checker found; stays 0. Rule T5.
    case violations = 16
    /// Frames merged into one that was not sent. Rule F2.
    case coalesced = 17
    /// Samples of their history over its bound. Rule F2.
    case droppedSamples = 18
    /// Times that a client became unresponsive. Rule F3.
    case unresponsive = 19
    /// Declines after which another client got the touch. Rule R5.
    case passedOn = 20
    /// Declines that came too late, or after an accept. Rule R5.
    case lateDeclines = 21
    /// Touches that were injected.
    case injected = 22
    /// Lines of the log that nobody read in time.
    case lostLogLines = 23
    /// Lines of the log over the limit of what one user's programs may cause.
    case omittedLogLines = 24
    /// Touches that began while a gesture lasted that has them. Rule G9.
    case discardedGesture = 25
  }

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
