import ArgumentParser
import Configuration
import Layout
import LayoutDrawing
import TouchClient
import TouchModel

/// `touchroute tree`: the layout as a tree.
struct Tree: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Prints the layout as a tree, with its geometry and who holds what.",
    discussion: """
      Asks the daemon for the layout in force, over its control socket (--live, the default). It \
      shows what programs hold, have added and have set, and the recognizers of gestures. With \
      --config it reads a configuration instead, and needs no daemon. With --svg it draws each \
      view's touchable region, as an SVG on standard output.

      Examples:
        touchroute tree
        touchroute tree --config touchroute.toml
        touchroute tree --json
        touchroute tree --live --svg > tree.svg
        touchroute tree -c touchroute.toml --svg --point 400 20 --point 9 9 > tree.svg
      """)

  @OptionGroup var configuration: ConfigurationOption
  @OptionGroup var socket: SocketOption

  @Flag(help: "Ask the daemon for the layout in force; the default without --config.")
  var live = false

  @Flag(help: "Draw the touchable regions of the views, as an SVG.")
  var svg = false

  @Flag(help: "Print a line of JSON.")
  var json = false

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "With --svg, mark a point, the view that it hits and its superviews.", valueName: "x> <y"),
    transform: NegativeNumbers.number)
  var point: [Double] = []

  @Option(
    help: "With --svg, the screen to draw. Without it, --point is on the first screen.",
    completion: Completions.screens)
  var screen: String?

  func validate() throws {
    if configuration.path != nil, socket.socket != nil {
      throw ValidationError("--config and --socket can't be given together.")
    }
    if configuration.path != nil, live {
      throw ValidationError("--live and --config can't be given together.")
    }
    if svg, json { throw ValidationError("--svg and --json can't be given together.") }
    guard svg else {
      if !point.isEmpty { throw ValidationError("--point needs --svg.") }
      if screen != nil { throw ValidationError("--screen needs --svg.") }
      return
    }
    guard point.count.isMultiple(of: 2), point.allSatisfy(\.isFinite) else {
      throw ValidationError("--point needs two finite numbers, X Y.")
    }
  }

  func run() throws {
    let output = Output()
    let listed = try listed(output)
    for line in try lines(of: listed) { try output.line(line) }
    try output.flush()
  }

  private func listed(_ output: Output) throws -> ListedLayout {
    guard configuration.path == nil else { return ListedLayout(try configuration.load()) }
    let daemon = try Daemon(.control, path: socket.socket, output: output)
    return ListedLayout(try DescribedLayout(daemon, named: true))
  }

  private func lines(of listed: ListedLayout) throws(Failure) -> [String] {
    if svg { return try drawing(of: listed) }
    if json { return [try jsonLine(TreeReport(listed))] }
    return LayoutTree(listed.layout, properties: listed.properties, notes: listed.notes).lines()
  }

  private func drawing(of listed: ListedLayout) throws(Failure) -> [String] {
    let layout = listed.layout
    let screens =
      if let screen { [try layout.screenIndex(named: screen)] } else {
        layout.screens.indices.map { ScreenIndex(Int32($0)) }
      }
    let points = stride(from: 0, to: point.count, by: 2).map {
      Point(x: point[$0], y: point[$0 + 1])
    }
    do throws(SVGDocument.TooManyViews) {
      return try SVGDocument(
        layout, screens: screens, points: points, notes: listed.titles, zones: listed.zones
      ).lines
    } catch {
      throw Failure(
        "--svg draws at most \(SVGDocument.maximumViews) views, and there are \(error.count): "
          + (screens.count == 1 ? "draw a smaller layout" : "name one --screen"))
    }
  }
}
