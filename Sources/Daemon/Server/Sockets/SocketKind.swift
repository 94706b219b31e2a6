/// Which of the two sockets; it decides which requests are carried out. Rule F7.
public enum SocketKind: String, Sendable, CaseIterable {
  /// For programs that take touches.
  case client
  /// For those who may observe, inject and steer.
  case control
}
