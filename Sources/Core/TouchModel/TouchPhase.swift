/// Where a touch stands in its life. Rule T1; the raw values are the wire's.
public enum TouchPhase: UInt8, Sendable, BitwiseCopyable {
  /// The finger came down.
  case began = 1
  /// The finger is somewhere else than in the frame before.
  case moved = 2
  /// The touch lives and did not change in this frame.
  case stationary = 3
  /// The finger was lifted.
  case ended = 4
  /// The touch will not be finished; a ``CancelReason`` says why.
  case cancelled = 5

  /// Whether a touch is over with this phase.
  @inlinable
  public var isFinal: Bool { self == .ended || self == .cancelled }
}

/// Phases that a responder handles or passes on. Rule R3; the bits are the wire's.
///
/// The constants are computed, so that a touch's way has no call for them into this module.
public struct TouchPhases: OptionSet, Hashable, Sendable, BitwiseCopyable {
  /// One bit for each phase.
  public var rawValue: UInt16

  /// The set of those bits.
  @inlinable
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// `began`.
  @inlinable
  public static var began: TouchPhases { TouchPhases(rawValue: 1 << 0) }
  /// `moved`, and with it `stationary`.
  @inlinable
  public static var moved: TouchPhases { TouchPhases(rawValue: 1 << 1) }
  /// `ended`.
  @inlinable
  public static var ended: TouchPhases { TouchPhases(rawValue: 1 << 2) }
  /// `cancelled`.
  @inlinable
  public static var cancelled: TouchPhases { TouchPhases(rawValue: 1 << 3) }
  /// Every phase.
  @inlinable
  public static var all: TouchPhases { [.began, .moved, .ended, .cancelled] }

  /// The set that holds one phase; `stationary` counts as `moved`.
  @inlinable
  public init(_ phase: TouchPhase) {
    switch phase {
    case .began: self = .began
    case .moved, .stationary: self = .moved
    case .ended: self = .ended
    case .cancelled: self = .cancelled
    }
  }
}

extension TouchPhase {
  /// The word of the protocol, as people and scripts read it: that of the C header in lower case.
  package var word: String {
    switch self {
    case .began: "began"
    case .moved: "moved"
    case .stationary: "stationary"
    case .ended: "ended"
    case .cancelled: "cancelled"
    }
  }
}

extension TouchPhases {
  /// The word of the protocol for each phase, as people and scripts read it.
  package static let words: [(word: String, phase: TouchPhases)] = [
    ("began", .began), ("moved", .moved), ("ended", .ended), ("cancelled", .cancelled),
  ]

  /// The words of its phases.
  package var words: [String] { Self.words.filter { contains($0.phase) }.map(\.word) }

  /// The phases of those words; nil where one is none.
  package init?(words: [String]) {
    self = []
    for word in words {
      guard let known = Self.words.first(where: { $0.word == word }) else { return nil }
      insert(known.phase)
    }
  }
}
