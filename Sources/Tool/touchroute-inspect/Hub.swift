import Glibc
import InspectorLink
import NIOCore
import NIOHTTP1
import NIOPosix

/// What joins browsers and touchroute: who listens to what happens, and who waits for an answer.
final class Hub {
  private let loop: any EventLoop
  /// Sends a message to touchroute.
  private let send: (InspectorMessage) -> Void
  private(set) var settings = InspectorSettings(place: .port(0), file: nil, allowsInput: false)
  /// A descriptor of the record that is shown; -1 where there is none.
  private(set) var record: CInt = -1
  /// What a browser must know to be let in.
  let token = Token()
  private var listeners: [UInt32: Listener] = [:]
  private var asking: [UInt32: BrowserConnection] = [:]
  /// Pages and requests that left before their answers came. They keep their places until then, so
  /// that touchroute never has more to answer than there are places.
  private var gone: (listeners: Set<UInt32>, asking: Set<UInt32>) = ([], [])
  private var connections = OpenConnections()
  private var last: UInt32 = 0

  /// So many pages may listen at once: a browser has six connections to one server, of which each
  /// page takes one for good, and needs others to ask.
  private static let mostListeners = 4
  /// So many requests may wait for touchroute.
  private static let mostAsking = 16

  /// The kernel's name for this machine since it was started. With another one clocks begin anew.
  private static let machine: String = {
    let descriptor = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 36)
    guard read(descriptor, &bytes, bytes.count) == bytes.count else { return "" }
    return String(decoding: bytes, as: UTF8.self)
  }()

  init(_ loop: any EventLoop, send: @escaping (InspectorMessage) -> Void) {
    self.loop = loop
    self.send = send
  }

  /// Takes what touchroute says.
  func take(_ message: InspectorMessage) throws(InspectorMessageReader.Garbled) {
    // Whatever it is, it is the answer that was still to come.
    gone.listeners.remove(message.number)
    gone.asking.remove(message.number)
    switch message.kind {
    case .begin:
      guard let settings = InspectorSettings(body: message.body) else {
        throw InspectorMessageReader.Garbled()
      }
      self.settings = settings
      if let file = settings.file { record = open(file, O_RDONLY | O_CLOEXEC) }
      listen()
    case .record: listeners[message.number]?.take(record: message.body)
    case .away: listeners[message.number]?.take(absence: message.body)
    case .line: for listener in listeners.values { listener.take(line: message.body) }
    case .json: answer(message, .ok, "application/json")
    case .text: answer(message, .ok, "text/plain; charset=utf-8")
    case .refusal: answer(message, .unprocessableEntity, "text/plain; charset=utf-8")
    case .joined, .left, .hit, .draw, .input, .metrics: throw InspectorMessageReader.Garbled()
    }
  }

  private func answer(_ message: InspectorMessage, _ status: Answer.Status, _ type: String) {
    asking.removeValue(forKey: message.number)?
      .answer(Answer(status, type: type, body: message.body))
  }

  private func listen() {
    let hub = NIOLoopBound(self, eventLoop: loop)
    let bootstrap = ServerBootstrap(group: loop)
      .serverChannelOption(.backlog, value: 1024)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(
        .writeBufferWaterMark, value: .init(low: Listener.backlog / 16, high: Listener.backlog)
      )
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try hub.value.welcome(channel) }
      }
    let bound =
      switch settings.place {
      case .port(let port): bind(bootstrap, port)
      case .socket(let path): bootstrap.bind(unixDomainSocketPath: LeftSocket.removed(path))
      }
    bound.assumeIsolated().whenComplete { result in
      switch result {
      case .success(let channel):
        Privileges.drop()
        self.tell(channel)
      case .failure(let error): Complaint.end("\(self.settings.place.words): \(reason(error))")
      }
    }
  }

  /// Listens on a port of both addresses that `localhost` may be: else another user's program could
  /// listen on the other one, and learn the token of a browser that is sent there.
  private func bind(_ bootstrap: ServerBootstrap, _ port: UInt16) -> EventLoopFuture<any Channel> {
    bootstrap.bind(host: "127.0.0.1", port: Int(port)).assumeIsolated().flatMap { channel in
      let port = channel.localAddress?.port ?? 0
      return bootstrap.bind(host: "::1", port: port).assumeIsolated()
        .map { _ in channel }
        .flatMapErrorThrowing { error in
          let code = (error as? IOError)?.errnoCode
          // Without IPv6 nobody else can listen there either.
          if code == EADDRNOTAVAIL || code == EAFNOSUPPORT { return channel }
          Complaint.end("port \(port) of [::1] can't be listened on: \(reason(error))")
        }
        .nonisolated()
    }
    .nonisolated()
  }

  /// Prints the address.
  private func tell(_ channel: any Channel) {
    let text: String
    switch settings.place {
    case .port: text = "http://127.0.0.1:\(channel.localAddress?.port ?? 0)/\(token.text)/\n"
    case .socket(let path): text = "\(path): http://localhost/\(token.text)/\n"
    }
    let bytes = Array(text.utf8)
    _ = bytes.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
  }

  private func welcome(_ channel: any Channel) throws {
    let connection = BrowserConnection(self)
    guard connections.add(connection, channel) else { return channel.close(promise: nil) }
    let hub = NIOLoopBound((self, connection), eventLoop: loop)
    channel.closeFuture.whenComplete { _ in
      let (hub, connection) = hub.value
      hub.connections.remove(connection)
    }
    try connection.add(to: channel)
  }

  /// A connection has shown the token.
  func know(_ connection: BrowserConnection) { connections.know(connection) }

  /// A page wants to hear what happens; nil where too many do.
  func listen(_ connection: BrowserConnection) -> UInt32? {
    guard listeners.count + gone.listeners.count < Self.mostListeners else { return nil }
    let number = next()
    let hello =
      "{\"client\":\(number),\"file\":\(settings.file == nil ? "false" : "true"),"
      + "\"input\":\(settings.allowsInput),\"machine\":\"\(Self.machine)\"}"
    let listener = Listener(connection, hello: hello) { [send] isAgain in
      send(InspectorMessage(.joined, number, isAgain ? "again" : ""))
    }
    listeners[number] = listener
    if settings.file == nil { listener.begin() }
    return number
  }

  /// A page is gone.
  func leave(_ number: UInt32) {
    guard let listener = listeners.removeValue(forKey: number) else { return }
    if listener.isAsking { gone.listeners.insert(number) }
    if settings.file == nil { send(InspectorMessage(.left, number)) }
  }

  /// A page reads again.
  func resume(_ number: UInt32) { listeners[number]?.resume() }

  /// Passes a request on to touchroute; nil where too many wait.
  func ask(_ kind: InspectorMessage.Kind, _ body: [UInt8], for connection: BrowserConnection)
    -> UInt32?
  {
    guard asking.count + gone.asking.count < Self.mostAsking else { return nil }
    let number = next()
    asking[number] = connection
    send(InspectorMessage(kind, number, body))
    return number
  }

  /// Whoever has asked is gone.
  func forget(_ number: UInt32) {
    if asking.removeValue(forKey: number) != nil { gone.asking.insert(number) }
  }

  private func next() -> UInt32 {
    last &+= 1
    return last
  }
}

extension InspectorSettings.Place {
  fileprivate var words: String {
    switch self {
    case .port(let port): "port \(port) of 127.0.0.1 can't be listened on"
    case .socket(let path): "\(path) can't be listened on"
    }
  }
}

/// What the system says, without the call that failed.
private func reason(_ error: any Error) -> String {
  guard let error = error as? IOError else { return "\(error)" }
  switch error.errnoCode {
  case EADDRINUSE: return "it is in use: name another one, or end who has it"
  default: return String(cString: strerror(error.errnoCode))
  }
}
