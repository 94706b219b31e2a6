public import Routing

/// Leaving clients to another daemon, and taking them from one: their connections go on.
extension Server {
  /// The clients that can be left to another daemon, at most so many, and their sockets in the same
  /// order; these stay the server's. Belongs after ``endTurn()``.
  public func clientsToHandOver(limit: Int) -> (clients: [ClientID], descriptors: [Int32]) {
    let kept = pool.all.filter { !$0.state.isOver }.prefix(limit)
    return (kept.map(\.id), kept.map(\.descriptor))
  }

  /// What another daemon has to know of a client; nil where it is gone.
  public func handover(of client: ClientID) -> Handover.Client? { pool[client]?.handover }

  /// Lets go of a client's socket without a word: another daemon has it.
  public func letGo(of client: ClientID) {
    guard let session = pool[client] else { return }
    requests.remove(session)
    pool.letGo(session)
  }

  /// Takes over a client from another daemon; the descriptor is the server's from here on. Nil
  /// where it is no longer a connection.
  public func takeOver(_ client: Handover.Client, _ descriptor: Int32) -> ClientID? {
    guard let peer = peer(descriptor) else {
      discard(descriptor, from: client.socket)
      return nil
    }
    // As one that has just connected: how much it asks for is yet to be seen.
    let session = pool.begin(
      descriptor, from: client.socket, peer: peer, as: .busy, in: client.slot)
    session.resume(client)
    if session.state.isOpen {
      pool.observe(client.observing, session)
      session.append(greeting, serial: 0)
    }
    return session.id
  }

  /// Ends a connection that is nobody's session.
  public func discard(_ descriptor: Int32, from kind: SocketKind) {
    pool.discard(descriptor, from: kind)
  }

  /// The number by which a client is known that another daemon has left; 0 for what is no socket.
  public static func cookie(of descriptor: Int32) -> UInt64 {
    Connection.cookie(of: descriptor)
  }
}
