import ArgumentParser
import TouchClient
import TouchModel
import TouchScripts

/// `touchroute swipe`: fingers move along a line.
struct Swipe: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Moves fingers along a line of a screen, at 120 frames a second.",
    discussion: """
      Needs the control socket. Several fingers move side by side, 60 points apart, around the \
      line. The daemon routes the touches like any other, marked as injected. For each touch a \
      line says which view it hit, and which program gets it or why none does. It also names a \
      gesture that the touch becomes, and the program that hears of it. The exit status is 2 if a \
      touch went to no program and to no gesture.

      Examples:
        touchroute swipe 700 240 100 240
        touchroute swipe 400 400 400 100 --duration 800 --fingers 3
      """)

  @OptionGroup var socket: SocketOption
  @OptionGroup var screen: InjectionScreen

  @Option(help: "How long it takes, in milliseconds.")
  var duration = Stroke.swipeTime

  @OptionGroup var fingers: InjectionFingers

  @Argument(
    help: "Where it starts: the distance from the left edge, in points.",
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

  func validate() throws {
    guard [x1, y1, x2, y2].allSatisfy(\.isFinite) else {
      throw ValidationError("X1, Y1, X2 and Y2 must be finite numbers.")
    }
    try requireTime(duration, of: "--duration")
  }

  func run() throws {
    try Injector.run(socket) { injector in
      try injector.choose(screen: screen.screen)
      try injector.play(
        .line(
          fingers.fingers, from: Point(x: x1, y: y1), to: Point(x: x2, y: y2), in: duration))
    }
  }
}
