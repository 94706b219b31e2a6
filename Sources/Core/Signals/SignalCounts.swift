/// What the filters of one device have done, in contacts (or points, for `outliers`). Rule N1.
public struct SignalCounts: Equatable, Sendable {
  /// Contacts that went on after a gap. Rule N2.
  public var bridged: UInt64 = 0
  /// Contacts that were too short to begin. Rule N3.
  public var short: UInt64 = 0
  /// Points that no finger can have reached. Rule N5.
  public var outliers: UInt64 = 0
  /// Contacts that were split where another finger began. Rule N5.
  public var splits: UInt64 = 0
  /// Contacts that began in a dead zone. Rule N6.
  public var deadZone: UInt64 = 0
  /// Contacts that never left the edge. Rule N7.
  public var edge: UInt64 = 0
  /// Contacts that were ghosts. Rule N8.
  public var ghosts: UInt64 = 0
  /// Contacts that were stuck. Rule N9.
  public var stuck: UInt64 = 0
}

extension SignalCounts: CustomStringConvertible {
  /// What is not 0, in words; empty where nothing was done.
  public var description: String {
    let counts: [(String, UInt64)] = [
      ("bridged", bridged), ("too short", short), ("points too fast", outliers),
      ("split", splits), ("in dead zones", deadZone), ("at the edge", edge), ("ghosts", ghosts),
      ("stuck", stuck),
    ]
    return counts.filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }.joined(separator: ", ")
  }
}
