/// The recognisers that there are, each at an index that it keeps, and which comes first. Rule G5.
///
/// One that comes or goes leaves the others where they are.
struct RecognizerList {
  /// By index. At an index that is free lies one that has no touch, and is nobody's.
  var all: ContiguousArray<Recognizer> = []
  private var freeIndices: [Int] = []
  private var indices: [RecognizerID: Int] = [:]
  private var ranks = RankTable()
  /// How many of them look at how their fingers lie to each other.
  private var turningCount = 0

  subscript(index: Int) -> Recognizer {
    @inline(__always) _read { yield all[index] }
    @inline(__always) _modify { yield &all[index] }
  }

  /// Where the recogniser of that number is.
  func index(of id: RecognizerID) -> Int? { indices[id] }

  /// The place of a recogniser among the others: the least comes first.
  func rank(of index: Int) -> RankTable.Rank { ranks[index] }

  /// Whether one of them looks at how its fingers lie to each other.
  var measuresTurns: Bool { turningCount > 0 }

  /// Adds a recogniser behind all others. It goes on as another one where it is the same.
  ///
  /// - Returns: Its index: one that was free, or that which follows the last.
  mutating func add(_ entry: RecognizerEntry, goingOnAs known: Recognizer? = nil) -> Int {
    let index = freeIndices.popLast() ?? all.count
    let recognizer = Recognizer(entry, goingOnAs: known)
    if index < all.count { all[index] = recognizer } else { all.append(recognizer) }
    indices[entry.id] = index
    ranks.insert(entry, at: index)
    turningCount += entry.description.kind.measuresTurns ? 1 : 0
    return index
  }

  /// Puts a recogniser in the place of another one. It goes on as that where it is the same.
  mutating func replace(_ entry: RecognizerEntry, at index: Int) {
    let old = all[index]
    all[index] = Recognizer(entry, goingOnAs: old)
    ranks.replace(entry, at: index)
    turningCount += entry.description.kind.measuresTurns ? 1 : 0
    turningCount -= old.description.kind.measuresTurns ? 1 : 0
  }

  /// Takes a recogniser away.
  ///
  /// - Returns: The index that is free now; nil where it was not there.
  mutating func remove(_ id: RecognizerID) -> Int? {
    guard let index = indices.removeValue(forKey: id) else { return nil }
    turningCount -= all[index].description.kind.measuresTurns ? 1 : 0
    all[index].forget()
    ranks.remove(at: index)
    freeIndices.append(index)
    return index
  }
}

extension Recognizer {
  fileprivate init(_ entry: RecognizerEntry, goingOnAs known: Recognizer?) {
    if var known, known.description == entry.description {
      known.turn(to: entry.orientation)
      self = known
    } else {
      self.init(entry.description, id: entry.id, orientation: entry.orientation)
    }
  }
}
