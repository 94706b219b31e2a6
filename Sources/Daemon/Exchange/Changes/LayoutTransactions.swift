import Configuration
import Layout
import Routing
import Server
import TouchModel

/// Makes changes of the layout, one at a time: what clients ask for in transactions, and what
/// follows from the ends of rights and from reloads. Rules F1 and L6.
///
/// It takes requests as values, and ``next(at:)`` says what is to be done. Its owner does that, in
/// order, and asks again until there is nothing. It knows no socket, no loop and no clock. While a
/// background thread makes a change no other layout comes in force, so what the thread finds out by
/// the one in force still holds as it ends.
final class LayoutTransactions {
  private enum State {
    /// Nothing is under way.
    case idle
    /// The owner takes requests of clients that wait.
    case gathering
    /// The owner carries a request out, and does what comes of it.
    case carryingOut(LayoutRequest)
    /// A background thread makes the layout that a request takes.
    case inBackground(LayoutRequest)
    /// Nothing is changed any more.
    case stopped
  }

  /// That of the layout in force, with all that is set; nil before anything was.
  private(set) var editor: LayoutEditor?
  /// What is kept of all that is set and added, in bytes. Rule F5.
  private(set) var keptBytes = 0
  /// By which right each thing was set.
  private(set) var setters = Setters()

  private var state = State.idle
  /// What the owner has yet to do.
  private var effects: [LayoutEffect] = []
  /// What comes before further steps of a transaction, in order.
  private var requests: [(request: LayoutRequest, number: Int)] = []
  /// The transaction at hand.
  private var transaction: Transaction?
  /// The clients that wait for a transaction, in the order in which they came.
  private var waiting: [(client: ClientID, number: Int)] = []
  /// What came last, a request or a client that waits: they are numbered together.
  private var lastNumber = 0
  private var budget = TransactionBudget()
  /// Since when the loop is busy with the request at hand, and how long it was before that.
  private var began: UInt64 = 0
  private var spent: UInt64 = 0
  /// Whether the request at hand has changed the layout.
  private var hasChanged = false
  /// Whether something was taken back since the latest step of a transaction.
  private var hasTakenBack = false
  /// What has ended since a background thread began: what the thread sets by that is taken back.
  private var endedMeanwhile: Set<AttachmentID> = []
  private var leftMeanwhile: Set<ClientID> = []
  /// Whether clients have no further requests carried out.
  private var isClosed = false
  /// A change that is estimated to take longer, in microseconds, is made in the background.
  private let quickMicroseconds: Int

  /// - Parameter quickMicroseconds: A change that is estimated to take longer is made in the
  ///   background.
  init(quickMicroseconds: Int) { self.quickMicroseconds = quickMicroseconds }

  // MARK: - Requests

  /// A client waits: its next request is a change.
  func want(_ client: ClientID) {
    lastNumber += 1
    waiting.append((client, lastNumber))
  }

  /// Something is to be done once what was asked for before it is done.
  func add(_ request: LayoutRequest) {
    if case .stopped = state { return }
    switch request {
    // Rights are looked at when its turn comes: once is enough.
    case .review where requests.contains(where: \.request.isReview): break
    // All ends that wait are one.
    case .end(var ends):
      guard let index = requests.firstIndex(where: \.request.isEnd),
        case .end(let others) = requests[index].request
      else { return append(request) }
      ends.formUnion(others)
      requests[index].request = .end(ends)
    default: append(request)
    }
  }

  private func append(_ request: LayoutRequest) {
    lastNumber += 1
    requests.append((request, lastNumber))
  }

  /// What was set through attachments of a client that have ended is to be taken back.
  func end(_ attachments: [AttachmentID], of client: ClientID) {
    if isInBackground { endedMeanwhile.formUnion(attachments) }
    // What else it has set may now take touches that it is no longer entitled to. Rule F7.
    let hasSet = setters.hasSet(client)
    let ends = setters.forget(attachments, of: client)
    if hasSet { add(.end(ends)) }
  }

  /// A client is gone: what it waits for is over, and all that it has set is to be taken back.
  func wentAway(_ client: ClientID) {
    if !waiting.isEmpty {
      waiting.removeAll { $0.client == client }
      if waiting.isEmpty { budget.endWait() }
    }
    if isInBackground { leftMeanwhile.insert(client) }
    let ends = setters.forget(of: client)
    if !ends.isEmpty { add(.end(ends)) }
  }

  /// Recognizers were taken away, which took so long, in microseconds.
  func note(_ microseconds: UInt64, at now: UInt64) { budget.note(microseconds, at: now) }

  /// No further requests of clients are carried out: they keep those, and nothing waits for them.
  func close() { isClosed = true }

  /// Requests of clients are carried out again.
  func open() { isClosed = false }

  /// Nothing is changed any more. Belongs behind ``close()``, once all else is done.
  func stop() {
    precondition(!isInBackground, "who stops has waited for the thread")
    state = .stopped
    requests.removeAll()
  }

  // MARK: - Effects

  /// Whether a background thread makes a change.
  var isInBackground: Bool { if case .inBackground = state { true } else { false } }

  /// When it is to be asked again at the latest, on CLOCK_MONOTONIC, in microseconds: nil where
  /// nobody waits, or what somebody waits for ends first.
  var wakeTime: UInt64? {
    if waiting.isEmpty || isClosed || isInBackground { return nil }
    return budget.earliest
  }

  /// What is to be done next; nil where there is nothing for now.
  ///
  /// - Parameter present: The time on CLOCK_MONOTONIC, in microseconds.
  func next(at present: @autoclosure () -> UInt64) -> LayoutEffect? {
    while effects.isEmpty {
      switch state {
      case .inBackground, .stopped: return nil
      case .carryingOut(let request): finish(request, at: present())
      case .idle, .gathering:
        guard let request = takeRequest(at: present) else { return gather(at: present) }
        began = present()
        state = .carryingOut(request)
        return .carryOut(request)
      }
    }
    return effects.removeFirst()
  }

  /// The request whose turn it is; nil where there is none, and the transaction is over.
  private func takeRequest(at present: () -> UInt64) -> LayoutRequest? {
    if let (request, number) = requests.first, !(request.takesBack && isStepOwed(before: number)) {
      if request.takesBack { hasTakenBack = true }
      return requests.removeFirst().request
    }
    if let step = transaction?.takeStep() {
      hasTakenBack = false
      return step
    }
    if let transaction, transaction.count > 0 {
      budget.noteTransaction(of: transaction.count, took: transaction.took, at: present())
    }
    transaction = nil
    return nil
  }

  /// Whether a step of a client comes before a request that takes something back. So clients get
  /// on, however many rights end. A client that came after the request waits for it: its program
  /// may take the place of one that has left, and must find nothing of that one.
  private func isStepOwed(before number: Int) -> Bool {
    guard hasTakenBack, !isClosed else { return false }
    return transaction?.hasSteps == true || waiting.first.map { $0.number < number } ?? false
  }

  private func gather(at present: () -> UInt64) -> LayoutEffect? {
    guard !waiting.isEmpty, !isClosed, budget.isDue(at: present()) else { return nil }
    state = .gathering
    // If a request waits, only clients that waited before it come first.
    let clients = waiting.prefix { $0.number < requests.first?.number ?? .max }.map(\.client)
    return .gather(Transaction(limit: budget.size, clientCount: clients.count), of: clients)
  }

  /// A request was carried out, with all that came of it.
  private func finish(_ request: LayoutRequest, at now: UInt64) {
    state = .idle
    let took = spent + (now > began ? now - began : 0)
    spent = 0
    if transaction != nil {
      transaction?.took += took
    } else if hasChanged || request.isEnd {
      budget.note(took, at: now)
    }
    hasChanged = false
    guard request.isStep else { return }
    effects.append(.carriedOut(request))
    let clients = request.tokens.map(\.client)
    goOn(where: clients.contains)
  }

  /// Has clients go on for which nothing more is to be done.
  private func goOn(where isMeant: (ClientID) -> Bool) {
    guard let transaction else { return }
    for client in transaction.clients
    where isMeant(client) && !transaction.awaitsStep(of: client) {
      effects.append(.goOn(client))
    }
  }

  // MARK: - Carrying out

  /// The requests of clients that were gathered.
  func begin(_ gathered: Transaction) {
    guard case .gathering = state else { preconditionFailure("what is gathered was asked for") }
    state = .idle
    budget.endWait()
    transaction = gathered
    waiting.removeAll { gathered.clients.contains($0.client) }
    // Those go on whose request was not good.
    goOn { _ in true }
  }

  /// Has a job made for the request at hand: at once where that is quick, else in the background.
  func make(_ job: LayoutJob, replacing inForce: Layout, at now: UInt64) {
    guard case .carryingOut(let request) = state else {
      preconditionFailure("a job is made for a request that is carried out")
    }
    let estimate = JobEstimate(editor: editor, inForce: inForce, limit: quickMicroseconds)
      .microseconds(for: job)
    guard let estimate else { return endSettings(of: job) }
    guard estimate > quickMicroseconds else {
      let outcome = job.make(on: &editor)
      return conclude(job, outcome, editor?.layout ?? job.base, nil, replacing: inForce)
    }
    spent = now > began ? now - began : 0
    state = .inBackground(request)
    effects.append(.startThread(BackgroundChange(job: job, editor: editor, inForce: inForce)))
  }

  /// A background thread has made its change.
  func finish(_ made: MadeChange, at now: UInt64) {
    guard case .inBackground(let request) = state else {
      preconditionFailure("a thread ends that was started")
    }
    began = now
    state = .carryingOut(request)
    if let editor { effects.append(.free(editor)) }
    editor = made.editor
    conclude(made.job, made.outcome, made.layout, made.prepared, replacing: made.inForce)
  }

  /// Asks for what comes of a job that is made.
  private func conclude(
    _ job: LayoutJob, _ outcome: LayoutOutcome, _ layout: Layout, _ prepared: PreparedLayout?,
    replacing inForce: Layout
  ) {
    guard case .carryingOut(let request) = state else { return }
    if !outcome.dropped.isEmpty { effects.append(.log(outcome.dropped)) }
    let replacement = LayoutReplacement(
      layout, prepared, replacing: inForce, addedCounts: editor?.addedCounts ?? [:])
    hasChanged = layout !== inForce
    keptBytes = editor?.allKeptBytes ?? 0
    if let later = outcome.setters { setters.take(later) }
    forgetEndedMeanwhile()
    if case .move(let job) = job { return effects.append(.configure(job.new, replacement)) }
    if hasChanged { effects.append(.putInForce(replacement)) }
    if !outcome.recognizers.isEmpty { effects.append(.setRecognizers(outcome.recognizers)) }
    if !outcome.answers.isEmpty {
      effects.append(.answer(Array(zip(request.tokens, outcome.answers))))
    }
    endSettings(of: job)
    if hasChanged { effects.append(.follow(replacement)) }
  }

  private func endSettings(of job: LayoutJob) {
    if case .end(let job) = job { effects.append(.endSettings(job.ended)) }
  }

  // MARK: - Rights

  /// What a background thread has set by rights that have ended meanwhile is to be taken back.
  private func forgetEndedMeanwhile() {
    if endedMeanwhile.isEmpty, leftMeanwhile.isEmpty { return }
    var ends = setters.forget(where: endedMeanwhile.contains)
    for client in leftMeanwhile { ends.formUnion(setters.forget(of: client)) }
    endedMeanwhile.removeAll()
    leftMeanwhile.removeAll()
    if !ends.isEmpty { add(.end(ends)) }
  }

  /// Takes note that a client sets something through an attachment, or by a rule's right; what it
  /// is called there.
  func note(_ attachment: AttachmentID, of client: ClientID) -> UInt32 {
    setters.note(attachment, of: client)
    return setters.number(of: client)
  }

  /// Forgets the attachments that have ended for another reason than their client's wish.
  func forgetSetters(where isOver: (AttachmentID) -> Bool) { setters.forget(where: isOver) }

  /// Forgets all who have set something: nothing is set any more.
  func forgetSetters() { setters = Setters() }

  // MARK: - Handover

  /// Adds and sets again what the daemon before had, at once: before the first request. What is not
  /// possible by the configuration in force is as configured: all of it was possible together, and
  /// need not be one by one.
  ///
  /// - Returns: What is not set again, in words.
  func resume(
    _ views: [AddedView], _ changes: [SetChange], of configuration: Configuration,
    replacing inForce: Layout
  ) -> [String] {
    guard case .idle = state, !views.isEmpty || !changes.isEmpty else { return [] }
    var editor = editor ?? LayoutEditor(configuration)
    if !views.isEmpty {
      let dropped = DroppedPaths(editor.resume(views), in: editor.layout)
      if !dropped.isEmpty { effects.append(.log(dropped)) }
    }
    var texts: [String] = []
    if !changes.isEmpty, editor.apply([changes]) != [nil] {
      for (set, refusal) in zip(changes, editor.apply(changes.map { [$0] })) {
        guard let refusal else { continue }
        texts.append(
          "what was set of \"\(set.change.path)\" is not possible any more: \(refusal.message)")
      }
    }
    // The configuration may give less than that of the daemon before.
    let beyond = editor.dropBeyondAreas()
    if !beyond.isEmpty { effects.append(.log(DroppedPaths(beyond, in: editor.layout))) }
    self.editor = editor
    keptBytes = editor.allKeptBytes
    effects.append(
      .putInForce(
        LayoutReplacement(
          editor.layout, nil, replacing: inForce, addedCounts: editor.addedCounts)))
    return texts
  }

  /// Takes note of who has set something with the daemon before, and through which attachments.
  func resume(_ numbers: [ClientID: UInt32], through all: [Attachment], where set: [LayoutSetter]) {
    setters.resume(numbers, where: set)
    setters.resume(all, where: set)
  }
}

extension LayoutRequest {
  fileprivate var isReview: Bool { if case .review = self { true } else { false } }
}
