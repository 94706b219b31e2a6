import DaemonSupport
import TestSupport
import Testing
import TouchClient
import TouchModel

/// The vectors, broken at random: nothing crashes, and what the program is told stays a story that
/// makes sense.
@Suite("Fuzzing")
struct FuzzTests {
  @Test("whatever the daemon sends, every touch that began ends exactly once (T5)")
  func mutations() throws {
    let vectors = Vector.all
    let peer = try Peer()
    for seed in Seeds.fresh(3000) {
      var random = SeededGenerator(seed: seed)
      let vector = vectors[Int(random.next() % UInt64(vectors.count))]
      let other = vectors[Int(random.next() % UInt64(vectors.count))]
      let bytes = mutate(vector.bytes, with: other.bytes, &random)
      do {
        try feed(bytes, to: peer, &random)
      } catch {
        Issue.record("seed \(seed), from \(vector.name): \(error)")
        return
      }
    }
  }

  /// Broken in one to four places: bits, sizes and counts, cuts, repeats and grafts.
  private func mutate(
    _ bytes: [UInt8], with other: [UInt8], _ random: inout SeededGenerator
  ) -> [UInt8] {
    var bytes = bytes
    for _ in 0...(random.next() % 4) {
      guard !bytes.isEmpty else { break }
      let place = Int(random.next() % UInt64(bytes.count))
      switch random.next() % 7 {
      case 0: bytes[place] ^= 1 << UInt8(random.next() % 8)
      case 1: bytes[place] = UInt8(truncatingIfNeeded: random.next())
      case 2:
        let interesting: [UInt32] = [0, 1, 8, 0x7fff_ffff, 0x8000_0000, 0xffff_fff8, 0xffff_ffff]
        let value = interesting[Int(random.next() % UInt64(interesting.count))]
        let word = place / 4 * 4
        for byte in 0..<4 where word + byte < bytes.count {
          bytes[word + byte] = UInt8(truncatingIfNeeded: value >> UInt32(8 * byte))
        }
      case 3: bytes.removeSubrange(place...)
      case 4: bytes.removeSubrange(place..<min(place + 8, bytes.count))
      case 5: bytes.insert(contentsOf: bytes[place...].prefix(64), at: place / 8 * 8)
      default: bytes.insert(contentsOf: other, at: place / 8 * 8)
      }
    }
    return bytes
  }

  private func feed(_ bytes: [UInt8], to peer: Peer, _ random: inout SeededGenerator) throws {
    let connection = try TouchConnection(path: peer.path, name: "vectors")
    try peer.accept()
    let attachments = try ["a", "b"].map { try connection.attach(to: $0) }
    var story = Story()
    var sent = 0
    do {
      while sent < bytes.count {
        let count = min(bytes.count - sent, Int(random.next() % 700) + 1)
        try peer.send(bytes[sent..<(sent + count)])
        sent += count
        try connection.dispatch { story.hear($0) }
        if random.next() % 8 == 0, let attachment = attachments.randomElement(using: &random) {
          _ = try? connection.detach(attachment)
        }
      }
      peer.disconnect()
      while true { try connection.dispatch { story.hear($0) } }
    } catch let error as TouchClientError {
      guard [.ended, .malformed, .version].contains(error.kind) else { throw error }
    }
    try story.check()
  }
}

/// What a program was told.
private struct Story {
  private struct Part: Hashable {
    var touch: TouchID
    var attachment: AttachmentID
  }

  private var live: Set<Part> = []
  private var isOver = false
  private var mistakes: [String] = []

  mutating func hear(_ event: TouchEvent) {
    if isOver { mistakes.append("\(event) after the connection was lost") }
    switch event {
    case .touches(let frame):
      if frame.touches.isEmpty { mistakes.append("an empty frame") }
      for touch in frame.touches {
        let part = Part(touch: touch.id, attachment: touch.attachment)
        switch touch.phase {
        case .began: live.insert(part)
        // One of which the program did not hear the beginning need not end for it.
        case .moved, .stationary: break
        case .ended, .cancelled:
          if touch.cancelReason == .connectionLost, live.remove(part) == nil {
            mistakes.append("\(touch.id) was cancelled without being live")
          }
          live.remove(part)
        }
      }
    case .detached(let detachment):
      if live.contains(where: { $0.attachment == detachment.attachment }) {
        mistakes.append("\(detachment.attachment) ended with a touch live")
      }
    case .lost: isOver = true
    default: break
    }
  }

  /// Throws where the story makes no sense.
  func check() throws {
    if let mistake = mistakes.first { throw Peer.Failure(description: mistake) }
    if !isOver { throw Peer.Failure(description: "the program was not told that it was lost") }
  }
}
