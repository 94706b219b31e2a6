import CLinux
import CSystemd
import Glibc

/// Tells the service manager how the service is, in its order, and never waits for it. Rule F1.
///
/// sd_notify waits where the service manager does not read: its socket blocks. Here what is not
/// taken at once waits in a queue, and is sent once it is. The queue is bounded: of reloads and
/// status texts in a row the latest stays. Every call does nothing without a service manager.
public final class ServiceNotifier {
  /// What was to be told later can't be told.
  public var onFailure: (EventLoopError) -> Void = { _ in }

  private struct Message {
    enum Kind { case status, reloading, ready, other }

    var kind: Kind
    var state: String
    /// Copies, of which this is the owner while the message waits.
    var descriptors: [Int32] = []
  }

  private unowned let loop: EventLoop
  private let address: String?
  /// -1 until it is needed, and where it has failed.
  private var socket: Int32 = -1
  /// There while something waits.
  private var source: EventSource?
  private var watchdog: TimerSource?
  private var waiting: [Message] = []

  /// The kernel passes at most 253 with one message.
  private static let descriptorsOfOneMessage = 250

  /// A notifier for the service manager of the environment, in a loop that outlives it.
  public init(on loop: EventLoop) {
    self.loop = loop
    address = ServiceManager.notifySocket
  }

  deinit {
    disconnect()
    watchdog?.cancel()
    for message in waiting { message.descriptors.forEach { close($0) } }
  }

  /// How many messages wait for the service manager.
  public var waitingCount: Int { waiting.count }

  /// The service is up; `status` is what `systemctl status` shows.
  @discardableResult
  public func ready(status: String) throws(EventLoopError) -> Bool {
    try tell(Message(kind: .ready, state: "READY=1\nSTATUS=\(Self.singleLine(status))"))
  }

  /// What `systemctl status` shows from now on.
  @discardableResult
  public func status(_ status: String) throws(EventLoopError) -> Bool {
    try tell(Message(kind: .status, state: "STATUS=\(Self.singleLine(status))"))
  }

  /// The service reads its configuration again; `ready(status:)` says when it has. `now` is the
  /// loop's, in microseconds.
  @discardableResult
  public func reloading(now: UInt64) throws(EventLoopError) -> Bool {
    try tell(Message(kind: .reloading, state: "RELOADING=1\nMONOTONIC_USEC=\(now)"))
  }

  /// The service is on its way down.
  @discardableResult
  public func stopping() throws(EventLoopError) -> Bool {
    try tell(Message(kind: .other, state: "STOPPING=1"))
  }

  /// Gives descriptors to the service manager, which has them from here on beside us. One of which
  /// the peer hangs up meanwhile is dropped.
  public func store(_ descriptors: [Int32], name: String) throws(EventLoopError) {
    var rest = descriptors[...]
    while !rest.isEmpty {
      let batch = Array(rest.prefix(Self.descriptorsOfOneMessage))
      rest = rest.dropFirst(batch.count)
      let state = "FDSTORE=1\nFDNAME=\(name)"
      try tell(Message(kind: .other, state: state, descriptors: batch))
    }
  }

  /// Has the service manager drop what it keeps by that name.
  public func forget(_ name: String) throws(EventLoopError) {
    try tell(Message(kind: .other, state: "FDSTOREREMOVE=1\nFDNAME=\(name)"))
  }

  /// Tells the service manager's watchdog, from now on and twice as often as it asks, that the loop
  /// turns; whether it asks at all. What it does not take is lost: the next one says the same. The
  /// corresponding C function is sd_watchdog_enabled.
  @discardableResult
  public func enableWatchdog() throws(EventLoopError) -> Bool {
    var interval: UInt64 = 0
    let isAsked = try EventLoopError.check(
      sd_watchdog_enabled(0, &interval), "enabling the watchdog")
    guard isAsked > 0 else { return false }
    let period = max(1, interval / 2)
    watchdog = try loop.addTimer(after: period, accuracy: period / 4, priority: .watchdog) {
      [unowned self] in
      watchdog?.arm(after: period)
      _ = send(Message(kind: .other, state: "WATCHDOG=1"))
    }
    _ = send(Message(kind: .other, state: "WATCHDOG=1"))
    return true
  }

  /// Waits at the process's end, for at most so long, until all was told.
  public func finish(milliseconds: Int32) {
    let end = loop.present + UInt64(milliseconds) * 1_000
    while !waiting.isEmpty {
      let now = loop.present
      guard now < end else { return }
      var ready = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
      _ = poll(&ready, 1, Int32((end - now) / 1_000) + 1)
      flush()
    }
  }

  /// Sends a message, or has it wait; whether there is a service manager.
  @discardableResult
  private func tell(_ message: Message) throws(EventLoopError) -> Bool {
    guard address != nil else { return false }
    if waiting.isEmpty {
      let code = send(message)
      if code == 0 { return true }
      guard code == EAGAIN else { throw Self.failure(of: message, code) }
    }
    var message = message
    message.descriptors = try Self.copies(of: message.descriptors)
    makeRoom(for: message)
    waiting.append(message)
    watch()
    return true
  }

  /// Drops what a message makes needless: the status before, and the reload that waits, with its
  /// end. The first readiness stays.
  private func makeRoom(for message: Message) {
    switch message.kind {
    case .status:
      if waiting.last?.kind == .status { waiting.removeLast() }
    case .reloading:
      guard let start = waiting.firstIndex(where: { $0.kind == .reloading }) else { return }
      let kept = waiting[start...].filter { $0.kind == .other }
      waiting.replaceSubrange(start..., with: kept)
    case .ready, .other: break
    }
  }

  private func flush() {
    while let message = waiting.first {
      let code = send(message)
      if code == EAGAIN { return watch() }
      waiting.removeFirst()
      message.descriptors.forEach { close($0) }
      if code != 0 { onFailure(Self.failure(of: message, code)) }
    }
    source?.cancel()
    source = nil
  }

  private func watch() {
    guard source == nil else { return }
    do throws(EventLoopError) {
      source = try loop.addDescriptor(socket, interest: .write) { [unowned self] _ in flush() }
    } catch { onFailure(error) }
  }

  /// Sends without waiting: 0, or the errno. A service manager that has come anew is found again.
  private func send(_ message: Message) -> Int32 {
    let isNew = socket < 0
    let code = attempt(message)
    guard !isNew, [ECONNREFUSED, ECONNRESET, ENOTCONN, EPIPE].contains(code) else { return code }
    disconnect()
    return attempt(message)
  }

  private func attempt(_ message: Message) -> Int32 {
    guard let address else { return ENOTCONN }
    if socket < 0 { socket = clinux_notify_connect(address) }
    guard socket >= 0 else { return errno }
    let result = clinux_notify_send(
      socket, message.state, message.descriptors, message.descriptors.count)
    return result == 0 ? 0 : errno
  }

  private func disconnect() {
    source?.cancel()
    source = nil
    if socket >= 0 { close(socket) }
    socket = -1
  }

  private static func copies(of descriptors: [Int32]) throws(EventLoopError) -> [Int32] {
    var copies: [Int32] = []
    for descriptor in descriptors {
      let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
      guard copy >= 0 else {
        let code = errno
        copies.forEach { close($0) }
        throw EventLoopError(action: "keeping a descriptor for systemd", code: code)
      }
      copies.append(copy)
    }
    return copies
  }

  private static func failure(of message: Message, _ code: Int32) -> EventLoopError {
    EventLoopError(action: "telling systemd \"\(message.state.printableLine)\"", code: code)
  }

  /// A line feed would begin another assignment.
  private static func singleLine(_ text: String) -> String {
    String(text.map { $0.isNewline ? " " : $0 })
  }
}

extension String {
  /// Its assignments in one line.
  fileprivate var printableLine: String { String(map { $0.isNewline ? " " : $0 }) }
}
