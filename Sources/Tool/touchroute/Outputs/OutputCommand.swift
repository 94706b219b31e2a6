import ArgumentParser

/// `touchroute output`: what hands the touches of a responder to programs that know nothing of
/// touchroute. Each is a client like any other.
struct OutputCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "output",
    abstract: "Gives touches to programs that know nothing of touchroute.",
    discussion: """
      It attaches to a window, view or application like any program, and passes its touches on in \
      a way that other programs understand; feedback listens to what is hit. It runs until it is \
      ended.
      """,
    subcommands: [UinputOutput.self, TuioOutput.self, MqttOutput.self, FeedbackOutput.self])
}
