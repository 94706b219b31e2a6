import Configuration
import Testing

@Suite("Access rules")
struct AccessTests {
  private func configuration() throws -> Configuration {
    let text = """
      [screen.panel]
      size = [800, 480]
      [[window]]
      name = "home"
      application = "dashboard"
      [[view]]
      path = "home/bar"
      frame = [0, 0, 100, 100]
      controller = "keys"
      [[view]]
      path = "home/bar/pin"
      frame = [0, 0, 10, 10]
      [[window]]
      name = "home2"
      [[access]]
      path = "home"
      users = ["kiosk", "1007"]
      groups = ["hmi"]
      [[access]]
      path = "home/bar/pin"
      users = []
      [[access]]
      path = "home/bar@keys"
      groups = ["33"]
      [[access]]
      path = "app:dashboard"
      users = ["kiosk"]
      """
    let accounts = Accounts(
      user: { ["kiosk": 1000][$0] }, group: { ["hmi": 50][$0] })
    return try Configuration.parse([("t.toml", text)], accounts: accounts)
  }

  @Test(
    "the rule of the most specific path wins, and holds for what lies within it (F6)",
    arguments: [
      ("home", "home"), ("home/bar", "home"), ("home/bar@keys", "home/bar@keys"),
      ("home/bar/pin", "home/bar/pin"), ("home2", nil), ("app:dashboard", "app:dashboard"),
    ])
  func mostSpecific(_ path: String, _ rule: String?) throws {
    #expect(try configuration().accessRule(for: path)?.path == rule)
  }

  @Test("a rule allows its users, the members of its groups, and root (F6)")
  func allows() throws {
    let configuration = try configuration()
    let home = try #require(configuration.accessRule(for: "home"))
    for (user, groups, isAllowed) in [
      (UInt32(1000), [UInt32(5)], true), (1007, [], true), (1001, [4, 50], true), (0, [], true),
      (1001, [1000, 1007], false), (50, [], false),
    ] {
      #expect(home.allows(user: user, groups: groups) == isAllowed, "\(user) \(groups)")
    }
    #expect(home.grantees == "user kiosk, user 1007, group hmi and root")
    #expect(home.location == "t.toml:16:8")
    let pin = try #require(configuration.accessRule(for: "home/bar/pin"))
    #expect(pin.allows(user: 0, groups: []) && !pin.allows(user: 1000, groups: [50]))
    #expect(pin.grantees == "root alone")
  }

  @Test("root is among those whom a rule names, and once (F6)")
  func root() {
    let root = AccessRule.Account(name: "root", id: 0)
    let kiosk = AccessRule.Account(name: "kiosk", id: 1000)
    #expect(AccessRule(path: "home", users: [root]).grantees == "root alone")
    #expect(AccessRule(path: "home", users: [root, kiosk]).grantees == "user kiosk and root")
  }

  @Test("root and its group are found by their names on every machine")
  func machine() throws {
    #expect(Accounts.machine.user("root") == 0 && Accounts.machine.group("root") == 0)
    #expect(Accounts.machine.user("no.such.user") == nil)
  }
}
