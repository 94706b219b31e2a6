import ArgumentParser
import Configuration
import Layout
import TouchModel

/// `touchroute hit-test`: which view a touch would go to, and why.
struct HitTest: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hit-test",
    abstract: "Says which view a touch at a point would go to.",
    discussion: """
      Reads a configuration, not the daemon. Prints the target's path, the point in its \
      coordinates, and the responders that would be asked, the target first.

      Examples:
        touchroute hit-test 400 20
        touchroute hit-test --config config/touchroute.toml --trace 400 20
      """)

  @OptionGroup var configuration: ConfigurationOption

  @Option(help: "The screen that the point is on; the first where it is not given.")
  var screen: String?

  @Flag(help: "Print the calls of the hit-test, in their order.")
  var trace = false

  @Flag(help: "Print a line of JSON.")
  var json = false

  @Argument(help: "The point's distance from the left edge of the screen, in points.")
  var x: Double

  @Argument(help: "The point's distance from the top edge of the screen, in points.")
  var y: Double

  func validate() throws {
    guard x.isFinite, y.isFinite else { throw ValidationError("X and Y must be finite numbers.") }
  }

  func run() throws {
    let layout = try configuration.load().layout
    let screen = try screenIndex(in: layout)
    let point = Point(x: x, y: y)
    let tester = HitTester(layout)
    let size = layout.screens[Int(screen.rawValue)].size
    let isOnScreen = Rect(x: 0, y: 0, width: size.width, height: size.height).contains(point)
    let target = isOnScreen ? tester.hitTest(point, on: screen) : nil
    let answer = HitAnswer(point, on: screen, target: target, isOnScreen: isOnScreen, in: layout)
    let steps = trace && isOnScreen ? tester.trace(point, on: screen) : nil
    let output = Output()
    if json {
      try output.line(jsonLine(HitReport(answer, trace: steps, in: layout)))
    } else if let steps {
      for line in steps.lines(layout) { try output.line(line) }
    } else {
      for line in answer.lines { try output.line(line) }
    }
    try output.flush()
  }

  private func screenIndex(in layout: Layout) throws(Failure) -> ScreenIndex {
    guard let screen else { return ScreenIndex(0) }
    guard let index = layout.screens.firstIndex(where: { $0.name == screen }) else {
      let names = layout.screens.map { "\"\($0.name)\"" }.joined(separator: ", ")
      throw Failure("there is no screen \"\(screen)\"; the configuration has \(names)")
    }
    return ScreenIndex(Int32(index))
  }
}

/// The answer to one hit-test.
struct HitAnswer {
  let point: Point
  let screen: Screen
  let isOnScreen: Bool
  let target: String?
  /// The point in the target's coordinates.
  let location: Point?
  /// The responders that would be asked, from the target up. Rule R1.
  let chain: [String]

  init(
    _ point: Point, on screen: ScreenIndex, target: ViewIndex?, isOnScreen: Bool, in layout: Layout
  ) {
    self.point = point
    self.screen = layout.screens[Int(screen.rawValue)]
    self.isOnScreen = isOnScreen
    self.target = target.map(layout.path(of:))
    location = target.map { layout.screenTransform(of: $0).apply(point) }
    chain = target.map { layout.chain(of: $0).map(layout.path(of:)) } ?? []
  }

  var lines: [String] {
    guard let target, let location else {
      let size = "\(Text.number(screen.size.width)) by \(Text.number(screen.size.height)) points"
      let reason =
        isOnScreen
        ? "no window takes it" : "it is outside screen \"\(screen.name)\", which has \(size)"
      return ["nothing at \(Text.point(point)): \(reason)"]
    }
    return [
      target, "  at \(Text.point(location)) in its coordinates",
      "  asked in this order: \(chain.joined(separator: ", "))",
    ]
  }
}

/// A hit-test as data.
private struct HitReport: Encodable {
  var screen: String
  var point: [Double]
  var target: String?
  var location: [Double]?
  var chain: [String]
  var trace: [Step]?

  /// A call, or its result. Rule H9.
  struct Step: Encodable {
    var call: String
    var view: String
    var point: [Double]?
    var inside: Bool?
    var found: String?
  }

  init(_ answer: HitAnswer, trace: HitTrace?, in layout: Layout) {
    screen = answer.screen.name
    point = [answer.point.x, answer.point.y]
    target = answer.target
    location = answer.location.map { [$0.x, $0.y] }
    chain = answer.chain
    self.trace = trace?.steps.map { step in
      switch step {
      case .hit(let view): Step(call: "hit", view: layout.path(of: view))
      case .inside(let view, let point, let answer):
        Step(
          call: "inside", view: layout.path(of: view), point: [point.x, point.y], inside: answer)
      case .result(let view, let found):
        Step(call: "result", view: layout.path(of: view), found: found.map(layout.path(of:)))
      }
    }
  }
}
