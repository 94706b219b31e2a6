import Configuration
import Routing
import TestSupport
import Server
import Exchange
import Layout
import TouchModel

/// What a world is like, by its seed: its configurations, its users, and what they are given.
struct RandomWorld {
  let configurations: [SimulatedConfiguration]
  /// Who runs each of the programs.
  let users: [PeerCredentials]
  let options: RouterOptions
  /// Whether somebody is told of every touch.
  let isObserved: Bool
  /// After so many steps the daemon has a turn, and programs read.
  let stepsInTurn: Int
  /// Whether all changes of views are made by a thread, as those of a large layout are.
  let hasThread: Bool
  /// For how many steps a thread is at it; 0 where it is done at once.
  let changeSteps: Int
  /// Whether screens go dark and are locked in it.
  let hasScreens: Bool

  private static let base = Result {
    try Configuration.parse([("world", "[screen.a]\nsize = [1, 1]\n")])
  }

  init(seed: UInt64, of kind: SimulationSettings.Kind) throws {
    hasScreens = kind == .screens
    var generator = SeededGenerator(seed: seed)
    var configuration = try Self.base.get()
    configuration.limits.attachments = 2 + generator.below(12)
    if generator.oneIn(4) { configuration.limits.attachmentsPerUser = 3 + generator.below(8) }
    if generator.oneIn(6) { configuration.limits.clientsPerUser = 1 + generator.below(4) }
    configuration.limits.touches = generator.oneIn(4) ? 4 : 256
    configuration.limits.queueBytes = 65_536
    configuration.limits.requestTimeoutMilliseconds = [300, 10_000][generator.below(2)]
    configuration.touch.decisionTimeoutMilliseconds = [0, 50, 250, 1000][generator.below(4)]
    configuration.touch.unresponsiveAfterMilliseconds = [100, 500, 1000][generator.below(3)]
    let users = RandomUsers(using: &generator)
    self.users = (0..<Step.programs + Step.injectors).map { _ in users.make(using: &generator) }
    var configurations: [SimulatedConfiguration] = []
    // Of its own, so that the rest of a world does not depend on how touchscreens are mounted.
    var mounter = SeededGenerator(seed: seed ^ 0x7e57)
    // Of their own too.
    var darkener = SeededGenerator(seed: seed ^ 0xda4c)
    if kind == .screens { configuration.limits.lockSeconds = darkener.pick([2, 30]) }
    for _ in 0..<3 {
      let description = RandomLayout.make(using: &generator)
      for var description in [description, RandomLayout.varied(description, using: &generator)] {
        for index in description.screens.indices where mounter.oneIn(3) {
          description.screens[index].rotation =
            Screen.Rotation.allCases[mounter.below(Screen.Rotation.allCases.count)]
        }
        var screenRules: [OracleAccess.Rule] = []
        if kind == .screens {
          Self.darken(&description, using: &darkener)
          screenRules = users.screenRules(
            of: description.screens.map(\.name), using: &darkener)
        }
        configurations.append(
          try SimulatedConfiguration(
            configuration, description, users.rules(using: &generator),
            .random(on: description.screens, using: &mounter), screenRules: screenRules))
      }
    }
    self.configurations = configurations
    var options = RouterOptions(configuration)
    options.maximumKeptMoves = 1 + generator.below(6)
    self.options = options
    isObserved = generator.oneIn(4)
    hasThread = generator.oneIn(4)
    changeSteps = hasThread && generator.oneIn(2) ? 1 + generator.below(20) : 0
    stepsInTurn = [1, 2, 4, 8][generator.below(4)]
  }

  /// Says what wakes screens, and which windows are always on.
  private static func darken(
    _ description: inout LayoutDescription, using generator: inout SeededGenerator
  ) {
    for index in description.screens.indices {
      description.screens[index].waking.action = generator.pick(Screen.Waking.Action.allCases)
      description.screens[index].waking.guardMilliseconds = generator.pick([0, 50, 200])
      description.screens[index].waking.timeoutMilliseconds = generator.pick([500, 2_000, 5_000])
    }
    for index in description.windows.indices {
      description.windows[index].isAlwaysOn = generator.oneIn(4)
    }
  }

  /// After what time without reading a program is unresponsive, in microseconds.
  var unresponsiveAfter: UInt64 {
    UInt64(configurations[0].configuration.touch.unresponsiveAfterMilliseconds) * 1_000
  }
}
