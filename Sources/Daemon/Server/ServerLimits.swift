/// How much the clients may ask of the daemon. Rule F5: what is beyond a limit is refused with an
/// error that names it.
public struct ServerLimits: Equatable, Sendable {
  /// Clients of the client socket at a time.
  public var clients = 1024
  /// Clients of the control socket at a time; counted apart, so that programs can't lock out the
  /// person who wants to see what they do.
  public var controlClients = 16
  /// Clients of the client socket that belong to one user. The control socket has no such limit:
  /// who may open that may stop the daemon as well.
  public var clientsPerUser = 256
  /// Bytes that may wait for all clients together. Beyond that the one for which the most waits is
  /// disconnected.
  public var totalQueueBytes = 16_777_216
  /// The same for the programs of one user.
  public var userQueueBytes = 8_388_608
  /// Bytes that may wait for a program in the daemon; the socket's own buffer is not counted.
  public var queueBytes = 1_048_576
  /// Bytes that may wait for a client of the control socket: status and observations are long.
  public var controlQueueBytes = 4_194_304
  /// How long a client may take for its hello, for the rest of a message that it has begun, and to
  /// begin to read the answers that wait for it while it has further requests pending.
  public var requestTimeoutMilliseconds: UInt64 = 10_000
  /// How long the last words to a client wait for it to read them.
  public var lingerMilliseconds: UInt64 = 2_000

  /// The size that is asked of the kernel for a client's send buffer, in bytes. Small, because what
  /// lies there can no longer be merged (rule F3); Android's input channels have the same.
  static let sendBufferBytes: Int32 = 32_768
  /// Requests of one client that are carried out in one turn.
  static let requestsPerTurn = 64
  /// How long one client's requests may take of a turn, in microseconds: no further one is begun
  /// after that. Rule F1.
  static let turnMicroseconds: UInt64 = 1_000
  /// The same for a client that asks for more than its share: so long do others wait for it.
  static let busyTurnMicroseconds: UInt64 = 50
  /// With more answers than that waiting, in bytes, a client's further requests wait too.
  static let answerBacklogBytes = 16_384

  /// The default limits, to be changed one by one.
  public init() {}
}
