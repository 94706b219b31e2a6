/// The range of an axis, in the device's units.
package struct EvdevAxis: Equatable, Sendable {
  /// The least value.
  package var minimum: Double
  /// The largest value.
  package var maximum: Double
  /// Units in a millimetre; 0 where the device does not say.
  package var resolution: Double

  /// An axis with that range.
  package init(minimum: Double, maximum: Double, resolution: Double = 0) {
    self.minimum = minimum
    self.maximum = maximum
    self.resolution = resolution
  }

  /// How many units there are.
  package var count: Double { maximum - minimum + 1 }

  /// Where a value lies, from 0 to less than 1, as libinput has it.
  package func share(of value: Double) -> Double { (value - minimum) / count }

  /// In millimetres; nil where the device does not say.
  package var millimetres: Double? { resolution > 0 ? count / resolution : nil }
}
