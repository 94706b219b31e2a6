/// Finds recognizers of which none could ever recognize, since each waits for another. Rule G7.
package enum WaitingCircles {
  /// The paths of the recognizers that wait in a circle, or between two of them.
  ///
  /// - Parameter waiting: Each recognizer's path, with the paths of those that it waits for; paths
  ///   that are none of these are left out.
  package static func paths(of waiting: [(path: String, after: [String])]) -> Set<String> {
    var after: [String: Set<String>] = [:]
    for (path, others) in waiting { after[path] = Set(others) }
    var before: [String: Set<String>] = [:]
    for (path, others) in after {
      for other in others where after[other] != nil { before[other, default: []].insert(path) }
    }
    let known = Set(after.keys)
    for path in known { after[path]?.formIntersection(known) }
    let left = peel(after, against: before)
    return left.intersection(peel(before, against: after))
  }

  /// What is left when those that point to nothing are taken off, again and again.
  private static func peel(
    _ links: [String: Set<String>], against back: [String: Set<String>]
  ) -> Set<String> {
    var counts = links.mapValues(\.count)
    var left = Set(links.keys).union(back.keys)
    var ready = left.filter { counts[$0, default: 0] == 0 }
    while let path = ready.popFirst() {
      left.remove(path)
      for other in back[path] ?? [] {
        counts[other, default: 0] -= 1
        if counts[other] == 0 { ready.insert(other) }
      }
    }
    return left
  }
}
