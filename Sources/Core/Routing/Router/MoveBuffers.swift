import TouchModel

/// The moves of touches that may yet be declined, kept for who gets them then. Rule R5.
///
/// Each touch has a buffer of as many as the limit says. When it is full, the move that is closest
/// in time to those around it is merged into the one after it, so that what remains spans the whole
/// time and ends where the touch is. Buffers are used again, and nothing is allocated once as many
/// touches have been open.
final class MoveBuffers {
  /// A move that was kept.
  struct Move: BitwiseCopyable {
    /// In points of the screen.
    var location: Point
    var time: Timestamp
    /// Whether a move before it was merged into it.
    var isCoalesced = false
  }

  private var buffers: [[Move]] = []
  private var free: [Int] = []
  private var openCount = 0

  /// Whether no touch has a buffer.
  @inline(__always)
  var isUnused: Bool { openCount == 0 }

  /// Gives a touch a buffer, with capacity for so many moves.
  func open(limit: Int) -> Int {
    openCount += 1
    if let buffer = free.popLast() { return buffer }
    var moves: [Move] = []
    moves.reserveCapacity(max(limit, 1))
    buffers.append(moves)
    free.reserveCapacity(buffers.capacity)
    return buffers.count - 1
  }

  /// Takes a touch's buffer back, if it has one.
  func close(_ touch: inout LiveTouch) {
    guard let buffer = touch.moveBuffer else { return }
    touch.moveBuffer = nil
    openCount -= 1
    buffers[buffer].removeAll(keepingCapacity: true)
    free.append(buffer)
  }

  /// Keeps the move that a touch has just made, if its moves are kept.
  func keep(_ touch: LiveTouch, limit: Int) {
    guard let buffer = touch.moveBuffer else { return }
    let move = Move(location: touch.screenLocation, time: touch.time)
    append(move, to: buffer, since: touch.beganTime, limit: limit)
  }

  /// The moves that were kept of a touch, oldest first.
  func moves(of touch: LiveTouch) -> [Move] { touch.moveBuffer.map { buffers[$0] } ?? [] }

  /// Keeps a move of a touch that began at `start`.
  private func append(_ move: Move, to buffer: Int, since start: Timestamp, limit: Int) {
    var move = move
    if buffers[buffer].count >= max(limit, 1) {
      let index = indexOfClosest(in: buffers[buffer], since: start, before: move.time)
      buffers[buffer].remove(at: index)
      if index < buffers[buffer].count {
        buffers[buffer][index].isCoalesced = true
      } else {
        move.isCoalesced = true
      }
    }
    buffers[buffer].append(move)
  }

  private func indexOfClosest(
    in moves: [Move], since start: Timestamp, before end: Timestamp
  ) -> Int {
    let moves = moves.span
    var closest = (index: 0, gap: UInt64.max)
    var previous = start
    var time = moves[0].time
    for index in moves.indices {
      let next = index + 1 < moves.count ? moves[index + 1].time : end
      let gap = next.microseconds(since: previous)
      if gap < closest.gap { closest = (index, gap) }
      (previous, time) = (time, next)
    }
    return closest.index
  }
}
