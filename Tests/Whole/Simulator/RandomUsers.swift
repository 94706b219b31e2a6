import Layout
import TestSupport
import Server

/// The users of a world, and what its rules say of them.
struct RandomUsers {
  private static let all: [UInt32] = [1001, 1002, 1003, 0]
  private static let groups: [UInt32] = [2001, 2002]

  /// How many there are.
  private let count: Int

  /// In some worlds all programs are one user's, as on most kiosks.
  init(using generator: inout SeededGenerator) {
    count = generator.oneIn(3) ? 1 : 2 + generator.below(Self.all.count - 1)
  }

  /// Somebody who runs a program.
  func make(using generator: inout SeededGenerator) -> PeerCredentials {
    let user = Self.all[generator.below(count)]
    let groups = Self.groups.filter { _ in generator.oneIn(3) }
    return PeerCredentials(pid: 1, uid: user, gid: user + 1000, groups: groups)
  }

  /// Rules that say who may turn some screens dark.
  func screenRules(
    of screens: [String], using generator: inout SeededGenerator
  ) -> [OracleAccess.Rule] {
    screens.filter { _ in !generator.oneIn(5) }.map { screen in
      OracleAccess.Rule(
        path: "screen:" + screen, users: Set(Self.all.filter { _ in !generator.oneIn(3) }),
        groups: Set(Self.groups.filter { _ in generator.oneIn(3) }))
    }
  }

  /// At most three rules, none for the path of another.
  func rules(using generator: inout SeededGenerator) -> [OracleAccess.Rule] {
    guard !generator.oneIn(3) else { return [] }
    var rules: [OracleAccess.Rule] = []
    for _ in 0...generator.below(3) {
      let path = RandomLayout.anyPath(using: &generator)
      guard !rules.contains(where: { $0.path == path }) else { continue }
      rules.append(
        OracleAccess.Rule(
          path: path, users: Set(Self.all.filter { _ in generator.oneIn(3) }),
          groups: Set(Self.groups.filter { _ in generator.oneIn(3) })))
    }
    return rules
  }
}
