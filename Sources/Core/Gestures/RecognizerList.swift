import TouchModel

/// The recognizers that there are, each at the index of its entry, and which comes first. Rule G5.
///
/// One that comes or goes leaves the others where they are.
struct RecognizerList {
  /// By index. At an index that is free lies one that has no touch, and is nobody's.
  let all = ReusableList<Recognizer>()
  private var indices: [RecognizerID: Int] = [:]
  private var ranks = RankTable()
  /// How many of them look at how their fingers lie to each other.
  private var turningCount = 0
  /// The indices of those that have touches, or wait for a further tap, by rank. Rule G5.
  var active: ReusableArray<Int> = []

  subscript(index: Int) -> Recognizer {
    @inline(__always) _read { yield all[index] }
    @inline(__always) nonmutating _modify { yield &all[index] }
  }

  /// Where the recognizer of that number is.
  func index(of id: RecognizerID) -> Int? { indices[id] }

  /// Whether one of them looks at how its fingers lie to each other.
  var measuresTurns: Bool { turningCount > 0 }

  /// Adds a recognizer behind all others. It goes on as another one where it is the same.
  mutating func add(_ entry: RecognizerEntry, goingOnAs known: Recognizer? = nil) {
    let index = entry.index
    while all.count <= index { all.append(Recognizer(entry, goingOnAs: nil)) }
    all[index] = Recognizer(entry, goingOnAs: known)
    indices[entry.id] = index
    ranks.insert(entry, at: index)
    sortActive()
    turningCount += entry.description.kind.measuresTurns ? 1 : 0
  }

  /// Puts a recognizer in the place of another one. It goes on as that where it is the same.
  mutating func replace(_ entry: RecognizerEntry, at index: Int) {
    let old = all[index]
    all[index] = Recognizer(entry, goingOnAs: old)
    ranks.replace(entry, at: index)
    if !all[index].isActive { deactivate(index) }
    sortActive()
    turningCount += entry.description.kind.measuresTurns ? 1 : 0
    turningCount -= old.description.kind.measuresTurns ? 1 : 0
  }

  /// Takes a recognizer away.
  ///
  /// - Returns: The index that is free now; nil where it was not there.
  mutating func remove(_ id: RecognizerID) -> Int? {
    guard let index = indices.removeValue(forKey: id) else { return nil }
    turningCount -= all[index].description.kind.measuresTurns ? 1 : 0
    all[index].forget()
    ranks.remove(at: index)
    deactivate(index)
    sortActive()
    return index
  }

  /// Takes in that views and screens have other numbers by now.
  mutating func renumber(_ number: (_ owner: Int) -> Int) { ranks.renumber(number) }

  // MARK: Those that have touches

  /// Adds the index of one that has its first touch, in its place by rank.
  mutating func activate(_ index: Int) {
    active.append(index)
    sink(at: active.count - 1)
  }

  /// Takes out the index of one that has no touch any more, if it is there.
  private mutating func deactivate(_ index: Int) {
    guard let position = active.indices.first(where: { active[$0] == index }) else { return }
    for next in position..<active.count - 1 { active[next] = active[next + 1] }
    active.truncate(to: active.count - 1)
  }

  /// Takes note that some of those that are active may have other places.
  private mutating func sortActive() {
    for position in active.indices.dropFirst() { sink(at: position) }
  }

  /// Moves the index at a position of ``active`` to its place among those in front of it.
  private mutating func sink(at start: Int) {
    let index = active[start]
    let rank = ranks[index]
    var position = start
    while position > 0, rank < ranks[active[position - 1]] {
      active[position] = active[position - 1]
      position -= 1
    }
    active[position] = index
  }
}

extension ContiguousArray {
  /// Puts an element at an index: of those in between that there were not, each is like it.
  mutating func put(_ element: Element, at index: Int) {
    if index < count { self[index] = element }
    while count <= index { append(element) }
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
