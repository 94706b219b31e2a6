extension Loader {
  func readLimits(_ scope: Scope) {
    scope.read(known: LimitKey.names) { field in
      guard let key = LimitKey(rawValue: field.key) else { return false }
      guard isFirst(field), let number = field.integer(in: key.range) else { return true }
      limits[keyPath: key.property] = number
      return true
    }
  }

  func readTouch(_ scope: Scope) {
    let defaults = TouchSettings()
    scope.read(known: TouchKey.names) { field in
      guard let key = TouchKey(rawValue: field.key) else { return false }
      guard isFirst(field) else { return true }
      switch key {
      case .decisionTimeout:
        touch.decisionTimeoutMilliseconds =
          field.integer(in: 0...60_000) ?? defaults.decisionTimeoutMilliseconds
      case .unresponsiveAfter:
        touch.unresponsiveAfterMilliseconds =
          field.integer(in: 100...3_600_000) ?? defaults.unresponsiveAfterMilliseconds
      case .tapInterval:
        touch.tapIntervalMilliseconds =
          field.integer(in: 0...10_000) ?? defaults.tapIntervalMilliseconds
      case .tapDistance: touch.tapDistance = field.number(in: 0...10_000) ?? defaults.tapDistance
      }
      return true
    }
  }

  func readAccess(_ scope: Scope) {
    var rule = AccessRule(path: "")
    var pathPlace: Place?
    scope.read(known: AccessKey.names) { field in
      guard let key = AccessKey(rawValue: field.key) else { return false }
      switch key {
      case .path:
        pathPlace = field.value.place
        rule.path = responderPath(field) ?? ""
      case .users: rule.users = field.strings("names of users") ?? []
      case .groups: rule.groups = field.strings("names of groups") ?? []
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
    if let first = access.firstIndex(where: { $0.path == rule.path }), !rule.path.isEmpty {
      let place = problems.name(accessPlaces[first])
      problems.add(pathPlace, "\(scope.prefix)there is a rule for that path already, at \(place)")
    }
    problems.add(scope.table.place, "\(scope.prefix)[[access]] is not supported yet")
    access.append(rule)
    accessPlaces.append(pathPlace)
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
