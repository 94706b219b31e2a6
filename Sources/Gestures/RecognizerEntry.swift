/// A recogniser where it is: with its number, its place among the others, and those that it names.
package struct RecognizerEntry: Sendable {
  /// Its number.
  package var id: RecognizerID
  /// What it is.
  package var description: RecognizerDescription
  /// Tells the views, and the screens, from each other.
  package var owner: Int
  /// How many superviews its view has; -1 for a screen's.
  package var depth: Int
  /// How its view lies in the layout in force.
  package var orientation: Orientation
  /// Those that must fail before it recognises. Rule G7.
  package var after: [RecognizerID] = []
  /// Those that may recognise beside it. Rule G6.
  package var simultaneous: [RecognizerID] = []

  /// A recogniser that names no others.
  package init(
    _ description: RecognizerDescription, id: RecognizerID, owner: Int, depth: Int,
    orientation: Orientation
  ) {
    self.description = description
    self.id = id
    self.owner = owner
    self.depth = depth
    self.orientation = orientation
  }
}

extension Arbiter {
  /// Of recognisers in the order of ``RecognizerEntry/byRank(_:)``.
  init(of entries: [RecognizerEntry], _ indices: [RecognizerID: Int]) {
    var standings = entries.map { entry in
      Standing(
        after: entry.after.compactMap { indices[$0] },
        simultaneous: entry.simultaneous.compactMap { indices[$0] },
        neededTaps: entry.description.kind.neededTaps, isTap: entry.description.kind.isTap)
    }
    for (index, standing) in standings.enumerated() {
      for other in standing.simultaneous where !standings[other].simultaneous.contains(index) {
        standings[other].simultaneous.append(index)
      }
    }
    self.init(standings)
  }
}

extension RecognizerEntry {
  /// Rule G5: those with priority, the outermost first; then those nearest to the target; then the
  /// order given, in which the taps of one view that need more taps take the places of those that
  /// need fewer.
  static func byRank(_ entries: [RecognizerEntry]) -> [RecognizerEntry] {
    var entries = entries
    var tapsByOwner: [Int: [Int]] = [:]
    for (index, entry) in entries.enumerated() where entry.description.kind.isTap {
      tapsByOwner[entry.owner, default: []].append(index)
    }
    for positions in tapsByOwner.values {
      let byTaps = positions.map { entries[$0] }.stableSorted { $0.taps > $1.taps }
      for (position, entry) in zip(positions, byTaps) { entries[position] = entry }
    }
    return entries.stableSorted { $0.key < $1.key }
  }

  private var taps: Int { description.kind.neededTaps ?? 0 }

  private var key: (Int, Int) { description.hasPriority ? (0, depth) : (1, -depth) }
}

extension Array {
  /// Sorted, with equal elements in the order that they have.
  fileprivate func stableSorted(by comesFirst: (Element, Element) -> Bool) -> [Element] {
    enumerated().sorted { left, right in
      if comesFirst(left.element, right.element) { return true }
      return !comesFirst(right.element, left.element) && left.offset < right.offset
    }
    .map(\.element)
  }
}

extension GestureKind {
  fileprivate var isTap: Bool { if case .tap = self { true } else { false } }
}
