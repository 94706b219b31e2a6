package import Server

/// Is told of the changes that clients ask for, as they are carried out: what compares the daemon
/// with an oracle does the same.
package protocol TransactionObserver: AnyObject {
  /// These were carried out together, and answered.
  func carriedOut(_ requests: [(token: RequestToken, request: Request)])
}

extension TransactionObserver {
  func carriedOut(_ request: LayoutRequest) {
    switch request {
    case .set(let batches): carriedOut(batches.map { ($0.token, .set($0.changes)) })
    case .change(let token, let request): carriedOut([(token, request)])
    default: break
    }
  }
}
