/// What the service manager kept for the daemon that was before, by the names that it was stored
/// under; the descriptors are their holder's to close.
package struct KeptDescriptors {
  /// The name of the clients' sockets.
  package static let sessionName = "session"
  /// The name of the files that say what there is to know of the clients.
  package static let stateName = "handover"

  /// The clients' sockets.
  package var sessions: [Int32]
  /// The files about them, oldest first; of several only the last is of these sockets.
  package var states: [Int32]

  /// Those descriptors; none where a daemon starts anew.
  package init(sessions: [Int32] = [], states: [Int32] = []) {
    self.sessions = sessions
    self.states = states
  }

  /// Whether nothing was kept.
  package var isEmpty: Bool { sessions.isEmpty && states.isEmpty }
}
