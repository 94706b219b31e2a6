/// Takes comparisons of a moved coordinate back to the coordinate before the move, exactly.
///
/// The recursion of rule H2 moves a coordinate by one rounded addition a view and compares the last
/// sum. Rounded addition never changes the order of two numbers, so `x + o₁ + … + oₙ >= t` holds
/// from some number on; that number is what is computed here. A region of moved views thus becomes
/// a rectangle in the coordinates before all moves, and answers for every number as they do.
enum Threshold {
  /// The least number that gives at least `threshold` when `offset` is added to it, with the
  /// addition rounded as the processor rounds it.
  static func beforeAdding(_ offset: Double, reaches threshold: Double) -> Double {
    if offset == 0 || !threshold.isFinite { return threshold }
    let guess = threshold - offset
    if guess + offset >= threshold {
      if guess.nextDown + offset < threshold { return guess }
    } else if guess.nextUp + offset >= threshold {
      return guess.nextUp
    }
    return search(offset, threshold, near: guess)
  }

  /// Where the sum is rounded more coarsely than its argument, many arguments give the same sum:
  /// the first of them by bisection over the representable numbers.
  private static func search(_ offset: Double, _ threshold: Double, near guess: Double) -> Double {
    let reach = 4 * max(abs(guess), abs(offset), abs(threshold)).ulp
    var below = ordinal(guess - reach)
    var above = ordinal(guess + reach)
    // No difference is taken: of two ordinals with different signs it may be beyond any Int64.
    while below + 1 < above {
      let middle = (below >> 1) + (above >> 1) + (below & above & 1)
      if number(middle) + offset >= threshold { above = middle } else { below = middle }
    }
    return number(above)
  }

  /// The rank of a number among all numbers; -0 and 0 share theirs.
  private static func ordinal(_ number: Double) -> Int64 {
    let bits = Int64(bitPattern: number.bitPattern)
    return bits < 0 ? Int64.min - bits : bits
  }

  private static func number(_ ordinal: Int64) -> Double {
    let bits = ordinal < 0 ? Int64.min - ordinal : ordinal
    return Double(bitPattern: UInt64(bitPattern: bits))
  }
}

/// The moves along one axis from a space's coordinates to a view's, added up where that is exact.
struct AxisOffset {
  /// The sum of all offsets; exact where `isSimple`.
  private(set) var sum = 0.0
  /// Whether every offset is a multiple of 2⁻¹⁶ and at most 0, as those of views without a bounds
  /// origin at whole or half points are.
  private(set) var isSimple = true

  private static let grain = 65536.0
  private static let range = 1_073_741_824.0

  mutating func add(_ offset: Double) {
    sum += offset
    isSimple = isSimple && offset <= 0 && AxisOffset.isGrain(offset) && sum >= -AxisOffset.range
  }

  private static func isGrain(_ number: Double) -> Bool {
    guard abs(number) <= range else { return false }
    let scaled = number * grain
    return Double(Int64(scaled)) == scaled
  }

  /// What ``Threshold/beforeAdding(_:reaches:)`` gives, offset by offset, where that can be told at
  /// once; nil where not.
  ///
  /// With x = t - sum > 0 and |t| <= x / 2, all partial sums lie between t and x and are multiples
  /// of 2⁻¹⁶, hence exact. Those of the next lower number x - u are lower by u: each is a multiple
  /// of u no larger than x, hence exact too, and the last one is t - u < t.
  func threshold(_ threshold: Double) -> Double? {
    if !threshold.isFinite { return threshold }
    guard isSimple, AxisOffset.isGrain(threshold) else { return nil }
    if sum == 0 { return threshold }
    let before = threshold - sum
    return abs(threshold) <= before / 2 ? before : nil
  }
}
