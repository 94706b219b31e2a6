import ArgumentParser

/// The command line of touchroute: what a person uses to see, test and steer the daemon.
@main
struct Touchroute: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "touchroute",
    abstract: "Sees, tests and steers touchrouted, which gives each touch to the right program.",
    subcommands: [Check.self])
}
