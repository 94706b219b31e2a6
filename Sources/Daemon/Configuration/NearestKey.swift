/// The known key that a person most likely meant, or nil where none is near: at most a third of the
/// letters wrong, and one right.
func nearestKey(to key: String, among known: [String]) -> String? {
  let word = Array(key.utf8.prefix(64))
  var best: (key: String, distance: Int)?
  for candidate in known {
    let count = candidate.utf8.count
    let allowed = max(1, max(word.count, count) / 3)
    // So many letters are wrong at least: most candidates need no more work.
    guard abs(count - word.count) <= allowed else { continue }
    let distance = editDistance(word, Array(candidate.utf8))
    if distance <= allowed, distance < word.count, distance < best?.distance ?? .max {
      best = (candidate, distance)
    }
  }
  return best?.key
}

/// The known key that has another name elsewhere, where that was written.
func otherName(of key: String, among known: [String]) -> String? {
  let names = [
    "vendor": "id", "product": "id", "vid": "id", "pid": "id", "node": "path", "device": "path",
    "devnode": "path", "link": "path", "bounds": "frame", "rect": "frame", "position": "frame",
    "opacity": "alpha", "enabled": "interaction", "app": "application", "z": "level",
    "z_index": "level", "zindex": "level", "order": "level", "orientation": "rotation",
    "rotate": "rotation", "user": "users", "group": "groups", "margin": "outset",
    "padding": "outset", "resolution": "size", "matrix": "calibration",
  ]
  return names[key.lowercased()].flatMap { known.contains($0) ? $0 : nil }
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
