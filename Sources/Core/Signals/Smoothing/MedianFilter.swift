import TouchModel

/// The median of the last samples, of x and of y. Rule N4.
///
/// As tslib's median, but for the first samples: tslib begins with zeros and reports nothing until
/// half of them are replaced; this begins with the first sample, so that a touch begins at once.
struct MedianFilter {
  private let depth: Int
  private var xs = InlineArray<9, Double>(repeating: 0)
  private var ys = InlineArray<9, Double>(repeating: 0)
  private var next = 0

  init(depth: Int, from first: Point) {
    self.depth = depth
    for index in 0..<depth {
      xs[index] = first.x
      ys[index] = first.y
    }
  }

  mutating func filter(_ point: Point) -> Point {
    xs[next] = point.x
    ys[next] = point.y
    next = next + 1 < depth ? next + 1 : 0
    return Point(x: median(xs), y: median(ys))
  }

  /// By insertion: for so few numbers the fastest.
  private func median(_ numbers: InlineArray<9, Double>) -> Double {
    var sorted = numbers
    for index in 1..<depth {
      let number = sorted[index]
      var place = index
      while place > 0, sorted[place - 1] > number {
        sorted[place] = sorted[place - 1]
        place -= 1
      }
      sorted[place] = number
    }
    return sorted[depth / 2]
  }
}
