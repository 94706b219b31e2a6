import Glibc

/// What did not come in time, as a sentence.
package struct Missing: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

/// Polls every 10 ms until the condition holds; 30 s are the bound of failure.
package func waitUntil(_ what: String, _ condition: () throws -> Bool) throws {
  let end = ContinuousClock.now + .seconds(30)
  while try !condition() {
    guard ContinuousClock.now < end else { throw Missing("30 s and not yet: \(what)") }
    usleep(10_000)
  }
}
