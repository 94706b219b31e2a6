import Routing

/// A program, by the socket that it came through and by what the kernel says of it: what rights are
/// decided from. Rule F6.
struct ConnectedProgram: Sendable {
  /// The daemon's name for it.
  let client: ClientID
  /// Whether it is on the control socket, where everybody may do everything: that socket is guarded
  /// by itself.
  let isControl: Bool
  /// The user that it ran as when it connected.
  let user: UInt32
  /// The groups that it was in then.
  let groups: [UInt32]
  /// What messages call it.
  let name: String
}
