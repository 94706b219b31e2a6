import Configuration
import Layout

/// A configuration, as the daemon has it and as the oracle does.
struct SimulatedConfiguration {
  let configuration: Configuration
  let layout: OracleLayout
  let access: OracleAccess

  var description: LayoutDescription { configuration.layoutDescription }

  /// That configuration with another layout and rules of access.
  init(
    _ base: Configuration, _ description: LayoutDescription, _ rules: [OracleAccess.Rule]
  ) throws {
    layout = try OracleLayout(description)
    access = OracleAccess(rules: rules)
    var configuration = base
    configuration.layoutDescription = description
    configuration.layout = layout.layout
    configuration.access = rules.map { rule in
      AccessRule(
        path: rule.path, users: rule.users.sorted().map(Self.account),
        groups: rule.groups.sorted().map(Self.account))
    }
    self.configuration = configuration
  }

  private static func account(_ id: UInt32) -> AccessRule.Account {
    AccessRule.Account(name: "\(id)", id: id)
  }
}
