import ArgumentParser
import TouchClient
import TouchModel
import TouchScripts

/// `touchroute tap`: a finger comes down and is lifted.
struct Tap: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Taps a point of a screen, or the middle of a view.",
    discussion: """
      Needs the control socket. The daemon routes the touch like any other, marked as injected. \
      For each touch a line says which view it hit, and which program gets it or why none does. It \
      also names a gesture that the touch becomes, and the program that hears of it. The exit \
      status is 2 if a touch went to no program and to no gesture.

      Examples:
        touchroute tap 400 240
        touchroute tap home/dial --screen panel
        touchroute tap 400 240 --count 2
        touchroute tap 300 240 --fingers 2
        touchroute tap 20 20 --screen door --hold 300
      """)

  @OptionGroup var socket: SocketOption

  @Option(help: "How many taps, 80 ms apart.")
  var count = 1

  @Option(help: "How long the finger stays down each time, in milliseconds.")
  var hold = Stroke.tapTime

  @OptionGroup var fingers: InjectionFingers
  @OptionGroup var place: InjectionPlace

  func validate() throws {
    guard (1...1000).contains(count) else {
      throw ValidationError("--count must be from 1 to 1000.")
    }
    try requireTime(hold, of: "--hold")
  }

  func run() throws {
    try Injector.run(socket) { injector in
      let point = try place.point(injector)
      try injector.tap(fingers.fingers, at: point, count: count, hold: hold)
    }
  }
}
