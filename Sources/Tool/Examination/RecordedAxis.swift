/// The range of an axis, in the device's units.
package struct RecordedAxis: Equatable {
  var minimum: Double
  var maximum: Double
  /// Units in a millimetre; 0 where the device does not say.
  var resolution: Double

  /// How many units there are.
  var count: Double { maximum - minimum + 1 }

  /// Where a value lies, from 0 to less than 1.
  func share(of value: Double) -> Double { (value - minimum) / count }

  /// In millimetres; nil where the device does not say.
  var millimetres: Double? { resolution > 0 ? count / resolution : nil }
}
