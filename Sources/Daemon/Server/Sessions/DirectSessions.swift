package import Routing

/// Sessions over connections that come from no listener, such as an end of a socketpair, and what
/// is known of them: for who drives the server without a socket's file, as the simulator does.
package struct DirectSessions {
  private let pool: SessionPool

  /// The sessions of a server; a value for as long as that is there.
  package init(of server: Server) { pool = server.pool }

  /// All of them: whose they are, and over which connection.
  package var all: [(client: ClientID, descriptor: Int32, kind: SocketKind, peer: PeerCredentials)]
  {
    pool.all.map { ($0.id, $0.descriptor, $0.client.socket, $0.client.peer) }
  }

  /// Takes a new connection in; the descriptor is the server's from here on. Returns its client;
  /// nil where a limit refuses it. Rule F5.
  package func admit(
    _ descriptor: Int32, from kind: SocketKind, of peer: PeerCredentials
  ) -> ClientID? {
    pool.admit(descriptor, from: kind, of: peer)?.id
  }

  /// Why a client's session has ended; empty where it has not, or is forgotten.
  package func endReason(of client: ClientID) -> String {
    pool.all.first { $0.id == client }?.endReason ?? ""
  }

  /// Whether any client is waited for: to read, or to say what it must by a time. Rule F3.
  package var isWaiting: Bool { pool.timeouts.count != 0 || !pool.readers.isIdle }
}
