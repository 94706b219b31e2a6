/// What the settings of smoothing are where the configuration does not say. Rule N4.
public enum SignalDefaults {
  /// tslib's default.
  public static let medianDepth = 3
  /// That of tslib's example, N = 6 and D = 10.
  public static let iirWeight = 0.6
  /// tslib's default.
  public static let dejitterDistance = 100.0
  /// Hz. The authors' advice: lower it until a finger at rest is calm.
  public static let oneEuroMinimumCutoff = 0.5
  /// Hz for each point a second. At 1,000 points a second the touch is then
  /// 1000 / (2π · (0.5 + 0.08 · 1000)) = 2 points behind.
  public static let oneEuroBeta = 0.08
}
