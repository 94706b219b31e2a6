import CLinux
import EventLoop
import Glibc

/// Lets connections in, shared by user as requests are. Rule F1.
///
/// All connections lie in one queue of the kernel's, whoever made them, so this queue is emptied
/// before anything else is done for them. A user that connects seldom comes in at once, and is
/// served behind quiet clients at first. The connections of one that connects often wait here, and
/// come in one a turn behind all clients, each user in its turn. One whose program has gone
/// meanwhile is closed.
final class Entrance {
  private struct User {
    /// How often it has connected of late.
    var rate: RequestRate
    var waiting: ArraySlice<Int32> = []
  }

  /// Lets a connection in, which is served as that level says.
  var admit: (Int32, SocketKind, RequestRate.Level) -> Void = { _, _, _ in }
  /// Refuses a connection where there is no room for it beside those that wait, of its user and in
  /// all; whether it did.
  var refuse: (Int32, _ user: UInt32, _ ofUser: Int, _ inAll: Int) -> Bool = { _, _, _, _ in false }
  /// Closes a connection that holds unread bytes.
  var discard: (Int32) -> Void = { _ in }
  /// A turn was had that was not for accepting.
  var onTurn: () -> Void = {}

  private unowned let loop: EventLoop
  private var users: [UInt32: User] = [:]
  /// Those of whom something waits, who is next at its front.
  private var order: ArraySlice<UInt32> = []
  /// Owned: ready for ever, and watched while something waits.
  private let bell: Int32
  private var source: EventSource?
  /// The connections that wait.
  private(set) var waitingCount = 0

  /// Those that are closed in one turn, at most, before one is let in.
  private static let mostClosedInTurn = 16
  /// The users that are kept in mind, at most, beside those of whom something waits.
  private static let mostUsers = 64

  init(on loop: EventLoop) throws(EventLoopError) {
    self.loop = loop
    bell = clinux_always_readable()
    guard bell >= 0 else { throw EventLoopError(action: "making an eventfd", code: errno) }
    source = try loop.addDescriptor(bell, interest: [], priority: .flooding) { [unowned self] _ in
      letOneIn()
    }
  }

  deinit {
    source?.cancel()
    Glibc.close(bell)
  }

  /// Takes a connection that was accepted; the descriptor is the entrance's from here on. The
  /// control socket's are let in at once: whoever may open that may stop the daemon as well.
  func take(_ descriptor: Int32, from kind: SocketKind) {
    if kind == .control { return admit(descriptor, kind, .quiet) }
    take(descriptor, of: PeerCredentials.user(of: descriptor))
  }

  /// The same for a connection of the client socket, of that user.
  func take(_ descriptor: Int32, of uid: UInt32) {
    let now = loop.present
    if users.count > Self.mostUsers { forgetQuiet(at: now) }
    var user = users[uid] ?? User(rate: RequestRate(now: now, as: .quiet))
    user.rate.add(now: now, spent: 0, hasMore: false)
    users[uid] = user
    if user.waiting.isEmpty, user.rate.level(at: now) == .quiet {
      return admit(descriptor, .client, .busy)
    }
    if closeIfGone(descriptor) { return }
    if refuse(descriptor, uid, user.waiting.count, waitingCount) { return }
    if user.waiting.isEmpty { order.append(uid) }
    users[uid]?.waiting.append(descriptor)
    waitingCount += 1
    source?.setInterest(.read)
  }

  /// Closes all that wait, and lets nobody in from now on.
  func stop() {
    source?.cancel()
    for user in users.values { user.waiting.forEach(discard) }
    users.removeAll()
    order.removeAll()
    waitingCount = 0
  }

  /// One turn: lets the next one in whose program is there still.
  private func letOneIn() {
    for _ in 0..<Self.mostClosedInTurn {
      guard let (descriptor, uid) = next() else { break }
      if closeIfGone(descriptor) { continue }
      let level = users[uid]?.rate.level(at: loop.present) ?? .flooding
      admit(descriptor, .client, level)
      break
    }
    if waitingCount == 0 { source?.setInterest([]) }
    onTurn()
  }

  /// Takes the first one of the user whose turn it is.
  private func next() -> (descriptor: Int32, uid: UInt32)? {
    guard let uid = order.popFirst(), let descriptor = users[uid]?.waiting.popFirst() else {
      return nil
    }
    waitingCount -= 1
    if users[uid]?.waiting.isEmpty == false { order.append(uid) }
    return (descriptor, uid)
  }

  /// Closes a connection whose program has gone; whether it has. What it has sent is lost: nobody
  /// could be told what came of it.
  private func closeIfGone(_ descriptor: Int32) -> Bool {
    var byte: UInt8 = 0
    let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
    if count == 0 {
      // Nothing lies unread in it, so no descriptor whose close may wait.
      Glibc.close(descriptor)
      return true
    }
    var state = pollfd(fd: descriptor, events: 0, revents: 0)
    guard poll(&state, 1, 0) == 1, state.revents & Int16(POLLHUP) != 0 else { return false }
    discard(descriptor)
    return true
  }

  private func forgetQuiet(at now: UInt64) {
    users = users.filter { !$1.waiting.isEmpty || $1.rate.level(at: now) != .quiet }
  }
}
