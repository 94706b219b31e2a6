import TouchModel

/// For how long a recognizer holds back touches of which other clients than its own may hear. Rule
/// G17.
struct TouchHold: BitwiseCopyable {
  /// The longest that it may, in milliseconds.
  private(set) var limit: UInt64 = 0
  /// When it has held them back for that long; nil where it holds back none.
  private(set) var deadline: Timestamp?
  /// The touches of which others may hear.
  private var shared = FingerSet()

  /// Takes in that others may hear of a touch.
  mutating func share(_ index: Int, upTo limit: UInt64) {
    if shared.isEmpty { self.limit = limit }
    shared.insert(index)
  }

  /// Takes in that something of a touch is held back from then on.
  mutating func begin(_ index: Int, at time: Timestamp) {
    guard deadline == nil, shared.contains(index) else { return }
    deadline = time.adding(milliseconds: limit)
  }
}
