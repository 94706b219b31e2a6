import Configuration
import Layout
import Routing
import TouchModel

@testable import Exchange
@testable import Server

/// What owns the transactions in a test: clients that ask, a layout in force, a clock, and a thread
/// that ends when the test says. It has no socket and no loop.
final class TransactionBench {
  static let text = """
    [screen.panel]
    size = [800, 480]
    [[window]]
    name = "left"
    frame = [0, 0, 400, 480]
    [[view]]
    path = "left/a"
    frame = [0, 0, 50, 50]
    [[view]]
    path = "left/b"
    frame = [50, 0, 50, 50]
    [[window]]
    name = "right"
    frame = [400, 0, 400, 480]
    [[view]]
    path = "right/a"
    frame = [0, 0, 50, 50]

    """

  /// A request that is carried out, and when that begins.
  struct Step {
    let request: LayoutRequest
    let began: UInt64
  }

  let transactions: LayoutTransactions
  private(set) var configuration: Configuration
  private(set) var pipeline: TouchPipeline
  var now: UInt64 = 1_000_000
  /// How long it takes to carry a request out, in microseconds.
  var cost: (LayoutRequest) -> UInt64 = { _ in 0 }
  /// Is told of each request as it is carried out.
  var onStep: (LayoutRequest) -> Void = { _ in }
  /// What each client has asked for and was not taken.
  private(set) var unread: [ClientID: [(token: RequestToken, request: Request)]] = [:]
  private(set) var waiting: Set<ClientID> = []
  /// The serials of the answers to each client; negative where it was refused.
  private(set) var answers: [ClientID: [Int]] = [:]
  /// What was gathered at a time, as serials.
  private(set) var gathered: [(time: UInt64, tokens: [RequestToken])] = []
  private(set) var steps: [Step] = []
  /// What the thread makes.
  private(set) var thread: BackgroundChange?
  private var lastSerial: UInt32 = 0

  init(_ text: String = text, quickMicroseconds: Int = 500) throws {
    configuration = try Configuration.parse([(file: "test.toml", text: text)])
    pipeline = TouchPipeline(layout: configuration.layout)
    transactions = LayoutTransactions(quickMicroseconds: quickMicroseconds)
  }

  var layout: Layout { pipeline.layout }

  static func client(_ number: Int) -> ClientID { ClientID(slot: UInt32(number), generation: 1) }

  // MARK: - What clients do

  /// A client asks for something; its serial.
  @discardableResult
  func ask(_ client: ClientID, _ request: Request) -> Int {
    lastSerial += 1
    let opcode: Opcode =
      switch request {
      case .set: .set
      case .changeViews: .changeViews
      default: .removeGesture
      }
    let token = RequestToken(client: client, serial: lastSerial, opcode: opcode)
    unread[client, default: []].append((token, request))
    return Int(lastSerial)
  }

  @discardableResult
  func set(_ client: ClientID, _ path: String, alpha: Double = 0.5) -> Int {
    ask(client, .set([ViewChange(path, .alpha(alpha))]))
  }

  /// The requests that clients have made are read, up to the one at which each waits.
  func turn() {
    for client in unread.keys.sorted(by: { $0.slot < $1.slot })
    where unread[client]?.isEmpty == false && waiting.insert(client).inserted {
      transactions.want(client)
      goOn()
    }
    goOn()
  }

  /// Time passes.
  func pass(to time: UInt64) {
    now = max(now, time)
    goOn()
    turn()
  }

  func attach(_ client: ClientID, _ path: String) throws -> Attachment {
    try pipeline.attach(
      AttachRequest(path: path), by: client, at: Timestamp(microseconds: now))
  }

  func detach(_ attachment: Attachment) throws {
    try pipeline.detach(
      attachment.id, by: attachment.client, at: Timestamp(microseconds: now))
    transactions.end([attachment.id], of: attachment.client)
    goOn()
  }

  func leave(_ client: ClientID) {
    pipeline.gone(client, at: Timestamp(microseconds: now))
    unread[client] = nil
    waiting.remove(client)
    transactions.wentAway(client)
    goOn()
  }

  func reload(_ text: String) throws {
    let new = try Configuration.parse([(file: "test.toml", text: text)])
    transactions.add(.reload(PreparedConfiguration(new, replacing: configuration)))
    goOn()
  }

  /// The thread has made its change.
  func finishThread() {
    guard let change = thread else { return }
    thread = nil
    transactions.finish(change.make(), at: now)
    goOn()
  }

  // MARK: - What the owner does

  func goOn() { while let effect = transactions.next(at: now) { apply(effect) } }

  private func apply(_ effect: LayoutEffect) {
    switch effect {
    case .gather(let empty, let clients): gather(empty, of: clients)
    case .carryOut(let request):
      precondition(thread == nil, "nothing is carried out while a thread makes a change")
      steps.append(Step(request: request, began: now))
      onStep(request)
      now += cost(request)
      carryOut(request)
    case .startThread(let change):
      precondition(thread == nil, "one thread at a time makes a change")
      thread = change
    case .putInForce(let replacement): putInForce(replacement)
    case .configure(let new, let replacement):
      configuration = new.configuration
      putInForce(replacement)
    case .answer(let all):
      for (token, refusal) in all {
        let serial = Int(token.serial)
        answers[token.client, default: []].append(refusal == nil ? serial : -serial)
      }
    case .goOn(let client): waiting.remove(client)
    case .follow, .free, .log, .setRecognizers, .endSettings, .carriedOut: break
    }
  }

  private func gather(_ empty: Transaction, of clients: [ClientID]) {
    var transaction = empty
    var tokens: [RequestToken] = []
    for client in clients where transaction.takesClients {
      transaction.begin(client)
      while transaction.takesRequest, let (token, request) = unread[client]?.first {
        if case .set = request, !transaction.takesSet { break }
        unread[client]?.removeFirst()
        tokens.append(token)
        transaction.take(request, token)
      }
    }
    gathered.append((now, tokens))
    transactions.begin(transaction)
  }

  private func putInForce(_ replacement: LayoutReplacement) {
    precondition(thread == nil, "no layout comes in force while a thread makes one")
    pipeline.replaceLayout(
      replacement.layout, prepared: replacement.prepared, at: Timestamp(microseconds: now))
  }

  private func carryOut(_ request: LayoutRequest) {
    switch request {
    case .set(let batches): make(.set(job(batches)))
    case .change(let token, .changeViews(let views)):
      guard let attachment = pipeline.router.attachments[views.attachment],
        attachment.client == token.client, let held = layout.view(of: attachment.responder)
      else { return refuse(token) }
      make(.views(job(views, attachment, held)))
    case .change(let token, _):
      answers[token.client, default: []].append(Int(token.serial))
    case .reload(let new): make(.move(MoveJob(new: new, rights: rights)))
    case .end(let ends):
      make(.end(EndJob(ended: .ends(ends), rights: rights, configuration: configuration)))
    case .review, .serveQueue, .detached, .reloaded: break
    }
  }

  private func refuse(_ token: RequestToken) {
    answers[token.client, default: []].append(-Int(token.serial))
  }

  private func make(_ job: LayoutJob) {
    transactions.make(job, replacing: layout, at: now)
  }

  /// Every client is a program of one user.
  private func program(_ client: ClientID) -> ConnectedProgram {
    ConnectedProgram(
      client: client, isControl: client.slot == 0, user: 7, groups: [], name: "pid 1 (me)")
  }

  private var policy: AccessPolicy {
    AccessPolicy(configuration, layout: layout, pipeline.router.attachments)
  }

  private var rights: SetterRights {
    return SetterRights(
      policy: policy, setters: transactions.setters,
      programs: transactions.setters.programs(beside: [:], program))
  }

  private func job(_ batches: [(token: RequestToken, changes: [ViewChange])]) -> SetJob {
    SetJob(
      batches: batches.map { token, changes in
        SetJob.Batch(
          changes: changes, program: program(token.client), clientsOfUser: [], refusal: nil,
          budget: nil)
      }, policy: policy, setters: transactions.setters, rights: rights)
  }

  private func job(_ views: ViewsRequest, _ attachment: Attachment, _ held: ViewIndex) -> ViewsJob {
    let number = transactions.note(attachment.id, of: attachment.client)
    return ViewsJob(
      request: views, attachment: attachment, held: held, program: program(attachment.client),
      policy: policy, clientsOfUser: [], number: number, budget: nil,
      setters: transactions.setters, rights: rights)
  }
}
