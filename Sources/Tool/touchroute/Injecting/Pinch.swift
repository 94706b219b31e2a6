import ArgumentParser
import TouchClient
import TouchModel
import TouchScripts

/// `touchroute pinch`: two fingers come nearer to each other, or go apart.
struct Pinch: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Moves two fingers apart, or towards each other, at 120 frames a second.",
    discussion: """
      Needs the control socket. The fingers come down to the left and the right of the point. If \
      one would leave the screen, nothing is played. The daemon routes the touches like any other, \
      marked as injected. For each touch a line says which view it hit, and which program gets it \
      or why none does. It also names a gesture that the touch becomes, and the program that hears \
      of it. The exit status is 2 if a touch went to no program and to no gesture.

      Examples:
        touchroute pinch 400 240
        touchroute pinch 400 240 --scale 0.5 --distance 160 --duration 800
        touchroute pinch home/dial --screen panel
      """)

  @OptionGroup var socket: SocketOption

  @Option(help: "How far apart the fingers are at the end, as a multiple of --distance.")
  var scale = 2.0

  @OptionGroup var pair: InjectionPair
  @OptionGroup var place: InjectionPlace

  func validate() throws {
    guard (0.01...100).contains(scale) else {
      throw ValidationError("--scale must be from 0.01 to 100.")
    }
  }

  func run() throws {
    try Injector.run(socket) { injector in
      let stroke = Stroke.pair(
        about: try place.point(injector), distance: pair.distance, scale: scale, degrees: 0,
        in: pair.duration)
      try injector.requireOnScreen(stroke)
      try injector.play(stroke)
    }
  }
}
