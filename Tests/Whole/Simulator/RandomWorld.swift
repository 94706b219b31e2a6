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

  private static let base = Result {
    try Configuration.parse([("world", "[screen.a]\nsize = [1, 1]\n")])
  }

  init(seed: UInt64) throws {
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
    for _ in 0..<3 {
      let description = RandomLayout.make(using: &generator)
      for var description in [description, RandomLayout.varied(description, using: &generator)] {
        for index in description.screens.indices where mounter.oneIn(3) {
          description.screens[index].rotation =
            Screen.Rotation.allCases[mounter.below(Screen.Rotation.allCases.count)]
        }
        configurations.append(
          try SimulatedConfiguration(
            configuration, description, users.rules(using: &generator),
            .random(on: description.screens, using: &mounter)))
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

  /// After what time without reading a program is unresponsive, in microseconds.
  var unresponsiveAfter: UInt64 {
    UInt64(configurations[0].configuration.touch.unresponsiveAfterMilliseconds) * 1_000
  }
}
