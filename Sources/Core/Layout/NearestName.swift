/// Finds, among names, the one that somebody most likely meant who wrote a name that there is not:
/// the fewest letters to insert, remove, replace or swap with their neighbour.
///
/// Who asks may be an adversary, and everybody waits meanwhile (rule F1): the work is bounded by
/// ``workLimit`` whatever the names are. Names of another length are not compared at all, others
/// only along the diagonal that a distance of ``mostWrong`` allows, and no further than it is
/// exceeded.
package struct NearestName {
  /// Longer names are nobody's, whatever `name_length` is: nothing is looked for.
  static let longestName = 255
  /// The most letters that may be wrong, however long the name is.
  static let mostWrong = 3
  /// The letters that are compared at most; a name that is looked at counts as `costOfName` more.
  /// Some 40 microseconds.
  static let workLimit = 12_000
  private static let costOfName = 16

  /// What was compared so far, counted as ``workLimit`` says.
  private(set) var work: Int
  private let name: [UInt8]
  /// Only a smaller distance than that is of interest.
  private var bound: Int
  /// Three rows of the table of distances; kept for their memory.
  private var current: [Int]
  private var last: [Int]
  private var beforeLast: [Int]

  /// A search that has done so much work already.
  init(_ name: some Collection<UInt8>, work: Int = 0) {
    self.work = work
    self.name = name.count <= Self.longestName ? Array(name) : []
    bound = Self.mostWrong + 1
    current = Array(repeating: 0, count: self.name.isEmpty ? 0 : Self.longestName + 2)
    last = current
    beforeLast = current
  }

  /// Whether no further name needs to be looked at: none can be nearer, or the work is used up.
  var isOver: Bool { name.isEmpty || bound <= 1 || work >= Self.workLimit }

  /// Looks at a name; whether it is the nearest of all so far. The name itself is not near.
  mutating func consider(_ candidate: UnsafeRawBufferPointer) -> Bool {
    guard !isOver else { return false }
    work += Self.costOfName
    // At most a third of the letters may be wrong.
    let allowed = min(bound - 1, max(1, max(name.count, candidate.count) / 3))
    guard (1...Self.longestName).contains(candidate.count),
      let distance = distance(to: candidate, atMost: allowed), distance > 0
    else { return false }
    bound = distance
    return true
  }

  /// The nearest of several names; nil where none is nearer than those before.
  mutating func nearest(among names: [String]) -> String? {
    var best: Int?
    for index in names.indices where !isOver {
      var name = names[index]
      if name.withUTF8({ consider(UnsafeRawBufferPointer($0)) }) { best = index }
    }
    return best.map { names[$0] }
  }

  /// Of several names the nearest to one that there is not; nil where none is near.
  package static func nearest(to name: String, among names: [String]) -> String? {
    var search = NearestName(name.utf8)
    return search.nearest(among: names)
  }

  /// The distance (optimal string alignment); nil where it is larger than `most`.
  private mutating func distance(to other: UnsafeRawBufferPointer, atMost most: Int) -> Int? {
    guard abs(other.count - name.count) <= most else { return nil }
    // Stands for every distance that is too large, at both ends of the part of a row that counts.
    let far = most + 1
    for column in 0...min(other.count, far) { last[column] = column }
    for row in 1...name.count {
      let columns = max(1, row - most)...min(other.count, row + most)
      current[columns.lowerBound - 1] = columns.lowerBound == 1 ? row : far
      var least = current[columns.lowerBound - 1]
      for column in columns {
        let isSame = name[row - 1] == other[column - 1]
        var cost = min(
          last[column - 1] + (isSame ? 0 : 1), last[column] + 1, current[column - 1] + 1)
        if row > 1, column > 1, name[row - 1] == other[column - 2],
          name[row - 2] == other[column - 1]
        {
          cost = min(cost, beforeLast[column - 2] + 1)
        }
        current[column] = cost
        least = min(least, cost)
      }
      if columns.upperBound < other.count { current[columns.upperBound + 1] = far }
      work += columns.count
      if least > most { return nil }
      swap(&beforeLast, &last)
      swap(&last, &current)
    }
    return last[other.count] <= most ? last[other.count] : nil
  }
}
