/// How much waits in the queues of all clients together, and of those of each user. Rule F5.
struct QueuedBytes {
  /// What waits for all clients.
  private(set) var total = 0
  /// What waits for the programs of each user, where there is anything. The control socket's
  /// clients, who are limited by their number, are nobody's.
  private var users: [UInt32: Int] = [:]

  /// What waits for a client is another number of bytes than it was.
  mutating func change(for client: ConnectedClient, from before: Int, to now: Int) {
    total += now - before
    guard client.socket == .client else { return }
    let user = users[client.peer.uid, default: 0] + now - before
    users[client.peer.uid] = user > 0 ? user : nil
  }

  /// What is over its limit, in words, and whose queues are meant: one user's, or everybody's
  /// where it is nil. Nil where nothing is.
  func excess(over limits: ServerLimits) -> (user: UInt32?, words: String)? {
    guard total > min(limits.totalQueueBytes, limits.userQueueBytes) else { return nil }
    if let user = users.first(where: { $0.value > limits.userQueueBytes }) {
      return (
        user.key,
        "\(user.value) bytes wait for the programs of its user, more than the limit of "
          + "\(limits.userQueueBytes) (limits.queue_bytes_per_user)"
      )
    }
    guard total > limits.totalQueueBytes else { return nil }
    return (
      nil,
      "\(total) bytes wait for all clients, more than the limit of \(limits.totalQueueBytes) "
        + "(limits.total_queue_bytes)"
    )
  }
}
