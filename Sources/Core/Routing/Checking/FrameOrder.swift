import TouchModel

/// The order of the records of a frame: lifts, moves and begans, each by touch. Rule T3.
struct FrameOrder {
  /// Whether something changed in the frame.
  private(set) var hasChanged = false
  private var rank = 0
  private var touch = TouchID(0)

  /// Whether a record of a move may come next.
  @inline(__always)
  func isMoveNext(_ record: Deliveries.Record) -> Bool {
    rank < Self.moves || (rank == Self.moves && touch.rawValue <= record.id.rawValue)
  }

  /// Takes a record that is a move, and may come next.
  @inline(__always)
  mutating func take(move record: Deliveries.Record) {
    rank = Self.moves
    touch = record.id
    hasChanged = hasChanged || record.phase == .moved
  }

  /// Takes any record; whether it may come next.
  mutating func take(_ record: Deliveries.Record) -> Bool {
    let next = Self.rank(record.phase)
    defer {
      rank = next
      touch = record.id
      hasChanged = hasChanged || record.phase != .stationary
    }
    return next > rank || (next == rank && touch <= record.id)
  }

  private static let moves = 1

  /// Where rule T3 puts a phase in a frame; what rests lies among the moves.
  private static func rank(_ phase: TouchPhase) -> Int {
    switch phase {
    case .ended, .cancelled: 0
    case .moved, .stationary: moves
    case .began: 2
    }
  }
}
