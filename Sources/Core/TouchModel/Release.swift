/// What the programs of this package say of themselves.
public enum Release {
  /// The version of the daemon and of the tool.
  public static let version = "0.2.0"
}
