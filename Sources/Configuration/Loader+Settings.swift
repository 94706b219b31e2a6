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
}
