import CTouchroute
import Glibc
import Layout
import Routing
import TestSupport
import Testing
import TouchModel

@testable import Server

/// Random frames into a queue, and a reader that takes a little now and then. What it reads is held
/// to what was said, touch by touch.
@Suite("Merging moves")
struct MergingTests {
  @Test(
    "whatever is said and however it is read, the stream is sound (F2)", arguments: Seeds.fresh(200)
  )
  func random(seed: UInt64) throws {
    var bench = try MergingBench(seed: seed, layout: Layouts.home(), over: SocketPair())
    for _ in 0..<400 {
      bench.say()
      bench.read()
    }
    bench.readAll()
    #expect(bench.mistakes.isEmpty)
    #expect(bench.mergedCount > 0)
  }

  @Test("a client that reads as fast as it is told gets every frame by itself (F2)")
  func notBlocked() throws {
    var bench = try MergingBench(seed: 1, layout: Layouts.home(), over: SocketPair())
    for _ in 0..<2_000 {
      bench.say()
      bench.readAll()
    }
    #expect(bench.mistakes.isEmpty)
    #expect(bench.mergedCount == 0)
  }

  @Test("of a history that is over its bound the oldest go, and are counted (F2)")
  func boundedHistory() throws {
    var bench = try MergingBench(seed: 3, layout: Layouts.home(), over: SocketPair())
    bench.begin(device: 0, touches: 2, attachment: MergingBench.withHistory)
    for _ in 0..<2_000 { bench.move(device: 0) }
    bench.readAll()
    #expect(bench.mistakes.isEmpty)
    #expect(bench.longestHistory == TouchesMerger.longestHistory)
    #expect(bench.droppedCount > 1_000)
  }

  @Test("the histories of many touches fill a message at most (F2)", arguments: [70, 500])
  func historyOfMany(touches: Int) throws {
    var bench = try MergingBench(seed: 6, layout: Layouts.home(), over: SocketPair())
    bench.begin(device: 0, touches: touches, attachment: MergingBench.withHistory)
    for _ in 0..<200 { bench.move(device: 0) }
    bench.readAll()
    #expect(bench.mistakes.isEmpty)
    // 32 bytes for the frame, 64 for each touch and 16 for each sample.
    #expect(bench.longestHistory == (65_536 - 32 - 64 * touches) / (16 * touches))
  }

  @Test("what a stalled client waits for does not grow with the moves (F2)")
  func bounded() throws {
    var bench = try MergingBench(seed: 4, layout: Layouts.home(), over: SocketPair())
    for device in 0..<2 {
      bench.begin(device: device, touches: 10, attachment: MergingBench.withoutHistory)
    }
    for _ in 0..<1_000 { for device in 0..<2 { bench.move(device: device) } }
    let stalled = bench.queuedBytes
    for _ in 0..<10_000 { for device in 0..<2 { bench.move(device: device) } }
    #expect(bench.queuedBytes == stalled)
    bench.readAll()
    #expect(bench.mistakes.isEmpty)
  }

  @Test("a touch that is cancelled takes its unsent moves along, and leaves others theirs (F2)")
  func cancelled() throws {
    var bench = try MergingBench(seed: 5, layout: Layouts.home(), over: SocketPair())
    bench.begin(device: 0, touches: 2, attachment: MergingBench.withoutHistory)
    for _ in 0..<1_000 { bench.move(device: 0) }
    let before = bench.queuedBytes
    bench.end(device: 0, touch: 0, .cancelled)
    // The message of moves has lost a record, and the frame that cancels has two.
    #expect(bench.queuedBytes == before - 64 + TouchesMessage.size(touches: 2, samples: 0))
    bench.end(device: 0, touch: 0, .cancelled)
    // Now the message of moves is gone, and one record of the frame that cancelled the first.
    bench.readAll()
    #expect(bench.mistakes.isEmpty)
  }
}
