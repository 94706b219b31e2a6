import ArgumentParser
import TouchClient
import TouchModel

/// `touchroute swipe`: fingers move along a line.
struct Swipe: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Draws fingers along a line of a screen, at 120 frames a second.",
    discussion: """
      Needs the control socket. Several fingers move side by side, 60 points apart, the line \
      between them. The touches are routed like any other, marked as injected. A line for each \
      says what it hit and which program gets it, or why nobody does; then the exit status is 2.

      Examples:
        touchroute swipe 700 240 100 240
        touchroute swipe 400 400 400 100 --duration 800 --fingers 3
      """)

  @OptionGroup var socket: SocketOption
  @OptionGroup var screen: InjectionScreen

  @Option(help: "How long it takes, in milliseconds.")
  var duration = 300.0

  @Option(help: "How many fingers.")
  var fingers = 1

  @Argument(
    help: "Where it begins: the distance from the left edge, in points.",
    transform: NegativeNumbers.number)
  var x1: Double
  @Argument(
    help: "The distance from the top edge.",
    transform: NegativeNumbers.number)
  var y1: Double
  @Argument(
    help: "Where it ends: the distance from the left edge.",
    transform: NegativeNumbers.number)
  var x2: Double
  @Argument(
    help: "The distance from the top edge.",
    transform: NegativeNumbers.number)
  var y2: Double

  /// The time between two frames, in milliseconds.
  private static let step = 1000.0 / 120
  /// Between two fingers, in points.
  private static let spacing = 60.0

  func validate() throws {
    guard [x1, y1, x2, y2].allSatisfy(\.isFinite) else {
      throw ValidationError("X1, Y1, X2 and Y2 must be finite numbers.")
    }
    guard (0...600_000).contains(duration) else {
      throw ValidationError("--duration must be from 0 to 600000 milliseconds.")
    }
    guard (1...32).contains(fingers) else {
      throw ValidationError("--fingers must be from 1 to 32.")
    }
  }

  func run() throws {
    try Injector.run(socket) { injector in
      try injector.choose(screen: screen.screen)
      try injector.frame(contacts(at: 0) { .began($0) })
      let steps = max(1, Int((duration / Self.step).rounded()))
      for number in 1...steps {
        injector.wait(milliseconds: duration / Double(steps))
        try injector.frame(contacts(at: Double(number) / Double(steps)) { .moved($0) })
      }
      try injector.frame(contacts(at: 1) { _ in .ended })
    }
  }

  /// The fingers at a share of the way.
  private func contacts(
    at share: Double, _ change: (Point) -> InjectedContact.Change
  ) -> [InjectedContact] {
    let (dx, dy) = (x2 - x1, y2 - y1)
    let length = (dx * dx + dy * dy).squareRoot()
    let side = length > 0 ? Point(x: -dy / length, y: dx / length) : Point(x: 1, y: 0)
    return (0..<fingers).map { finger in
      let off = (Double(finger) - Double(fingers - 1) / 2) * Self.spacing
      let point = Point(x: x1 + dx * share + side.x * off, y: y1 + dy * share + side.y * off)
      return InjectedContact(slot: Int32(finger), change(point))
    }
  }
}
