import NIOCore

/// The connections that are open: so many at most. One more closes the oldest of those that have
/// not shown the token, so that who does not know it keeps nobody out by staying.
struct OpenConnections {
  private static let most = 48

  private var known: Set<ObjectIdentifier> = []
  /// The oldest first.
  private var strangers: [(connection: ObjectIdentifier, channel: any Channel)] = []

  /// Adds a connection; false where all there are have shown the token.
  mutating func add(_ connection: BrowserConnection, _ channel: any Channel) -> Bool {
    if known.count + strangers.count >= Self.most {
      guard !strangers.isEmpty else { return false }
      strangers.removeFirst().channel.close(promise: nil)
    }
    strangers.append((ObjectIdentifier(connection), channel))
    return true
  }

  /// A connection has shown the token.
  mutating func know(_ connection: BrowserConnection) {
    let id = ObjectIdentifier(connection)
    guard let index = strangers.firstIndex(where: { $0.connection == id }) else { return }
    strangers.remove(at: index)
    known.insert(id)
  }

  /// A connection is closed.
  mutating func remove(_ connection: BrowserConnection) {
    let id = ObjectIdentifier(connection)
    known.remove(id)
    strangers.removeAll { $0.connection == id }
  }
}
