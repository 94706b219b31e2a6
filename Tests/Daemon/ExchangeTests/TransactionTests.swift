import Layout
import Routing
import Testing
import TouchModel

@testable import Exchange
@testable import Server

/// In a clock that is the test's: a transaction takes as long as the test says.
@Suite("Transactions of the layout")
struct TransactionTests {
  private let clients = (1...4).map(TransactionBench.client)

  /// A bench whose clients hold what they set, where it takes so long to set, in microseconds.
  private func bench(settingTakes cost: UInt64) throws -> TransactionBench {
    let bench = try TransactionBench()
    bench.cost = { if case .set = $0 { cost } else { 0 } }
    return bench
  }

  /// The clients of each transaction's requests.
  private func owners(_ bench: TransactionBench) -> [[UInt32]] {
    bench.gathered.map { $0.tokens.map(\.client.slot) }
  }

  @Test("after a transaction the layout is left alone; what all want meanwhile is one (F1, L6)")
  func together() throws {
    let bench = try bench(settingTakes: 2_000)
    let first = bench.set(clients[0], "left/a")
    bench.turn()
    #expect(owners(bench) == [[1]] && bench.answers[clients[0]] == [-first])
    for client in [clients[0], clients[1], clients[0]] { bench.set(client, "left/a") }
    bench.turn()
    bench.pass(to: 1_009_999)
    #expect(bench.gathered.count == 1 && bench.waiting.count == 2)
    #expect(bench.transactions.wakeTime == 1_010_000)
    bench.pass(to: 1_010_000)
    #expect(owners(bench) == [[1], [1, 1, 2]])
    #expect(bench.steps.count == 2 && bench.waiting.isEmpty)
    #expect(bench.transactions.wakeTime == nil)
  }

  @Test(
    "to add and remove recognizers shares the budget, behind what is set before it (F1, L6, S4)")
  func recognizers() throws {
    let bench = try bench(settingTakes: 2_000)
    bench.cost = { if case .set = $0 { 2_000 } else { 1_000 } }
    bench.ask(clients[0], .removeGesture(1))
    bench.turn()
    // Meanwhile it waits as what is set does, with what follows it.
    bench.set(clients[0], "left/a")
    bench.ask(clients[0], .removeGesture(2))
    let last = bench.set(clients[0], "left/b")
    bench.ask(clients[1], .removeGesture(3))
    bench.turn()
    bench.pass(to: 1_004_999)
    #expect(bench.gathered.count == 1)
    bench.pass(to: 1_005_000)
    #expect(owners(bench) == [[1], [1, 1, 2]])
    // What is set behind a recognizer comes with the next.
    #expect(bench.waiting == [clients[0]])
    bench.pass(to: 1_024_999)
    #expect(bench.gathered.count == 2)
    bench.pass(to: 1_025_000)
    #expect(bench.gathered.last?.tokens.map { Int($0.serial) } == [last])
  }

  @Test("the layout is left alone for 50 ms at most, and one that costs little never waits (F1)")
  func pauses() throws {
    let long = try bench(settingTakes: 100_000)
    long.set(clients[0], "left/a")
    long.turn()
    long.set(clients[0], "left/a")
    long.pass(to: 1_149_999)
    #expect(long.gathered.count == 1)
    long.pass(to: 1_150_000)
    #expect(long.gathered.count == 2)

    let quick = try bench(settingTakes: 1_600)
    for frame in 1...240 {
      quick.pass(to: 1_000_000 + UInt64(frame) * 8_333)
      quick.set(clients[0], "left/a")
      quick.turn()
      #expect(quick.gathered.count == frame)
    }
  }

  @Test("what a program that goes wanted to set goes with it, and nobody waits for it (F1, R7)")
  func leaving() throws {
    let bench = try bench(settingTakes: 5_000)
    bench.set(clients[0], "left/a")
    bench.turn()
    bench.set(clients[0], "left/b")
    bench.set(clients[1], "right/a")
    bench.turn()
    bench.leave(clients[1])
    bench.pass(to: 1_025_000)
    bench.pass(to: 2_000_000)
    #expect(owners(bench) == [[1], [1]])
    // Where all who wait have gone, nothing is changed.
    bench.set(clients[0], "left/a")
    bench.turn()
    bench.set(clients[0], "left/a")
    bench.turn()
    bench.leave(clients[0])
    #expect(bench.transactions.wakeTime == nil)
    bench.pass(to: 3_000_000)
    #expect(owners(bench) == [[1], [1], [1]])
  }

  @Test("a transaction has a bounded number of requests, of which each client has a share (F1, F5)")
  func shares() throws {
    let bench = try bench(settingTakes: 3_000)
    bench.set(clients[0], "left/a")
    bench.turn()
    for client in clients { for _ in 0..<200 { bench.set(client, "left/a") } }
    bench.turn()
    bench.pass(to: 1_020_000)
    #expect(bench.gathered[1].tokens.count == 64)
    for client in clients {
      #expect(bench.gathered[1].tokens.count { $0.client == client } == 16)
    }
    for round in 0..<40 { bench.pass(to: 1_040_000 + UInt64(round) * 20_000) }
    #expect(bench.unread.values.allSatisfy { $0.isEmpty })
    #expect(bench.gathered.allSatisfy { $0.tokens.count <= 64 })
    for client in clients { #expect(bench.answers[client]?.count ?? 0 >= 200) }

    // After one that took long there are fewer.
    bench.cost = { _ in 9_000 }
    let before = bench.gathered.count
    for _ in 0..<200 { bench.set(clients[0], "left/a") }
    for round in 0..<60 { bench.pass(to: 3_000_000 + UInt64(round) * 60_000) }
    #expect(bench.gathered[before...].map(\.tokens.count).prefix(4) == [64, 32, 16, 8])
    #expect(bench.gathered[before...].dropFirst(4).allSatisfy { $0.tokens.count <= 8 })
  }

  @Test("ends that nobody asked for prolong the pause, for nobody beyond 50 ms (F1)")
  func ends() throws {
    let bench = try bench(settingTakes: 0)
    for _ in 0..<3 { bench.transactions.note(2_000, at: bench.now) }
    bench.set(clients[0], "left/a")
    bench.turn()
    // Three times 8 ms.
    bench.pass(to: 1_023_999)
    #expect(bench.gathered.isEmpty)
    bench.pass(to: 1_024_000)
    #expect(bench.gathered.count == 1)
    bench.transactions.note(2_000, at: bench.now)
    bench.set(clients[0], "left/a")
    bench.turn()
    for time in stride(from: 1_024_000, through: 1_073_000, by: 1_000) as StrideThrough<UInt64> {
      bench.pass(to: time)
      bench.transactions.note(2_000, at: bench.now)
    }
    #expect(bench.gathered.count == 1)
    bench.pass(to: 1_074_000)
    #expect(bench.gathered.count == 2)
    // One for which nobody waits any more gives the next who comes no advantage.
    bench.transactions.note(9_000, at: bench.now)
    bench.set(clients[0], "left/a")
    bench.turn()
    bench.leave(clients[0])
    bench.pass(to: 1_100_000)
    bench.transactions.note(9_000, at: bench.now)
    bench.set(clients[1], "right/a")
    bench.turn()
    bench.pass(to: 1_149_999)
    #expect(bench.gathered.count == 2)
    bench.pass(to: 1_150_000)
    #expect(bench.gathered.count == 3)
  }

  @Test("who has set nothing leaves nothing to be taken back (F1, L6)")
  func endsOfNothing() throws {
    let bench = try bench(settingTakes: 0)
    bench.set(TransactionBench.client(0), "left/a")
    bench.turn()
    let held = try bench.attach(clients[0], "left")
    try bench.detach(held)
    _ = try bench.attach(clients[1], "left")
    bench.leave(clients[1])
    #expect(bench.steps.count == 1)
  }

  @Test("programs that go one after another keep nobody's change waiting (F1, L6)")
  func endsWithoutPause() throws {
    let bench = try TransactionBench(quickMicroseconds: 0)
    let paths = ["left", "left/a", "left/b", "right", "right/a"]
    let clients = (1...paths.count).map(TransactionBench.client)
    for (client, path) in zip(clients, paths) {
      _ = try bench.attach(client, path)
      bench.set(client, path)
      bench.turn()
      bench.finishThread()
    }
    let control = TransactionBench.client(0)
    let count = bench.steps.count
    bench.leave(clients[0])
    let serial = bench.set(control, "left/a", alpha: 0.25)
    bench.turn()
    // Each goes while a thread takes back what the one before has set.
    for client in clients.dropFirst() {
      #expect(bench.thread != nil)
      bench.leave(client)
      bench.finishThread()
    }
    for _ in 0..<2 { bench.finishThread() }
    #expect(bench.answers[control] == [serial])
    #expect(bench.steps[count...].map(\.request.isEnd).prefix(2) == [true, false])
    #expect(bench.layout.view(at: "left/a").map { bench.layout[$0].alpha } == 0.25)
    #expect(bench.layout.view(at: "right/a").map { bench.layout[$0].alpha } == 1)
  }

  @Test("where views come or go nothing comes behind that in a transaction (F1, L7)")
  func views() throws {
    let bench = try bench(settingTakes: 0)
    let held = try clients[0...1].map { try bench.attach($0, $0.slot == 1 ? "left" : "right") }
    let rows = ViewProperties(frame: FrameDescription(Rect(x: 0, y: 0, width: 10, height: 10)))
    bench.transactions.note(1_000, at: bench.now)
    for attachment in held {
      for number in 0..<2 {
        bench.ask(
          attachment.client,
          .changeViews(
            ViewsRequest(
              [.add("row\(number)", rows, order: nil)], through: attachment.id)))
      }
    }
    bench.turn()
    bench.pass(to: 1_100_000)
    #expect(owners(bench) == [[1], [2], [1], [2]])
    #expect(bench.layout.viewCount == 9)
    #expect(bench.answers.values.joined().allSatisfy { $0 > 0 })
  }

  @Test("what waits for a thread is carried out behind it, ends before further requests (F1, L6)")
  func endsFirst() throws {
    let bench = try TransactionBench(quickMicroseconds: 0)
    let held = try bench.attach(clients[0], "left")
    let serial = bench.set(clients[0], "left/a", alpha: 0.25)
    bench.turn()
    #expect(bench.thread != nil && bench.answers.isEmpty)
    bench.set(TransactionBench.client(0), "right/a")
    bench.turn()
    try bench.detach(held)
    #expect(bench.steps.count == 1)
    bench.finishThread()
    #expect(bench.answers[clients[0]] == [serial])
    // What the thread has set is taken back.
    #expect(bench.steps.last?.request.isEnd == true)
    bench.finishThread()
    #expect(bench.layout.view(at: "left/a").map { bench.layout[$0].alpha } == 1)
    bench.finishThread()
    #expect(bench.layout.view(at: "right/a").map { bench.layout[$0].alpha } == 0.5)
    #expect(bench.waiting.isEmpty && bench.thread == nil)
  }

  @Test("what a thread sets for a client that goes meanwhile is taken back (F1, L6, R7)")
  func leavingMeanwhile() throws {
    let bench = try TransactionBench(quickMicroseconds: 0)
    _ = try bench.attach(clients[0], "left")
    bench.set(clients[0], "left/a", alpha: 0.25)
    bench.turn()
    #expect(bench.thread != nil)
    bench.leave(clients[0])
    bench.finishThread()
    #expect(bench.layout.view(at: "left/a").map { bench.layout[$0].alpha } == 0.25)
    #expect(bench.steps.last?.request.isEnd == true)
    bench.finishThread()
    #expect(bench.layout.view(at: "left/a").map { bench.layout[$0].alpha } == 1)
    #expect(bench.thread == nil)
  }

  @Test("who comes in the place of a client that has left finds nothing of its left (F1, L7, R7)")
  func inItsPlace() throws {
    let bench = try TransactionBench(quickMicroseconds: 0)
    let view = ViewProperties(frame: FrameDescription(Rect(x: 0, y: 0, width: 8, height: 8)))
    func add(_ client: ClientID, _ window: String) throws -> Int {
      let attachment = try bench.attach(client, window)
      return bench.ask(
        client,
        .changeViews(ViewsRequest([.add("new", view, order: nil)], through: attachment.id)))
    }
    for (client, window) in zip(clients, ["left", "right"]) {
      _ = try add(client, window)
      bench.turn()
      bench.finishThread()
    }
    // While what one had is taken back, the other leaves, and another comes in its place.
    bench.leave(clients[0])
    bench.leave(clients[1])
    let serial = try add(clients[2], "right")
    bench.turn()
    while bench.thread != nil { bench.finishThread() }
    #expect(bench.answers[clients[2]] == [serial])
  }

  @Test("one that is closed takes back what has ended, also what waited for a pause (F1, L6, R9)")
  func closingInPause() throws {
    let bench = try TransactionBench(quickMicroseconds: 0)
    bench.cost = { _ in 5_000 }
    for (client, path) in zip(clients, ["left/a", "left/b"]) {
      _ = try bench.attach(client, path)
      bench.set(client, path)
      bench.pass(to: bench.now + 60_000)
      bench.finishThread()
    }
    bench.leave(clients[0])
    bench.set(TransactionBench.client(0), "right/a")
    bench.turn()
    bench.leave(clients[1])
    bench.finishThread()
    // Nothing more is taken back before the step that waits for the pause.
    #expect(bench.thread == nil)
    #expect(bench.layout.view(at: "left/b").map { bench.layout[$0].alpha } == 0.5)
    bench.transactions.close()
    bench.goOn()
    bench.finishThread()
    #expect(bench.layout.view(at: "left/b").map { bench.layout[$0].alpha } == 1)
    #expect(bench.layout.view(at: "right/a").map { bench.layout[$0].alpha } == 1)
  }

  @Test("one that is closed carries out what it has begun, and takes nothing more (R9)")
  func closing() throws {
    let bench = try TransactionBench(quickMicroseconds: 0)
    let control = TransactionBench.client(0)
    let serial = bench.set(control, "left/a")
    bench.turn()
    bench.set(control, "left/b")
    bench.transactions.close()
    bench.finishThread()
    bench.turn()
    bench.pass(to: 9_000_000)
    #expect(bench.answers[control] == [serial])
    #expect(bench.unread[control]?.count == 1)
    bench.transactions.stop()
    bench.leave(control)
    #expect(bench.steps.count == 1)
  }
}
