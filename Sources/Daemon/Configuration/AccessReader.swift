import Layout
import TouchModel

/// Reads `[[access]]`: a rule a path, of all files together.
struct AccessReader {
  private let accounts: Accounts
  private let problems: ProblemList
  /// Where the rule for each path stands, in the order of reading.
  private var rules: [(path: String, location: SourceLocation)] = []
  private var locations: [String: SourceLocation] = [:]

  init(_ accounts: Accounts, _ problems: ProblemList) {
    self.accounts = accounts
    self.problems = problems
  }

  /// The rule that a table says; nil where it has no path.
  mutating func read(_ scope: Scope) -> AccessRule? {
    var rule = AccessRule(path: "")
    var location: SourceLocation?
    scope.read(known: AccessKey.names) { field in
      guard let key = AccessKey(rawValue: field.key) else { return false }
      switch key {
      case .path:
        location = field.value.location
        rule.path = field.responderPath() ?? ""
      case .users: rule.users = readAccounts(field, "user", "/etc/passwd", accounts.user)
      case .groups: rule.groups = readAccounts(field, "group", "/etc/group", accounts.group)
      }
      return true
    }
    guard let location else {
      scope.requires(
        "path", "the responder or screen that the rule is about, such as path = \"home\"")
      return nil
    }
    let hasAccounts = ["users", "groups"].contains {
      scope.table.find($0) != nil || scope.isMisspelt($0)
    }
    if !hasAccounts {
      problems.add(
        scope.table.location, "\(scope.prefix)users or groups must say who may attach; add either")
    }
    note(rule.path, location, scope)
    rule.location = problems.name(location)
    return rule
  }

  /// Reports rules about responders and screens that are not there.
  func checkPaths(in layout: Layout) {
    for (path, location) in rules where layout.responder(at: path) == nil {
      if problems.hasMore { return }
      if let screen = AccessRule.screen(of: path) {
        if layout.screens.contains(where: { $0.name == screen }) { continue }
        problems.add(
          location, "access \(quoted(path)): there is no screen \(quoted(String(screen)))")
        continue
      }
      let nearest = layout.nearestPath(to: path).map { "; did you mean \"\($0)\"?" } ?? ""
      problems.add(location, "access \(quoted(path)): there is no such responder\(nearest)")
    }
  }

  /// Notes where the rule for a path stands, and reports another one for it.
  private mutating func note(_ path: String, _ location: SourceLocation, _ scope: Scope) {
    guard !path.isEmpty else { return }
    rules.append((path, location))
    if let first = locations[path] {
      problems.add(
        location,
        "\(scope.prefix)there is a rule for that path already, at \(problems.name(first))")
    } else {
      locations[path] = location
    }
  }

  /// The users or groups that an array names, each by its name or by its number in digits.
  private func readAccounts(
    _ field: Field, _ kind: String, _ list: String, _ find: (String) -> UInt32?
  ) -> [AccessRule.Account] {
    guard let names = field.strings("names of \(kind)s") else { return [] }
    return zip(names, field.value.elements).compactMap { name, element in
      if problems.hasMore { return nil }
      if let id = UInt32(name) ?? find(name) { return AccessRule.Account(name: name, id: id) }
      field.refuse(
        "\(field.name): \(list) has no \(kind) \(quoted(name)); make it, or write a number",
        at: element.location)
      return nil
    }
  }
}

extension Field {
  /// A responder's path: a view's, with `@` and its controller's name where that is meant, or
  /// `app:` and an application's name. Or a screen's: `screen:` or `feedback:` and its name. Rules
  /// L5, D2 and D11.
  fileprivate func responderPath() -> String? {
    guard let path = string() else { return nil }
    let isPath: Bool
    if path.hasPrefix("app:") {
      isPath = isName(path.dropFirst(4))
    } else if let screen = AccessRule.screen(of: path) {
      isPath = isName(screen)
    } else {
      let parts = path.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
      let names = parts[0].split(separator: "/", omittingEmptySubsequences: false)
      isPath = names.allSatisfy { isName($0) } && parts.dropFirst().allSatisfy { isName($0) }
    }
    guard isPath else {
      mustBe(
        "a responder's path, such as \"home\", \"home/toolbar\", \"home/toolbar@bar\" or "
          + "\"app:dashboard\", or a screen's, such as \"screen:panel\" or \"feedback:panel\"")
      return nil
    }
    return path
  }
}
