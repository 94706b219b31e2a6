/// The layout of the day: a head unit's.
enum DayLayout {
  /// Where a button of the player is.
  private static let play = "[80, 160, 100, 100]"
  private static let slop = "slop = 12"

  /// The configuration.
  static let text = """
    [screen.panel]
    size = [1280, 800]

    [[window]]
    name = "home"
    [[view]]
    path = "home/list"
    frame = [0, 100, 500, 700]
    [[view]]
    path = "home/list/header"
    frame = [0, 0, 500, 60]
    [[view]]
    path = "home/menu"
    frame = [0, 0, 300, 100]
    [[view]]
    path = "home/dial"
    frame = [900, 40, 300, 300]
    shape = "ellipse"

    [[window]]
    name = "map"
    frame = [520, 0, 360, 800]

    [[window]]
    name = "media"
    frame = [900, 400, 380, 400]
    [[view]]
    path = "media/play"
    frame = \(play)
    [[view]]
    path = "media/seek"
    frame = [20, 300, 340, 60]

    [[gesture]]
    view = "home/list"
    name = "scroll"
    kind = "pan"
    direction = "vertical"
    \(slop)
    [[gesture]]
    view = "home/list"
    name = "open"
    kind = "tap"
    after = ["home/list#zoom"]
    [[gesture]]
    view = "home/list"
    name = "zoom"
    kind = "tap"
    taps = 2
    [[gesture]]
    view = "media/play"
    name = "stop"
    kind = "long_press"
    [[gesture]]
    view = "media/seek"
    name = "seek"
    kind = "pan"
    direction = "horizontal"
    [[gesture]]
    view = "map"
    name = "scale"
    kind = "pinch"

    """

  /// The same with a button elsewhere, and a list that scrolls later.
  static var otherText: String {
    func other(_ text: Substring) -> String {
      text.hasPrefix("frame = \(play)")
        ? "frame = [140, 160, 100, 100]" : text == slop ? "slop = 60" : String(text)
    }
    return text.split(separator: "\n", omittingEmptySubsequences: false).map(other)
      .joined(separator: "\n")
  }

  /// What programs hold.
  static let programs = ["home", "map", "media"]

  /// The kinds of recognizers.
  static let kinds = [
    "home/list#scroll": "pan", "home/list#open": "tap", "home/list#zoom": "tap",
    "media/play#stop": "long_press", "media/seek#seek": "pan", "map#scale": "pinch",
  ]

  /// The first line of the record.
  static func header(at time: UInt64) -> String {
    let views = [
      ("home", "0,0,1280,800"), ("home/list", "0,100,500,700"),
      ("home/list/header", "0,0,500,60"), ("home/menu", "0,0,300,100"),
      ("home/dial", "900,40,300,300"), ("map", "520,0,360,800"), ("media", "900,400,380,400"),
      ("media/play", "80,160,100,100"), ("media/seek", "20,300,340,60"),
    ].map { path, frame in
      let screen = path.contains("/") ? "" : #","screen":"panel""#
      return #"{"frame":[\#(frame)],"path":"\#(path)"\#(screen)}"#
    }
    return #"{"format":"touchroute-record","screens":[{"name":"panel","rotation":0,"#
      + #""size":[1280,800]}],"started":1,"time_us":\#(time),"touchroute":"bench","version":1,"#
      + #""views":[\#(views.joined(separator: ","))],"whole":true}"#
  }

  /// The line of a layout: of even numbers the menu is overridden, of others it is as configured.
  static func change(_ generation: UInt64, at time: UInt64) -> String {
    let menu =
      generation % 2 == 0
      ? #"{"frame":[100,0,300,100],"path":"home/menu","set_by":{"frame":{"pid":1}}}"#
      : #"{"frame":[0,0,300,100],"path":"home/menu"}"#
    return #"{"event":"layout","generation":\#(generation),"time_us":\#(time),"views":[\#(menu)]}"#
  }
}
