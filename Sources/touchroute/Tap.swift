import ArgumentParser
import TouchClient
import TouchModel

/// `touchroute tap`: a finger comes down and is lifted.
struct Tap: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Taps a point of a screen, as a finger would.",
    discussion: """
      Needs the control socket. The touch is routed like any other, marked as injected. A line \
      for each says what it hit and which program gets it, or why nobody does; then the exit \
      status is 2.

      Examples:
        touchroute tap 400 240
        touchroute tap 400 240 --count 2
        touchroute tap 20 20 --screen door --hold 800
      """)

  @OptionGroup var socket: SocketOption
  @OptionGroup var screen: InjectionScreen

  @Option(help: "How many taps; 80 ms lie between them.")
  var count = 1

  @Option(help: "How long the finger stays down, in milliseconds.")
  var hold = 50.0

  @Argument(
    help: "The point's distance from the left edge of the screen, in points.",
    transform: NegativeNumbers.number)
  var x: Double

  @Argument(
    help: "Its distance from the top edge.",
    transform: NegativeNumbers.number)
  var y: Double

  func validate() throws {
    guard x.isFinite, y.isFinite else { throw ValidationError("X and Y must be finite numbers.") }
    guard (1...1000).contains(count) else {
      throw ValidationError("--count must be from 1 to 1000.")
    }
    guard (0...600_000).contains(hold) else {
      throw ValidationError("--hold must be from 0 to 600000 milliseconds.")
    }
  }

  func run() throws {
    try Injector.run(socket) { injector in
      try injector.choose(screen: screen.screen)
      for number in 0..<count {
        if number > 0 { injector.wait(milliseconds: 80) }
        try injector.frame([InjectedContact(.began(Point(x: x, y: y)))])
        injector.wait(milliseconds: hold)
        try injector.frame([InjectedContact(.ended)])
      }
    }
  }
}
