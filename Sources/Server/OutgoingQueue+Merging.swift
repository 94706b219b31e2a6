import CTouchroute
import Glibc
import Routing
import TouchModel

/// What becomes of moves that wait for a client that does not read. Rule F2.
extension OutgoingQueue {
  /// The most samples that a touch's history has.
  static let longestHistory = 64

  /// Merges a frame of moves into the one of its device that waits; nil where there is none, or it
  /// is on its way, or has other touches. What comes of it waits behind everything else, so that
  /// the frames' numbers go up whatever other devices did meanwhile.
  mutating func merge(
    _ frame: Deliveries.ClientFrame, of records: ReusableArray<Deliveries.Record>,
    wantsHistory: (AttachmentID) -> Bool
  ) -> Queued? {
    let device = frame.device.rawValue
    guard let waiting = latest(of: device) else { return nil }
    let old = TouchesMessage(at: buffer + waiting.lowerBound)
    guard old.isContinued(by: records[frame.records]) else { return nil }
    var sampleCount = 0
    var dropped = 0
    let bound = Self.longestHistory(with: old.count)
    for (index, place) in frame.records.enumerated() {
      let history = old.history(of: index, and: records[place], wantsHistory)
      sampleCount += min(history, bound)
      dropped += max(0, history - bound)
    }
    let size = TouchesMessage.size(touches: old.count, samples: sampleCount)
    let distance = end - waiting.lowerBound
    guard
      let place = append(size, touchesOf: device, isWhole: true, inPlaceOf: waiting.count)
    else { return .refused }
    // What waits may have moved to make room, all of it.
    let start = place - buffer - distance
    TouchesMessage(at: place).merge(
      TouchesMessage(at: buffer + start), frame, records, size: size, samples: sampleCount,
      bound: bound, wantsHistory: wantsHistory)
    remove(start..<start + waiting.count)
    return .merged(droppedSamples: dropped)
  }

  /// Takes the moves of touches that are cancelled out of the messages of which nothing was sent. A
  /// message in which nothing has changed any more goes.
  mutating func discardMoves(cancelledBy records: Slice<ReusableArray<Deliveries.Record>>) {
    // What goes on in another message must not lose its end.
    guard !hasSplitFrames, records.contains(where: { $0.phase == .cancelled }) else { return }
    var offset = firstUnsent
    while let range = message(at: offset) {
      offset = range.upperBound
      let message = TouchesMessage(at: buffer + range.lowerBound)
      guard message.fixed.header.opcode == UInt16(TOUCHROUTE_TOUCHES.rawValue) else { continue }
      let size = message.removeMoves { touch in
        records.contains {
          $0.phase == .cancelled && $0.id.rawValue == touch.id
            && $0.attachment.rawValue == touch.attachment
        }
      }
      offset = range.lowerBound + size
      if size < range.count { remove(offset..<range.upperBound) }
    }
  }

  /// The most samples of each of so many touches, for them to fit into one message.
  private static func longestHistory(with touches: Int) -> Int {
    let room = Int(TOUCHROUTE_MAX_MESSAGE) - TouchesMessage.size(touches: touches, samples: 0)
    return min(longestHistory, room / MemoryLayout<touchroute_sample>.stride / max(touches, 1))
  }
}
