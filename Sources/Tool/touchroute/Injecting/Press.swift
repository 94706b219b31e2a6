import ArgumentParser
import TouchClient
import TouchModel
import TouchScripts

/// `touchroute press`: a finger comes down and stays for a while.
struct Press: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Presses a point of a screen, or the middle of a view, for a second by default.",
    discussion: """
      Needs the control socket. The daemon routes the touch like any other, marked as injected. \
      For each touch a line says which view it hit, and which program gets it or why none does. It \
      also names a gesture that the touch becomes, and the program that hears of it. The exit \
      status is 2 if a touch went to no program and to no gesture.

      Examples:
        touchroute press 400 240
        touchroute press home/list --screen panel --hold 2000
        touchroute press 400 240 --taps 1
      """)

  @OptionGroup var socket: SocketOption

  @Option(help: "How long the finger stays down, in milliseconds.")
  var hold = Stroke.pressTime

  @Option(help: "How many taps come before it, such as 1 for tap and a half.")
  var taps = 0

  @OptionGroup var fingers: InjectionFingers
  @OptionGroup var place: InjectionPlace

  func validate() throws {
    try requireTime(hold, of: "--hold")
    guard (0...1000).contains(taps) else {
      throw ValidationError("--taps must be from 0 to 1000.")
    }
  }

  func run() throws {
    try Injector.run(socket) { injector in
      let point = try place.point(injector)
      try injector.tap(fingers.fingers, at: point, count: taps, hold: Stroke.tapTime)
      try injector.play(.hold(fingers.fingers, at: point, for: hold))
    }
  }
}
