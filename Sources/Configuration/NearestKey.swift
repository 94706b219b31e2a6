/// The known key that a person most likely meant, or nil where none is near: at most a third of the
/// letters wrong.
func nearestKey(to key: String, among known: [String]) -> String? {
  let word = Array(key.utf8.prefix(64))
  let ranked = known.map { (key: $0, distance: editDistance(word, Array($0.utf8))) }
  guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
  let allowed = max(1, max(word.count, best.key.utf8.count) / 3)
  return best.distance <= allowed ? best.key : nil
}

/// The letters to insert, delete, replace, or swap with their neighbour to make one word of another
/// (optimal string alignment).
private func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
  var beforeLast = [Int](repeating: 0, count: right.count + 1)
  var last = Array(0...right.count)
  for row in left.indices {
    var current = [row + 1]
    for column in right.indices {
      let same = left[row] == right[column]
      var cost = min(last[column] + (same ? 0 : 1), last[column + 1] + 1, current[column] + 1)
      let swapped =
        row > 0 && column > 0 && left[row] == right[column - 1] && left[row - 1] == right[column]
      if swapped { cost = min(cost, beforeLast[column - 1] + 1) }
      current.append(cost)
    }
    beforeLast = last
    last = current
  }
  return last[right.count]
}
