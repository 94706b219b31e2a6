import LayoutDrawing
import TouchClient
import TouchModel

/// What a command of `listen --exec` or `idle` is run for, as the command is told of it.
struct Occasion {
  /// What it is called in messages.
  let name: String
  /// What the command has as $1, $2 and so on. Other users may read a process's arguments.
  let arguments: [String]
  /// What it has in its environment.
  let variables: [String: String]

  /// Every variable that an occasion may have. One that was inherited would say what is not so.
  static let names = [
    "ATTACHMENT", "CANCEL_REASON", "DIRECTION", "EVENT", "KIND", "PATH", "ROTATION",
    "ROTATION_VELOCITY", "SCALE",
    "SCALE_VELOCITY", "SCREEN_X", "SCREEN_Y", "STATE", "TAPS", "TIME_US", "TOUCHES",
    "TRANSLATION_X",
    "TRANSLATION_Y", "VELOCITY_X", "VELOCITY_Y", "X", "Y",
  ].map { "TOUCHROUTE_\($0)" }

  /// Something that `idle` runs a command for.
  ///
  /// - Parameters:
  ///   - event: Its word, which the command has as $1 and as TOUCHROUTE_EVENT.
  ///   - name: What it is called in messages.
  init(event: String, named name: String) {
    self.name = name
    arguments = [event]
    variables = ["TOUCHROUTE_EVENT": event]
  }

  /// A touch that has ended as a tap.
  ///
  /// - Parameter attachment: the path of the responder that got it.
  init(tap touch: RoutedTouch, of attachment: String) {
    let path = touch.targetPath.isEmpty ? attachment : touch.targetPath
    let point = [touch.location.x, touch.location.y].map(Text.number)
    let isSecure = touch.flags.contains(.secure)
    name = isSecure ? "a tap in a secure view" : "the tap of \(path)"
    arguments = isSecure ? ["tap"] : ["tap", path] + point
    variables = [
      "TOUCHROUTE_EVENT": "tap", "TOUCHROUTE_PATH": path, "TOUCHROUTE_ATTACHMENT": attachment,
      "TOUCHROUTE_X": point[0], "TOUCHROUTE_Y": point[1],
      "TOUCHROUTE_SCREEN_X": Text.number(touch.screenLocation.x),
      "TOUCHROUTE_SCREEN_Y": Text.number(touch.screenLocation.y),
      "TOUCHROUTE_TAPS": String(touch.tapCount),
    ]
  }

  /// A gesture that has come to something.
  ///
  /// - Parameter attachment: the path of the responder that hears of it.
  init(_ gesture: Gesture, of attachment: String) {
    let told = ListenedGesture(gesture, of: attachment)
    name = "\(told.path) (\(told.state))"
    // Where it was is not said to everybody: its view may be secure.
    arguments = [told.kind, told.path]
    let numbers: [String: Double?] = [
      "X": told.x, "Y": told.y, "TOUCHES": Double(gesture.touches),
      "TAPS": told.taps.map(Double.init), "TRANSLATION_X": told.translation?[0],
      "TRANSLATION_Y": told.translation?[1], "VELOCITY_X": told.velocity?[0],
      "VELOCITY_Y": told.velocity?[1], "SCALE": told.scale,
      "SCALE_VELOCITY": told.scale_velocity, "ROTATION": told.rotation,
      "ROTATION_VELOCITY": told.rotation_velocity,
    ]
    var variables = [
      "TOUCHROUTE_EVENT": told.kind, "TOUCHROUTE_KIND": told.kind,
      "TOUCHROUTE_PATH": told.path, "TOUCHROUTE_ATTACHMENT": attachment,
      "TOUCHROUTE_STATE": told.state, "TOUCHROUTE_TIME_US": String(told.time_us),
    ]
    variables["TOUCHROUTE_CANCEL_REASON"] = told.cancel_reason
    variables["TOUCHROUTE_DIRECTION"] = told.direction
    for (key, value) in numbers {
      if let value { variables["TOUCHROUTE_\(key)"] = Text.number(value) }
    }
    self.variables = variables
  }
}
