/// What is charged to each of those who have something kept, and to all of them. Rule F5.
package struct Charges<Payer: Hashable & Sendable>: Sendable {
  /// What is charged to all.
  package private(set) var all = 0
  private var byPayer: [Payer: Int] = [:]

  /// Nothing is charged.
  package init() {}

  /// To how many something is charged.
  package var payerCount: Int { byPayer.count }

  /// What is charged to one of them.
  package subscript(payer: Payer) -> Int { byPayer[payer] ?? 0 }

  /// What is charged to those of them that fulfil the condition.
  package func sum(where isMeant: (Payer) -> Bool) -> Int {
    byPayer.reduce(0) { isMeant($1.key) ? $0 + $1.value : $0 }
  }

  /// Charges so much more, or less where it is negative.
  package mutating func add(_ amount: Int, to payer: Payer) {
    all += amount
    let now = self[payer] + amount
    byPayer[payer] = now == 0 ? nil : now
  }
}
