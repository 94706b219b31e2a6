import CLinux
import Glibc
public import Routing

/// Leaving clients to another daemon, and taking them from one: their connections go on.
extension Server {
  /// The clients that can be left to another daemon, at most so many, and their sockets in the same
  /// order; these stay the server's. Belongs after ``endTurn()``.
  public func clientsToHandOver(limit: Int) -> (clients: [ClientID], descriptors: [Int32]) {
    let kept = sessions.all.filter { $0.stage != .ending }.prefix(limit)
    return (kept.map(\.id), kept.map(\.descriptor))
  }

  /// What another daemon has to know of a client; nil where it is gone.
  public func handover(of client: ClientID) -> Handover.Client? {
    guard let session = sessions[client] else { return nil }
    let unsent = session.output.unsent
    return Handover.Client(
      cookie: clinux_socket_cookie(session.descriptor), socket: session.socket,
      name: session.name, version: session.version, isObserver: session.isObserver,
      received: session.decoder.unread, unsent: unsent.bytes, sent: unsent.sent)
  }

  /// Lets go of a client's socket without a word: another daemon has it.
  public func letGo(of client: ClientID) {
    guard let session = sessions[client] else { return }
    forgetReading(of: session)
    changes?.remove(session)
    order?.remove(session)
    closer.letGo(of: session.descriptor, of: session.peer.uid, on: session.socket)
    forget(session)
  }

  /// Takes over a client from another daemon; the descriptor is the server's from here on. Nil
  /// where it is no connection any more.
  public func takeOver(_ client: Handover.Client, _ descriptor: Int32) -> ClientID? {
    guard let peer = PeerCredentials(of: descriptor) else {
      discard(descriptor, from: client.socket)
      return nil
    }
    let session = begin(descriptor, from: client.socket, peer: peer)
    session.output.resume(client.unsent, sent: client.sent)
    session.decoder.unread = client.received
    if client.version > 0 {
      session.open(name: client.name, version: client.version)
      session.isObserver = client.isObserver
      session.appendWelcome(greeting, serial: 0)
    }
    return session.id
  }

  /// The number by which a client is known that another daemon has left; 0 for what is no socket.
  public static func cookie(of descriptor: Int32) -> UInt64 { clinux_socket_cookie(descriptor) }
}
