/// The moves along one axis from a space's coordinates to a view's, added up about as a lookup adds
/// them up.
struct Shift {
  private var sum = 0.0
  private var size = 0.0
  private var count = 0.0

  mutating func add(_ offset: Double) {
    sum += offset
    size += abs(offset)
    count += 1
  }

  /// About where in the space an edge lies, moved outwards by more than all roundings can come to:
  /// each is at most half an ulp of the largest magnitude. A view that scrolls keeps its frame, but
  /// not its edges, so there is room for the roundings wherever it may scroll to.
  func before(_ edge: Double, _ outwards: Double) -> Double {
    let magnitude = abs(edge) + 2 * (size + HitPart.reach)
    let error = (count + 16) * 4 * Double.ulpOfOne * magnitude
    return edge - sum + outwards * error
  }
}
