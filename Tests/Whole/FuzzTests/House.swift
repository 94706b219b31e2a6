import Configuration

/// The layout that hostile programs meet: a bit of everything, and a window that is the witness's.
enum House {
  static let text = """
    [limits]
    attachments = 6
    touches = 12
    queue_bytes = 65536
    control_queue_bytes = 65536

    [touch]
    decision_timeout_ms = 100
    unresponsive_after_ms = 300

    [screen.panel]
    size = [800, 480]
    [screen.side]
    size = [200, 200]

    [[window]]
    name = "home"
    screen = "panel"
    frame = [0, 0, "100%", "100%"]
    application = "dashboard"
    [[view]]
    path = "home/bar"
    frame = [0, 0, "100%", 60]
    controller = "c"
    [[view]]
    path = "home/bar/back"
    frame = [8, 8, 44, 44]
    outset = 8
    [[view]]
    path = "home/one"
    frame = [0, 100, 200, 200]
    multiple_touch = false
    [[view]]
    path = "home/alone"
    frame = [200, 100, 200, 200]
    exclusive_touch = true
    [[view]]
    path = "home/pin"
    frame = [400, 100, 200, 200]
    secure = true
    [[window]]
    name = "front"
    screen = "panel"
    frame = [600, 240, 200, 240]
    hit = "pass_through"
    application = "dashboard"
    [[view]]
    path = "front/a"
    frame = [0, 0, "50%", "50%"]
    [[window]]
    name = "witness"
    screen = "side"
    """

  /// The text, read once.
  static func configuration() throws -> Configuration { try loaded.get() }

  private static let loaded = Result { try Configuration.parse([("house.toml", text)]) }
}
