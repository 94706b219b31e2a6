import LayoutDrawing
import TouchClient
import TouchModel

/// What a command of `listen --exec` is run for, as the command is told of it.
struct Occasion {
  /// What it is called in messages.
  let name: String
  /// What the command has as $1, $2 and so on. Other users may read a process's arguments.
  let arguments: [String]
  /// What it has in its environment.
  let variables: [String: String]

  /// Every variable that an occasion may have. One that was inherited would say what is not so.
  static let names = ["EVENT", "PATH", "ATTACHMENT", "X", "Y", "SCREEN_X", "SCREEN_Y", "TAPS"]
    .map { "TOUCHROUTE_\($0)" }

  /// A touch that has ended as a tap.
  ///
  /// - Parameter attachment: the path of the responder that got it.
  init(tap touch: RoutedTouch, of attachment: String) {
    let path = touch.targetPath.isEmpty ? attachment : touch.targetPath
    let place = [touch.location.x, touch.location.y].map(Text.number)
    let isSecure = touch.flags.contains(.secure)
    name = isSecure ? "a tap in a secure view" : "the tap of \(path)"
    arguments = isSecure ? ["tap"] : ["tap", path] + place
    variables = [
      "TOUCHROUTE_EVENT": "tap", "TOUCHROUTE_PATH": path, "TOUCHROUTE_ATTACHMENT": attachment,
      "TOUCHROUTE_X": place[0], "TOUCHROUTE_Y": place[1],
      "TOUCHROUTE_SCREEN_X": Text.number(touch.screenLocation.x),
      "TOUCHROUTE_SCREEN_Y": Text.number(touch.screenLocation.y),
      "TOUCHROUTE_TAPS": String(touch.tapCount),
    ]
  }
}
