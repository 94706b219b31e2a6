/// How large a contact is on the glass, in millimetres.
public struct ContactSize: Equatable, Sendable, BitwiseCopyable {
  /// Along its longer side; 0 where that is not known.
  public var major: Double
  /// Along its shorter side; 0 where that is not known.
  public var minor: Double

  /// A contact of that size.
  public init(major: Double, minor: Double) {
    self.major = major
    self.minor = minor
  }
}
