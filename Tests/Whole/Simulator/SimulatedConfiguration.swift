import Configuration
import Layout
import Server

/// A configuration, as the daemon has it and as the oracle does.
struct SimulatedConfiguration {
  let configuration: Configuration
  let layout: OracleLayout
  let access: OracleAccess
  /// What it says of touchscreens.
  let mountings: SimulatedMountings
  /// Who may turn a screen dark and lock it, beside root and administrators.
  let screenRules: [OracleAccess.Rule]

  var description: LayoutDescription { configuration.layoutDescription }

  /// That configuration with another layout, and rules of access and for touchscreens.
  init(
    _ base: Configuration, _ description: LayoutDescription, _ rules: [OracleAccess.Rule],
    _ mountings: SimulatedMountings, screenRules: [OracleAccess.Rule] = []
  ) throws {
    self.screenRules = screenRules
    self.mountings = mountings
    layout = try OracleLayout(description)
    access = OracleAccess(rules: rules)
    var configuration = base
    configuration.layoutDescription = description
    configuration.layout = layout.layout
    configuration.access = (rules + screenRules).map { rule in
      AccessRule(
        path: rule.path, users: rule.users.sorted().map(Self.account),
        groups: rule.groups.sorted().map(Self.account))
    }
    configuration.devices = mountings.rules.map(\.rule)
    self.configuration = configuration
  }

  /// Whether a rule names a user for a screen. Rule D2.
  func mayDarken(_ screen: String, _ user: PeerCredentials) -> Bool {
    user.uid == 0
      || screenRules.contains { rule in
        rule.path == "screen:" + screen
          && (rule.users.contains(user.uid)
            || !rule.groups.isDisjoint(with: user.groups + [user.gid]))
      }
  }

  private static func account(_ id: UInt32) -> AccessRule.Account {
    AccessRule.Account(name: "\(id)", id: id)
  }
}
