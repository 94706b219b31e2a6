public import Routing

/// A request that waits for its answer: whose it is, and the number that the answer must bear.
public struct RequestToken: Equatable, Sendable {
  /// Who asks.
  public let client: ClientID
  let serial: UInt32
  let opcode: Opcode
}
