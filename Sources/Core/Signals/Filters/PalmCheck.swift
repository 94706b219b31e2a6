import TouchModel

/// Tells palms from fingers by how large their contacts are. Rule N12.
struct PalmCheck {
  /// A smaller contact is no palm, however long it is, in millimetres: a fingertip that is rolled
  /// is long too, and of a small contact the quotient is mostly rounding.
  private static let leastForAspect = 10.0

  private let settings: SignalSettings.Palm

  init(_ settings: SignalSettings.Palm) { self.settings = settings }

  /// Whether a contact of that size is a palm. A size that is not known is none.
  func isPalm(_ size: ContactSize) -> Bool {
    if let least = settings.size, size.major >= least { return true }
    guard let aspect = settings.aspect, size.major >= Self.leastForAspect, size.minor > 0 else {
      return false
    }
    return size.major >= aspect * size.minor
  }
}
