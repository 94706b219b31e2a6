import Configuration
import Layout
import Routing
import TestSupport
import Testing
import TouchModel

@testable import Exchange
@testable import Server

/// The oracle: a list of all that was set of alpha. The latest of a view is in force. Rule L6.
private struct SetValues {
  private struct Entry {
    let path: String
    let alpha: Double
    /// Nil where it stays.
    let attachment: AttachmentID?
  }

  private var entries: [Entry] = []

  mutating func set(_ path: String, _ alpha: Double, through attachment: AttachmentID?) {
    entries.append(Entry(path: path, alpha: alpha, attachment: attachment))
  }

  mutating func end(where isOver: (AttachmentID) -> Bool) {
    entries.removeAll { $0.attachment.map(isOver) ?? false }
  }

  mutating func drop(where isGone: (String) -> Bool) { entries.removeAll { isGone($0.path) } }

  func has(_ attachment: AttachmentID) -> Bool { entries.contains { $0.attachment == attachment } }

  func alpha(_ path: String) -> Double { entries.last { $0.path == path }?.alpha ?? 1 }
}

/// Clients that set, leave, attach and detach at random, reloads, and a thread that ends whenever,
/// beside an oracle.
private final class TransactionWalk {
  let bench: TransactionBench
  private(set) var bugs: [String] = []
  private var random: SeededGenerator
  private var oracle = SetValues()
  private var attachments: [ClientID: Routing.Attachment] = [:]
  private var ended: Set<AttachmentID> = []
  private var asked: [ClientID: [Int]] = [:]
  private var refused: Set<Int> = []
  private var gone: Set<ClientID> = []
  private var nextClient = 1
  private var lastAlpha = 0.0
  /// Whether an end or a reload was asked for and is yet to be carried out, and how many steps of
  /// clients have come before it.
  private var awaitsEnd = false
  private var stepsBeforeEnd = 0
  /// Who wanted something as rights ended; nil where none have whose end is yet to be carried out.
  private var waitedBeforeEnd: Set<ClientID>?
  private var hasB = true

  private static let withoutB = TransactionBench.text.replacing(
    "[[view]]\npath = \"left/b\"\nframe = [50, 0, 50, 50]\n", with: "")
  private static let paths = ["left/a", "left/b", "left", "right/a", "none"]

  init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    bench = try TransactionBench(quickMicroseconds: random.pick([0, 30, 500]))
    let cost = random.pick([0, 300, 3_000, 20_000]) as UInt64
    bench.cost = { $0.isStep ? cost : 0 }
    bench.onStep = { [unowned self] in hear($0) }
    for _ in 0..<3 { add() }
  }

  private func add() {
    asked[TransactionBench.client(nextClient)] = []
    nextClient += 1
  }

  private var clients: [ClientID] {
    asked.keys.filter { $0.slot > 0 && !gone.contains($0) }.sorted { $0.slot < $1.slot }
  }

  // MARK: - Steps

  func step() throws {
    switch random.below(12) {
    case 0..<5: ask(random.pick(clients + [TransactionBench.client(0)]))
    case 5: bench.finishThread()
    case 6: bench.turn()
    case 7: bench.pass(to: bench.now + UInt64(random.below(60_000)))
    case 8: try attachOrDetach(random.pick(clients))
    case 9:
      if random.oneIn(3) { leave(random.pick(clients)) }
      if random.oneIn(6) { try restart() }
    case 10: if random.oneIn(4) { try reload() }
    default: for _ in 0..<random.below(30) { ask(random.pick(clients)) }
    }
    if bench.transactions.isInBackground != (bench.thread != nil) { found("a thread is forgotten") }
  }

  private func ask(_ client: ClientID) {
    lastAlpha += 0.000_1
    let request: Request =
      random.oneIn(6)
      ? .removeGesture(1)
      : .set(
        (0...random.below(2)).map { _ in
          ViewChange(random.pick(Self.paths), .alpha(lastAlpha))
        })
    asked[client, default: []].append(bench.ask(client, request))
  }

  private func attachOrDetach(_ client: ClientID) throws {
    if let attachment = attachments.removeValue(forKey: client) {
      end(attachment)
      return try bench.detach(attachment)
    }
    let window = random.pick(["left", "right"])
    guard let root = bench.layout.responder(at: window),
      bench.pipeline.router.attachments[holderOf: root] == nil
    else { return }
    attachments[client] = try bench.attach(client, window)
  }

  private func leave(_ client: ClientID) {
    if let attachment = attachments.removeValue(forKey: client) { end(attachment) }
    gone.insert(client)
    bench.leave(client)
    add()
  }

  /// All programs end, and others come in their place.
  private func restart() throws {
    for client in clients { leave(client) }
    for client in clients {
      try attachOrDetach(client)
      ask(client)
    }
    bench.turn()
  }

  private func end(_ attachment: Routing.Attachment) {
    ended.insert(attachment.id)
    guard oracle.has(attachment.id) else { return }
    awaitsEnd = true
    if waitedBeforeEnd != nil { return }
    // What one that is gone has asked for may have been taken before.
    let want = bench.unread.filter { !$0.value.isEmpty }.keys
    waitedBeforeEnd = gone.union(bench.waiting).union(want)
  }

  private func reload() throws {
    hasB.toggle()
    awaitsEnd = true
    try bench.reload(hasB ? TransactionBench.text : Self.withoutB)
  }

  // MARK: - The oracle

  /// Does what the daemon carries out, in its order.
  private func hear(_ request: LayoutRequest) {
    let clients = Set(request.tokens.map(\.client))
    if let waitedBeforeEnd, !clients.isSubset(of: waitedBeforeEnd) {
      found("who came after an end comes before it")
    }
    switch request {
    case .set(let batches):
      if awaitsEnd { stepsBeforeEnd += 1 }
      if stepsBeforeEnd > 1 { found("clients set \(stepsBeforeEnd) times before an end") }
      for (token, changes) in batches { hear(changes, token) }
    case .end, .reload:
      if request.isEnd { waitedBeforeEnd = nil }
      awaitsEnd = false
      stepsBeforeEnd = 0
      oracle.end(where: ended.contains)
      if case .reload(let new) = request {
        let layout = new.configuration.layout
        oracle.drop { layout.view(at: $0) == nil }
      }
    default: break
    }
  }

  private func hear(_ changes: [ViewChange], _ token: RequestToken) {
    let isControl = token.client.slot == 0
    let attachment = attachments[token.client]
    // Responders have other numbers after a reload.
    let window = attachment.flatMap { bench.pipeline.router.attachments[$0.id] }
      .map { bench.layout.path(of: $0.responder) }
    let isAllowed = changes.allSatisfy { change in
      bench.layout.view(at: change.path) != nil
        && (isControl || change.path.prefix { $0 != "/" } == window ?? "")
    }
    guard isAllowed else {
      refused.insert(Int(token.serial))
      return
    }
    for change in changes {
      guard case .alpha(let alpha) = change.property else { continue }
      oracle.set(change.path, alpha, through: isControl ? nil : attachment?.id)
    }
  }

  private func found(_ text: String) { bugs.append(text) }

  // MARK: - The end

  /// Lets all end that has begun, and compares.
  func finish() {
    for _ in 0..<10_000 {
      guard !isQuiet else { break }
      bench.finishThread()
      bench.pass(to: bench.now + 60_000)
    }
    if !isQuiet { found("clients wait though all threads have ended") }
    for path in Self.paths {
      guard let view = bench.layout.view(at: path) else { continue }
      let alpha = bench.layout[view].alpha
      if alpha != oracle.alpha(path) { found("\(path): \(alpha), not \(oracle.alpha(path))") }
    }
    for client in clients + [TransactionBench.client(0)] { compareAnswers(to: client) }
    checkPauses()
  }

  private var isQuiet: Bool {
    bench.thread == nil && bench.waiting.isEmpty && bench.unread.values.allSatisfy(\.isEmpty)
      && bench.transactions.wakeTime == nil
  }

  private func compareAnswers(to client: ClientID) {
    let expected = (asked[client] ?? []).map { refused.contains($0) ? -$0 : $0 }
    let answers = bench.answers[client] ?? []
    if answers != expected { found("\(client): \(answers), not \(expected)") }
  }

  /// No transaction begins within four times what the steps of the one before took.
  private func checkPauses() {
    for (before, after) in zip(bench.gathered, bench.gathered.dropFirst()) {
      if before.tokens.count > 64 { found("\(before.tokens.count) requests in one") }
      let steps = bench.steps.filter {
        $0.request.isStep && $0.began >= before.time && $0.began < after.time
      }
      let took = steps.reduce(0) { $0 + bench.cost($1.request) }
      let end = (steps.last?.began ?? 0) + (steps.last.map { bench.cost($0.request) } ?? 0)
      if after.time < end + min(4 * took, 50_000) { found("no pause at \(after.time)") }
    }
  }
}

@Suite("Transactions at random")
struct TransactionWalkTests {
  @Test("whatever clients do and whenever threads end, all are answered and all is as set (F1, L6)")
  func walks() throws {
    for seed in Seeds.fresh(300) {
      let walk = try TransactionWalk(seed: seed)
      for _ in 0..<80 { try walk.step() }
      walk.finish()
      try #require(walk.bugs.isEmpty, "seed \(seed): \(walk.bugs.prefix(3))")
    }
  }
}
