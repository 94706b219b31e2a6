/// What became of a touch at a responder of its chain; the raw values are the wire's.
public enum ChainOutcome: UInt16, Sendable, CaseIterable, BitwiseCopyable {
  /// No client holds it.
  case noClient = 0
  /// Its client gets the phases named.
  case delivered = 1
  /// Its client handles none of the phases that reached it.
  case notHandled = 2
  /// Its client is unresponsive. Rule F3.
  case unresponsive = 3
  /// Its client declined. Rule R5.
  case declined = 4
}

extension ChainOutcome {
  /// The word of the protocol, as people and scripts read it: that of the C header in lower case.
  package var word: String {
    switch self {
    case .noClient: "no_client"
    case .delivered: "delivered"
    case .notHandled: "not_handled"
    case .unresponsive: "unresponsive"
    case .declined: "declined"
    }
  }
}
