import CLinux
import Glibc

/// Closes connections so that the loop never waits for a close. Rule F1.
///
/// A connection may hold descriptors that were passed with bytes that nobody has read. The last
/// reference to one of them would go with the connection, and dropping it may wait for as long as
/// the client likes: for a TCP socket with SO_LINGER that has bytes to send. A connection without
/// such bytes is closed at once. Any other is closed by a thread of its user's, while there is one
/// to close.
final class ConnectionCloser {
  /// Whose connection it was.
  private struct Owner: Hashable {
    var socket: SocketKind
    var uid: UInt32
  }

  /// Owned.
  private var threads: [Owner: OpaquePointer] = [:]

  /// Reads up to so many bytes, to see that no descriptor is among them.
  private static let longestLook = 65_536

  deinit {
    for thread in threads.values { clinux_closer_release(thread) }
  }

  /// The connections of a user that are not closed yet: their descriptors are in use still.
  func pending(_ uid: UInt32, on socket: SocketKind) -> Int {
    threads[Owner(socket: socket, uid: uid)].map { clinux_closer_pending($0) } ?? 0
  }

  /// The connections of all users that are not closed yet.
  func pendingCount(of socket: SocketKind) -> Int {
    threads.reduce(0) { $1.key.socket == socket ? $0 + clinux_closer_pending($1.value) : $0 }
  }

  /// Ends a connection: its peer sees the end at once, whenever it is closed.
  func close(_ descriptor: Int32, of uid: UInt32, on socket: SocketKind) {
    // From here on nothing more comes, so that what is read is all that there was.
    shutdown(descriptor, Int32(SHUT_RDWR))
    if Self.holdsNoDescriptor(descriptor) {
      Glibc.close(descriptor)
    } else {
      closeLater(descriptor, of: uid, on: socket)
    }
  }

  /// Gives a descriptor of a connection up that goes on elsewhere: its peer sees nothing of it.
  func letGo(of descriptor: Int32, of uid: UInt32, on socket: SocketKind) {
    closeLater(descriptor, of: uid, on: socket)
  }

  /// Closes a socket that listens, or has only tried to connect.
  static func closeAlone(_ descriptor: Int32) {
    let thread = makeThread()
    close(descriptor, with: thread)
    clinux_closer_release(thread)
  }

  private func closeLater(_ descriptor: Int32, of uid: UInt32, on socket: SocketKind) {
    Self.close(descriptor, with: thread(of: Owner(socket: socket, uid: uid)))
  }

  private static func close(_ descriptor: Int32, with thread: OpaquePointer) {
    let result = clinux_closer_close(thread, descriptor)
    precondition(result == 0, "there is memory for a connection to close")
  }

  private static func makeThread() -> OpaquePointer {
    guard let thread = clinux_closer_make() else {
      preconditionFailure("there is memory for a closer")
    }
    return thread
  }

  private func thread(of owner: Owner) -> OpaquePointer {
    if let thread = threads[owner] { return thread }
    for (other, thread) in threads where clinux_closer_pending(thread) == 0 {
      clinux_closer_release(thread)
      threads[other] = nil
    }
    let thread = Self.makeThread()
    threads[owner] = thread
    return thread
  }

  /// Whether nothing lies unread in a connection, once what does was read, that may hold one.
  /// ``Listener/accept()`` has seen to it that reading on drops nothing.
  private static func holdsNoDescriptor(_ descriptor: Int32) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { buffer in
      for _ in 0..<(longestLook / buffer.count) {
        let count = clinux_receive(descriptor, buffer.baseAddress, buffer.count)
        // ECONNRESET is told once, where nothing is left to read.
        if count == 0 || count < 0 && errno == ECONNRESET { return true }
        if count < 0 && errno != EINTR { return false }
      }
      return false
    }
  }
}
