import ArgumentParser
import Configuration
import TouchClient

/// `touchroute tree`: the layout as a tree.
struct Tree: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Prints the layout as a tree, with geometry and with who holds what.",
    discussion: """
      Asks the daemon for the layout in force, over its control socket. With --config it reads a \
      configuration, and needs no daemon.

      Examples:
        touchroute tree
        touchroute tree --config config/touchroute.toml
      """)

  @OptionGroup var configuration: ConfigurationOption
  @OptionGroup var socket: SocketOption

  func validate() throws {
    if configuration.path != nil, socket.socket != nil {
      throw ValidationError("--config and --socket can't be given together.")
    }
  }

  func run() throws {
    let output = Output()
    let tree: LayoutTree
    if configuration.path != nil {
      tree = LayoutTree(try configuration.load().layout)
    } else {
      tree = try LayoutTree(Daemon(.control, path: socket.socket, output: output))
    }
    for line in tree.lines() { try output.line(line) }
    try output.flush()
  }
}
