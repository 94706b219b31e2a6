import ArgumentParser
import Configuration
import TouchClient
import TouchModel
import TouchScripts

/// `touchroute rotate`: two fingers turn about the point between them.
struct Rotate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Turns two fingers about a point, at 120 frames a second.",
    discussion: """
      Needs the control socket. The fingers come down to the left and the right of the point, \
      and never leave the screen: where they would, nothing is played. The touches are routed \
      like any other, marked as injected. A line for each says what it hit and which program \
      gets it, or why nobody does; a gesture that comes of it is named, with who is told. The \
      exit status is 2 where a touch went to no program and to no gesture.

      Examples:
        touchroute rotate 400 240
        touchroute rotate 400 240 --degrees -45 --distance 160
        touchroute rotate home/dial --screen panel --duration 800
      """)

  @OptionGroup var socket: SocketOption

  @Option(help: "How far the fingers turn, clockwise.")
  var degrees = 90.0

  @OptionGroup var pair: InjectionPair
  @OptionGroup var place: InjectionPlace

  func validate() throws {
    guard AffineTransform.angles.contains(degrees) else {
      throw ValidationError("--degrees must be \(AffineTransform.anglesInWords).")
    }
  }

  func run() throws {
    try Injector.run(socket) { injector in
      let stroke = Stroke.pair(
        about: try place.point(injector), distance: pair.distance, scale: 1, degrees: degrees,
        in: pair.duration)
      try injector.requireOnScreen(stroke)
      try injector.play(stroke)
    }
  }
}
