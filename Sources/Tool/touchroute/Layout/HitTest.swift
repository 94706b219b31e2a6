import ArgumentParser
import Configuration
import Gestures
import Layout
import LayoutDrawing
import TouchModel

/// `touchroute hit-test`: which view a touch would go to, and why.
struct HitTest: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hit-test",
    abstract: "Prints which view a touch at a point would hit.",
    discussion: """
      Reads a configuration. With --live it asks the daemon for the layout in force instead, with \
      what programs have added and set; it presses nothing.

      It prints the path of the view, the point in the view's coordinates, and the responders that \
      would be asked, that view first. Then come the recognizers that would take the touch, and \
      why others take no part; with --live also those that no program would hear of.

      Examples:
        touchroute hit-test 400 20
        touchroute hit-test --config touchroute.toml --trace 400 20
        touchroute hit-test --live --trace 400 20
        touchroute hit-test --points points.txt --time
      """)

  @OptionGroup var configuration: ConfigurationOption
  @OptionGroup var socket: SocketOption

  @Flag(help: "Ask the daemon for the layout in force.")
  var live = false

  @Option(
    help: "The screen of the point; by default the first.",
    completion: Completions.screens)
  var screen: String?

  @Flag(help: "Print the calls of the hit-test, in order.")
  var trace = false

  @Flag(help: "Print a line of JSON.")
  var json = false

  @Option(
    help: "A file with a point a line, as X Y. Prints the view's path for each, - for none.",
    completion: .file())
  var points: String?

  @Flag(help: "With --points, also print on standard error how long it took.")
  var time = false

  @Argument(
    help: "The point's distance from the left edge of the screen, in points.",
    transform: NegativeNumbers.number)
  var x: Double?

  @Argument(
    help: "The point's distance from the top edge of the screen, in points.",
    transform: NegativeNumbers.number)
  var y: Double?

  func validate() throws {
    if live, configuration.path != nil {
      throw ValidationError("--live and --config can't be given together.")
    }
    if socket.socket != nil, !live { throw ValidationError("--socket needs --live.") }
    if points != nil {
      if x != nil { throw ValidationError("X Y and --points can't be given together.") }
      if trace || json { throw ValidationError("--trace and --json are for one point, X Y.") }
      return
    }
    if time { throw ValidationError("--time needs --points.") }
    guard let x, let y else { throw ValidationError("Give X and Y, or --points FILE.") }
    guard x.isFinite, y.isFinite else { throw ValidationError("X and Y must be finite numbers.") }
  }

  func run() throws {
    let output = Output()
    let listed = try listed(output)
    let screen = try screen.map(listed.layout.screenIndex(named:)) ?? ScreenIndex(0)
    if let points {
      let batch = try PointBatch(file: points, screen: screen)
      try batch.run(listed.layout, isTimed: time, output: output)
    } else if let x, let y {
      try run(Point(x: x, y: y), on: screen, in: listed, output: output)
    }
    try output.flush()
  }

  /// The layout that is asked for: any program may ask the daemon.
  private func listed(_ output: Output) throws -> ListedLayout {
    guard live else { return ListedLayout(try configuration.load()) }
    let daemon = try Daemon(.client, path: socket.socket, output: output)
    return ListedLayout(try DescribedLayout(daemon, named: false))
  }

  private func run(
    _ point: Point, on screen: ScreenIndex, in listed: ListedLayout, output: Output
  ) throws(Failure) {
    let layout = listed.layout
    let tester = HitTester(layout)
    let isOnScreen = layout.bounds(of: screen).contains(point)
    let target = isOnScreen ? tester.hitTest(point, on: screen) : nil
    let answer = HitAnswer(point, on: screen, target: target, isOnScreen: isOnScreen, in: layout)
    let steps = trace && isOnScreen ? tester.trace(point, on: screen) : nil
    let gestures = isOnScreen ? listed.gestures(at: target, on: screen) : []
    if json {
      try output.line(jsonLine(HitReport(answer, gestures, trace: steps, in: layout)))
    } else if let steps {
      for line in steps.lines(layout) { try output.line(line) }
    } else {
      for line in answer.lines { try output.line(line) }
      if !gestures.isEmpty { try output.line("  recognizers:") }
      for gesture in gestures {
        let lack = gesture.lack.map { ": takes no part: \($0)" } ?? ""
        try output.line("    \(gesture.spec.path)  \(gesture.words)\(lack)")
      }
    }
  }
}

extension Layout {
  /// The screen of a name that somebody gave.
  func screenIndex(named name: String) throws(Failure) -> ScreenIndex {
    guard let index = screens.firstIndex(where: { $0.name == name }) else {
      let names = screens.map { "\"\($0.name)\"" }.joined(separator: ", ")
      throw Failure("there is no screen \"\(name)\"; the configuration has \(names)")
    }
    return ScreenIndex(Int32(index))
  }
}
