import Configuration
import Layout

/// A configuration, as the daemon has it and as the oracle does.
struct SimulatedConfiguration {
  let configuration: Configuration
  let layout: OracleLayout
  let access: OracleAccess
  /// What it says of touchscreens.
  let mountings: SimulatedMountings

  var description: LayoutDescription { configuration.layoutDescription }

  /// That configuration with another layout, and rules of access and for touchscreens.
  init(
    _ base: Configuration, _ description: LayoutDescription, _ rules: [OracleAccess.Rule],
    _ mountings: SimulatedMountings
  ) throws {
    self.mountings = mountings
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
    configuration.devices = mountings.rules.map(\.rule)
    self.configuration = configuration
  }

  private static func account(_ id: UInt32) -> AccessRule.Account {
    AccessRule.Account(name: "\(id)", id: id)
  }
}
