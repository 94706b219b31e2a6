/// One `[[access]]` of the configuration: who may attach to a responder and to all that it
/// contains. Rule F6.
public struct AccessRule: Equatable, Sendable {
  /// The responder's path. Rule L5.
  public var path: String
  /// The names of users who may.
  public var users: [String]
  /// The names of groups whose members may.
  public var groups: [String]

  /// A rule for a path.
  public init(path: String, users: [String] = [], groups: [String] = []) {
    self.path = path
    self.users = users
    self.groups = groups
  }
}
