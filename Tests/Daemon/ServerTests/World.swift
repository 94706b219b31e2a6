import CTouchroute
import EventLoop
import Glibc
import Layout
import Logging
import Routing
import Testing
import TouchModel

@testable import Server

/// A server in its loop, and what it handed out. Everything runs in the test's own thread: `turn`
/// lets the server work until something has come true.
final class World: ServerDelegate {
  let loop: EventLoop
  let server: Server
  var requests: [(token: RequestToken, request: Request)] = []
  /// The batches of changes, as they were handed out together.
  var changes: [[[ViewChange]]] = []
  /// The clients that want something changed.
  private(set) var waiting: [ClientID] = []
  /// Whether they wait until ``goOn()``.
  var isHeld = false
  var gone: [ClientID] = []
  /// Who stopped reading and who reads again.
  var reading: [Reading] = []
  /// The turns of the loop.
  private(set) var turns = 0
  /// What is done where a client reads again.
  var onReadsAgain: (() -> Void)?
  /// What is done with each request, beside keeping it.
  var onRequest: ((RequestToken, Request) -> Void)?

  static let greeting = Greeting(
    screens: [
      Screen(name: "panel", size: Size(width: 800, height: 480), rotation: .quarter),
      Screen(name: "bar", size: Size(width: 1920, height: 120)),
    ], maximumAttachments: 256, decisionTimeoutMilliseconds: 250,
    unresponsiveAfterMilliseconds: 2000)

  enum Reading: Equatable {
    case stopped(ClientID)
    case again(ClientID)
  }

  /// - Parameter time: The loop's, where it is to stand still.
  init(limits: ServerLimits = ServerLimits(), time: UInt64? = nil) throws {
    loop = try EventLoop(time: time)
    server = try Server(
      loop: loop, greeting: Self.greeting, limits: limits,
      logger: Logger(label: "server") { _ in SwiftLogNoOpLogHandler() })
    server.delegate = self
    loop.atEndOfTurn { [unowned self] in
      turns += 1
      server.endTurn()
    }
  }

  func handle(_ event: Server.Event) {
    switch event {
    case .request(let token, let request):
      requests.append((token, request))
      onRequest?(token, request)
    case .wantsChange(let client):
      waiting.append(client)
      if !isHeld { goOn() }
    case .wentAway(let client):
      waiting.removeAll { $0 == client }
      gone.append(client)
    case .stoppedReading(let client): reading.append(.stopped(client))
    case .readsAgain(let client):
      reading.append(.again(client))
      onReadsAgain?()
    }
  }

  /// Takes the changes of those who wait, each client's together, and has them go on.
  func goOn() {
    while !waiting.isEmpty {
      let client = waiting.removeFirst()
      var batches: [[ViewChange]] = []
      while let (token, request) = server.takeChange(of: client, isSetTaken: true) {
        guard case .set(let changes) = request else {
          requests.append((token, request))
          onRequest?(token, request)
          continue
        }
        batches.append(changes)
        server.answer(token, generation: 2)
      }
      if !batches.isEmpty { changes.append(batches) }
      server.goOn(client)
    }
  }

  /// A client over a socketpair.
  func connect(_ kind: SocketKind = .client) throws -> RawClient {
    let pair = try SocketPair()
    server.pool.admit(pair.inner, from: kind)
    server.endTurn()
    return RawClient(pair.outer)
  }

  /// A client that a listener has accepted, as in the daemon.
  func connect(through listener: Listener) throws -> RawClient {
    let client = try RawClient(path: listener.path)
    server.pool.admit(try listener.accept().get(), from: listener.kind)
    server.endTurn()
    return client
  }

  /// A client over a socketpair that has said hello and was welcomed.
  func greeted(_ kind: SocketKind = .client, name: String = "test") throws -> RawClient {
    try greet(try connect(kind), name: name)
  }

  /// A client says hello and is welcomed.
  @discardableResult
  func greet(_ client: RawClient, name: String = "test") throws -> RawClient {
    client.send(RequestBytes.hello(name: name))
    let welcome = try message(for: client)
    try #require(welcome.opcode == TOUCHROUTE_WELCOME.rawValue)
    return client
  }

  /// Lets the server work until the condition holds; a failure where it does not within 20 s.
  func turn(until condition: () -> Bool) throws {
    for _ in 0..<20_000 {
      if condition() { return }
      try loop.runTurn(timeoutMicroseconds: 1_000)
    }
    try #require(condition(), "it has not come true within 20 s")
  }

  /// The client's number, which the server gives away with its requests.
  func identify(_ client: RawClient) throws -> ClientID {
    client.send(RequestBytes.detach(serial: 99, attachment: 0))
    let count = requests.count
    try turn { requests.count > count }
    return try #require(requests.last).token.client
  }

  /// Queues a frame in which nothing begins.
  func send(_ frame: Deliveries.ClientFrame, _ records: ReusableList<Deliveries.Record>) throws {
    server.send(frame, of: records, in: try Layouts.home())
  }

  /// A frame of so many touches in one phase.
  static func frame(
    to client: ClientID, _ count: Int = 10, sequence: UInt64 = 1, phase: TouchPhase = .moved
  ) -> (Deliveries.ClientFrame, ReusableList<Deliveries.Record>) {
    let records = (0..<count).map { number in
      Deliveries.Record(
        id: TouchID(UInt64(number + 1)), time: Timestamp(microseconds: 1),
        attachment: AttachmentID(1), target: ViewIndex(0), targetIndex: 0,
        namesTarget: phase == .began, phase: phase, cancelReason: nil, phases: .all, flags: [],
        tapCount: 1, screen: ScreenIndex(0),
        location: .zero, previousLocation: .zero, windowLocation: .zero, screenLocation: .zero,
        wantsHistory: true)
    }
    let frame = Deliveries.ClientFrame(
      client: client, device: DeviceID(1), time: Timestamp(microseconds: 1), sequence: sequence,
      records: 0..<count)
    return (frame, ReusableList(records))
  }

  /// Lets the server work until it has nothing to do.
  func turnUntilIdle() throws {
    while try loop.runTurn(timeoutMicroseconds: 0) {}
  }

  /// The next message for a client.
  func message(for client: RawClient) throws -> Message {
    var message: Message?
    try turn {
      message = client.next()
      return message != nil || client.isClosed
    }
    return try #require(message, "the connection was closed")
  }

  /// What a client is told until it is disconnected.
  func lastWords(to client: RawClient) throws -> [Message] {
    var messages: [Message] = []
    try turn {
      while let message = client.next() { messages.append(message) }
      return client.isClosed
    }
    return messages
  }
}

extension ReusableList {
  /// One with these elements.
  convenience init(_ elements: some Sequence<Element>) {
    self.init()
    for element in elements { append(element) }
  }
}
