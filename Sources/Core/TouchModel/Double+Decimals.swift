extension Double {
  /// The nearest number of two decimals, and never -0: as people read coordinates.
  package var toTwoDecimals: Double {
    guard abs(self) < 1e12 else { return self }
    let rounded = (self * 100).rounded() / 100
    return rounded == 0 ? 0 : rounded
  }
}
