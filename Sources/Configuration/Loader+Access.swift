extension Loader {
  func readAccess(_ scope: Scope) {
    var rule = AccessRule(path: "")
    var pathPlace: Place?
    scope.read(known: AccessKey.names) { field in
      guard let key = AccessKey(rawValue: field.key) else { return false }
      switch key {
      case .path:
        pathPlace = field.value.place
        rule.path = responderPath(field) ?? ""
      case .users: rule.users = readAccounts(field, "user", "/etc/passwd", accounts.user)
      case .groups: rule.groups = readAccounts(field, "group", "/etc/group", accounts.group)
      }
      return true
    }
    guard let pathPlace else {
      scope.requires("path", "the responder that the rule is about, such as path = \"home\"")
      return
    }
    if scope.table.find("users") == nil, scope.table.find("groups") == nil {
      problems.add(
        scope.table.place, "\(scope.prefix)users or groups must say who may attach; add either")
    }
    if let first = accessPlacesByPath[rule.path] {
      problems.add(
        pathPlace,
        "\(scope.prefix)there is a rule for that path already, at \(problems.name(first))")
    } else if !rule.path.isEmpty {
      accessPlacesByPath[rule.path] = pathPlace
    }
    rule.place = problems.name(pathPlace)
    access.append(rule)
    accessPlaces.append(pathPlace)
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
        at: element.place)
      return nil
    }
  }

  /// A responder's path: a view's, with `@` and its controller's name where that is meant, or
  /// `app:` and an application's name. Rule L5.
  private func responderPath(_ field: Field) -> String? {
    guard let path = field.string() else { return nil }
    let isPath: Bool
    if path.hasPrefix("app:") {
      isPath = isName(path.dropFirst(4))
    } else {
      let parts = path.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
      let names = parts[0].split(separator: "/", omittingEmptySubsequences: false)
      isPath = names.allSatisfy { isName($0) } && parts.dropFirst().allSatisfy { isName($0) }
    }
    guard isPath else {
      field.mustBe(
        "a responder's path: \"home\", \"home/toolbar\", \"home/toolbar@bar\" or \"app:dashboard\"")
      return nil
    }
    return path
  }
}
