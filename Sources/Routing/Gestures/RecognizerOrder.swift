import Layout
import TouchModel

/// In which order recognisers are described: by their views, in the order of these, then by their
/// screens; at one view in the order of the configuration.
///
/// Those of some views are a range, so that a page of them costs no look at the others.
struct RecognizerOrder {
  /// Where a recogniser comes.
  struct Place: Comparable, BitwiseCopyable {
    private let owner: Int
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

    static func < (left: Place, right: Place) -> Bool {
      (left.owner, left.order, left.index) < (right.owner, right.order, right.index)
    }
  }

  private var places: ContiguousArray<Place> = []

  /// Of nobody.
  init() {}

  /// Of all of a table at once.
  init(_ places: some Sequence<Place>) { self.places = ContiguousArray(places.sorted()) }

  mutating func insert(_ place: Place) { places.insert(place, at: position(of: place)) }

  mutating func remove(_ place: Place) {
    let position = position(of: place)
    if position < places.count, places[position] == place { places.remove(at: position) }
  }

  /// Where recognisers are in their table: at most `count` of those of some views, from the number
  /// `first` on; of all where `views` is nil.
  func indices(in views: [Range<ViewIndex>]?, first: Int, count: Int) -> [Int] {
    guard let views else { return indices(places.indices.dropFirst(first).prefix(count)) }
    var skipped = first
    var found: [Int] = []
    for range in views where found.count < count {
      let start = position(of: Place(owner: range.lowerBound, order: -1, index: -1))
      let end = position(of: Place(owner: range.upperBound, order: -1, index: -1))
      found += indices((start..<end).dropFirst(skipped).prefix(count - found.count))
      skipped = max(0, skipped - (end - start))
    }
    return found
  }

  private func indices(_ positions: Range<Int>) -> [Int] { positions.map { places[$0].index } }

  /// How many come before a place.
  private func position(of place: Place) -> Int {
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle] < place { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension RecognizerOrder.Place {
  fileprivate init(owner: ViewIndex, order: Int, index: Int) {
    self.init(owner: Int(owner.rawValue), order: order, index: index)
  }
}
