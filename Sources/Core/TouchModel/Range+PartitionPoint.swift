extension Range<Int> {
  /// The first of these numbers that does not fulfil a condition, where those that do lie in front
  /// of all that do not; the upper bound where all fulfil it. A binary search.
  @inlinable
  package func partitionPoint(where isInFront: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = (low + high) / 2
      if isInFront(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
