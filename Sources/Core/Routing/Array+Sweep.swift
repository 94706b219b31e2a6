extension Array {
  /// Removes the elements that fulfil the condition, one pass in place. `removeAll(where:)` takes
  /// hundreds of instructions even where there are one or two elements, as here.
  mutating func sweep(where isGone: (Element) -> Bool) {
    var kept = 0
    for index in indices where !isGone(self[index]) {
      if kept != index { self[kept] = self[index] }
      kept += 1
    }
    while count > kept { removeLast() }
  }
}
