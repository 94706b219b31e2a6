import ArgumentParser
import Configuration
import Layout
import LayoutDrawing
import TouchClient
import TouchModel

/// `touchroute tree`: the layout as a tree.
struct Tree: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Prints the layout as a tree, with geometry and with who holds what.",
    discussion: """
      Asks the daemon for the layout in force, with the recognisers of gestures and who has added \
      them, over its control socket. With --config it reads a configuration, and needs no \
      daemon. With --svg too \
      it draws each view's touchable region: an image in SVG, on standard output.

      Examples:
        touchroute tree
        touchroute tree --config touchroute.toml
        touchroute tree --json
        touchroute tree -c touchroute.toml --svg --point 400 20 > tree.svg
      """)

  @OptionGroup var configuration: ConfigurationOption
  @OptionGroup var socket: SocketOption

  @Flag(help: "Draw the touchable regions of a configuration's views, as an SVG.")
  var svg = false

  @Flag(help: "Print a line of JSON.")
  var json = false

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "With --svg, mark a point, its target and the target's superviews.", valueName: "x> <y"),
    transform: NegativeNumbers.number)
  var point: [Double] = []

  @Option(
    help: "With --svg, the screen to draw; --point is on the first where it is not given.",
    completion: Completions.screens)
  var screen: String?

  func validate() throws {
    if configuration.path != nil, socket.socket != nil {
      throw ValidationError("--config and --socket can't be given together.")
    }
    if svg, json { throw ValidationError("--svg and --json can't be given together.") }
    guard svg else {
      if !point.isEmpty { throw ValidationError("--point is for --svg.") }
      if screen != nil { throw ValidationError("--screen is for --svg.") }
      return
    }
    if configuration.path == nil {
      throw ValidationError(
        "--svg needs --config FILE: the daemon does not tell outsets, shapes and hit rules.")
    }
    guard point.isEmpty || point.count == 2, point.allSatisfy(\.isFinite) else {
      throw ValidationError("--point needs two finite numbers, X Y.")
    }
  }

  func run() throws {
    let output = Output()
    for line in try svg ? drawing() : tree(output) { try output.line(line) }
    try output.flush()
  }

  private func tree(_ output: Output) throws -> [String] {
    if configuration.path != nil {
      let configuration = try configuration.load()
      if json { return [try jsonLine(TreeReport(configuration))] }
      return LayoutTree(configuration.layout, notes: configuration.gestureRemarks).lines()
    }
    let daemon = try Daemon(.control, path: socket.socket, output: output)
    let described = try DescribedLayout(daemon)
    return json ? [try jsonLine(TreeReport(described))] : LayoutTree(described).lines()
  }

  private func drawing() throws -> [String] {
    let layout = try configuration.load().layout
    let screens =
      if let screen { [try layout.screenIndex(named: screen)] } else {
        layout.screens.indices.map { ScreenIndex(Int32($0)) }
      }
    let point = point.count == 2 ? Point(x: point[0], y: point[1]) : nil
    do throws(SVGDocument.TooManyViews) {
      return try SVGDocument(layout, screens: screens, point: point).lines
    } catch {
      throw Failure(
        "--svg draws at most \(SVGDocument.maximumViews) views, and there are \(error.count): "
          + (screens.count == 1 ? "draw a smaller layout" : "name one --screen"))
    }
  }
}
