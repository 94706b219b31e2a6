import ArgumentParser
import TouchClient
import TouchModel

/// The screen of an injected touch.
struct InjectionScreen: ParsableArguments {
  @Option(
    help: "The screen; by default the first.", completion: Completions.screens)
  var screen: String?
}

/// Where injected fingers come down: a point of a screen, or the middle of a view.
struct InjectionPlace: ParsableArguments {
  @OptionGroup var screen: InjectionScreen

  @Argument(
    help: ArgumentHelp(
      "The point's distances from the left and the top edge of the screen, in points; or a view's "
        + "path, for its middle. With several screens, --screen names the screen.",
      valueName: "x y | path"),
    completion: Completions.views,
    transform: NegativeNumbers.restored)
  var place: [String]

  /// The numbers, where it is a point.
  private var numbers: [Double] { place.compactMap { Double($0) }.filter(\.isFinite) }

  func validate() throws {
    if let meant = NegativeNumbers.separated(place) {
      throw ValidationError("X and Y are two words, without a comma; did you mean \(meant)?")
    }
    switch place.count {
    case 1 where Double(place[0]) == nil: break
    case 2:
      guard numbers.count == 2 else { throw ValidationError("X and Y must be finite numbers.") }
    default: throw ValidationError("Give X and Y, or the path of a view.")
    }
  }

  /// Chooses the screen, and finds the point on it.
  func point(_ injector: Injector) throws -> Point {
    try injector.choose(screen: screen.screen)
    if place.count == 2 { return Point(x: numbers[0], y: numbers[1]) }
    return try injector.middle(of: place[0], isScreenGiven: screen.screen != nil)
  }
}

/// Refuses a time that fingers do not take, in milliseconds.
func requireTime(_ milliseconds: Double, of option: String) throws {
  guard (0...600_000).contains(milliseconds) else {
    throw ValidationError("\(option) must be from 0 to 600000 milliseconds.")
  }
}

/// How many fingers are played, side by side.
struct InjectionFingers: ParsableArguments {
  @Option(help: "How many fingers, side by side, 60 points apart; 10 at most.")
  var fingers = 1

  func validate() throws {
    // No gesture asks for more, and few touchscreens know more.
    guard (1...10).contains(fingers) else {
      throw ValidationError("--fingers must be from 1 to 10.")
    }
  }
}

/// Two fingers, how far apart and for how long.
struct InjectionPair: ParsableArguments {
  @Option(help: "How far the two fingers are apart when they come down, in points.")
  var distance = 100.0

  @Option(help: "How long it takes, in milliseconds.")
  var duration = 300.0

  func validate() throws {
    guard (1...10_000).contains(distance) else {
      throw ValidationError("--distance must be from 1 to 10000 points.")
    }
    try requireTime(duration, of: "--duration")
  }
}
