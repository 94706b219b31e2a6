/// One `[[access]]` of the configuration: who may attach to a responder and to all that it
/// contains. Rule F6.
package struct AccessRule: Equatable, Sendable {
  /// A user or a group.
  package struct Account: Equatable, Sendable {
    /// As it was written: a name, or the number in digits.
    package var name: String
    /// Its number.
    package var id: UInt32

    /// An account.
    package init(name: String, id: UInt32) {
      self.name = name
      self.id = id
    }
  }

  /// The responder's path, or `screen:` and a screen's name. Rules L5 and D2.
  package var path: String
  /// The users who may.
  package var users: [Account]
  /// The groups whose members may.
  package var groups: [Account]
  /// Where it stands: `touchroute.toml:12:8`. Rules that differ in nothing else are equal.
  package var location: String

  /// A rule for a path.
  package init(path: String, users: [Account] = [], groups: [Account] = [], location: String = "") {
    self.path = path
    self.users = users
    self.groups = groups
    self.location = location
  }

  /// Whether both say the same, wherever they stand.
  package static func == (left: AccessRule, right: AccessRule) -> Bool {
    left.path == right.path && left.users == right.users && left.groups == right.groups
  }

  /// Whether it names the user, or one of the groups that he is in. Root may whatever it says.
  package func allows(user: UInt32, groups: [UInt32]) -> Bool {
    user == 0 || users.contains { $0.id == user } || self.groups.contains { groups.contains($0.id) }
  }

  /// Those whom it names: `user kiosk, group hmi and root`.
  package var grantees: String {
    let users = users.filter { $0.id != 0 }
    let named = users.map { "user \($0.name)" } + groups.map { "group \($0.name)" }
    guard !named.isEmpty else { return "root alone" }
    return named.joined(separator: ", ") + " and root"
  }
}

extension Configuration {
  /// Whether a rule names the user, or one of the groups that he is in, for a screen; without a
  /// rule root alone. Rule D2.
  package func mayDarken(_ screen: String, user: UInt32, groups: [UInt32]) -> Bool {
    user == 0
      || access.contains {
        AccessRule.screen(of: $0.path).map { $0 == screen } ?? false
          && $0.allows(user: user, groups: groups)
      }
  }

  /// The rule for a responder: that of the longest path that is its own, or that of a responder
  /// which contains it; nil where there is none, and it is open to everybody.
  package func accessRule(for path: String) -> AccessRule? {
    guard !access.isEmpty else { return nil }
    for path in AccessRule.enclosing(path) {
      if let rule = access.first(where: { $0.path == path }) { return rule }
    }
    return nil
  }
}

extension AccessRule {
  /// The screen that a path names; nil where it is a responder's.
  package static func screen(of path: String) -> Substring? {
    path.hasPrefix(screenPrefix) ? path.dropFirst(screenPrefix.count) : nil
  }

  private static let screenPrefix = "screen:"

  /// A responder's path, then those of the responders that contain it, the nearest first: rules
  /// about them are about it. A controller and a recognizer lie within their view; an application
  /// contains nothing, and neither does a screen.
  static func enclosing(_ path: String) -> some Sequence<Substring> {
    sequence(first: path[...]) { path in
      guard !path.hasPrefix("app:"), !path.hasPrefix(screenPrefix),
        let end = path.lastIndex(where: { $0 == "/" || $0 == "@" || $0 == "#" })
      else { return nil }
      return path[..<end]
    }
  }
}
