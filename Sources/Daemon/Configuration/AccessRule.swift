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

  /// The responder's path, or `screen:` or `feedback:` and a screen's name. Rules L5, D2 and D11.
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
    isNamed(.screen, screen, user: user, groups: groups)
  }

  /// Whether a rule names the user, or one of the groups that he is in, for a screen's feedback;
  /// without a rule root alone. Rule D11.
  package func mayHearFeedback(of screen: String, user: UInt32, groups: [UInt32]) -> Bool {
    isNamed(.feedback, screen, user: user, groups: groups)
  }

  private func isNamed(
    _ right: AccessRule.ScreenRight, _ screen: String, user: UInt32, groups: [UInt32]
  ) -> Bool {
    let path = "\(right.rawValue)\(screen)"
    return user == 0
      || access.contains { $0.path == path && $0.allows(user: user, groups: groups) }
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
  /// What a rule about a screen gives a right to; the raw values are what its path begins with.
  enum ScreenRight: String, CaseIterable {
    /// To turn it dark, and to lock it. Rules D2 and D9.
    case screen = "screen:"
    /// To hear what is hit there. Rule D11.
    case feedback = "feedback:"

    /// Whether a path is one of it.
    func begins(_ path: some StringProtocol) -> Bool { path.hasPrefix(rawValue) }
  }

  /// The screen that a path names; nil where it is a responder's.
  static func screen(of path: String) -> Substring? {
    ScreenRight.allCases.first { $0.begins(path) }.map {
      path.dropFirst($0.rawValue.count)
    }
  }

  /// A responder's path, then those of the responders that contain it, the nearest first: rules
  /// about them are about it. A controller and a recognizer lie within their view; an application
  /// contains nothing, and neither does a screen.
  static func enclosing(_ path: String) -> some Sequence<Substring> {
    sequence(first: path[...]) { path in
      guard !path.hasPrefix("app:"), !ScreenRight.allCases.contains(where: { $0.begins(path) }),
        let end = path.utf8.lastIndex(where: separators.contains)
      else { return nil }
      return path[..<end]
    }
  }

  /// Between the names of a path, which are ASCII.
  private static let separators = Array("/@#".utf8)
}
