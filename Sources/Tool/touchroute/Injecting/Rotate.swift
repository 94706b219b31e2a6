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
      Needs the control socket. The fingers come down to the left and the right of the point. If \
      one would leave the screen, nothing is played. The daemon routes the touches like any other, \
      marked as injected. For each touch a line says which view it hit, and which program gets it \
      or why none does. It also names a gesture that the touch becomes, and the program that hears \
      of it. The exit status is 2 if a touch went to no program and to no gesture.

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
