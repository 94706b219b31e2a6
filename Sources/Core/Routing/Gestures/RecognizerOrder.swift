import Layout
import TouchModel

/// In which order recognizers are offered touches and described: by their views, in the order of
/// these, then by their screens; at one view in the order of the configuration.
///
/// Those of some views are a range, so that they cost no look at the others.
struct RecognizerOrder {
  /// What a recognizer is sorted by.
  struct Key: Comparable, BitwiseCopyable {
    fileprivate let owner: Int
    private let order: Int
    /// Where it is in its table.
    fileprivate let index: Int

    /// - Parameters:
    ///   - owner: The number of its view, or for a screen its own behind all that views may have.
    ///   - order: Its place in the order of the configuration.
    ///   - index: Where it is in its table.
    init(owner: Int, order: Int, index: Int) {
      self.owner = owner
      self.order = order
      self.index = index
    }

    static func < (left: Key, right: Key) -> Bool {
      if left.owner != right.owner { return left.owner < right.owner }
      if left.order != right.order { return left.order < right.order }
      return left.index < right.index
    }
  }

  /// Where recognizers are in their table.
  struct Indices: RandomAccessCollection {
    fileprivate let keys: ContiguousArray<Key>
    private let positions: Range<Int>

    @inline(__always)
    fileprivate init(keys: ContiguousArray<Key>, positions: Range<Int>) {
      self.keys = keys
      self.positions = positions
    }

    var startIndex: Int { positions.lowerBound }
    var endIndex: Int { positions.upperBound }
    subscript(position: Int) -> Int { keys[position].index }
  }

  private var keys: ContiguousArray<Key> = []

  /// Of nobody.
  init() {}

  /// Of all of a table at once.
  init(_ keys: some Sequence<Key>) { self.keys = ContiguousArray(keys.sorted()) }

  mutating func insert(_ key: Key) { keys.insert(key, at: position(of: key)) }

  mutating func remove(_ key: Key) {
    let position = position(of: key)
    if position < keys.count, keys[position] == key { keys.remove(at: position) }
  }

  /// Takes in what all are sorted by from now on; nil of those that go.
  mutating func renew(_ key: (_ index: Int) -> Key?) {
    var kept = 0
    for position in keys.indices {
      guard let key = key(keys[position].index) else { continue }
      keys[kept] = key
      kept += 1
    }
    keys.removeLast(keys.count - kept)
    // They mostly stay in their order.
    let isInOrder = keys.indices.dropFirst().allSatisfy { keys[$0 - 1] < keys[$0] }
    if !isInOrder { keys.sort() }
  }

  /// Calls `body` with where those are in their table whose view or screen is meant, of which one
  /// recognizer each is asked for.
  func forEach(ofOwnersWhere isMeant: (Int) -> Bool, _ body: (Int) -> Void) {
    var start = 0
    while start < keys.count {
      let end = position(of: Key(owner: keys[start].owner + 1, order: -1, index: -1))
      if isMeant(keys[start].index) {
        for position in start..<end { body(keys[position].index) }
      }
      start = end
    }
  }

  /// Where those of a view or screen are in their table.
  func indices(of owner: Int) -> Indices {
    let start = position(of: Key(owner: owner, order: -1, index: -1))
    var end = start
    while end < keys.count, keys[end].owner == owner { end += 1 }
    return Indices(keys: keys, positions: start..<end)
  }

  /// Where recognizers are in their table: at most `count` of those of some views, from the number
  /// `first` on; of all where `views` is nil.
  func indices(in views: [Range<ViewIndex>]?, first: Int, count: Int) -> [Int] {
    guard let views else { return indices(keys.indices.dropFirst(first).prefix(count)) }
    var skipped = first
    var found: [Int] = []
    for range in views where found.count < count {
      let start = position(of: Key(owner: range.lowerBound, order: -1, index: -1))
      let end = position(of: Key(owner: range.upperBound, order: -1, index: -1))
      found += indices((start..<end).dropFirst(skipped).prefix(count - found.count))
      skipped = max(0, skipped - (end - start))
    }
    return found
  }

  private func indices(_ positions: Range<Int>) -> [Int] { positions.map { keys[$0].index } }

  /// How many come before a key.
  private func position(of key: Key) -> Int {
    keys.indices.partitionPoint { keys[$0] < key }
  }
}

extension RecognizerOrder.Key {
  fileprivate init(owner: ViewIndex, order: Int, index: Int) {
    self.init(owner: Int(owner.rawValue), order: order, index: index)
  }
}
