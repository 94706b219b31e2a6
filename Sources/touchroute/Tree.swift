import ArgumentParser
import Configuration

/// `touchroute tree`: the layout as a tree.
struct Tree: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Prints the layout as a tree.")
  @OptionGroup var configuration: ConfigurationOption
  func run() throws {
    let tree = LayoutTree(try configuration.load().layout)
    let output = Output()
    for line in tree.lines(holderName: { "\($0)" }) { try output.line(line) }
    try output.flush()
  }
}
