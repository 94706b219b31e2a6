import DaemonSupport
import Foundation
import TestSupport

/// Every command line that help, pages and documents show, to be pasted into a shell.
enum Examples {
  static let commands = [
    "check", "tree", "hit-test", "list-devices", "listen", "monitor", "status", "top", "metrics",
    "reload",
    "set", "tap", "press", "swipe", "pinch", "rotate", "inject", "cancel", "test",
    "screen", "idle",
  ]

  /// What --help of a command shows under "Examples:", as 80 columns have it.
  static func ofHelp(_ command: String) throws -> [String] {
    let help = try Command.run([command, "--help"], environment: ["COLUMNS": "80"]).output
    let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
    guard let start = lines.firstIndex(where: { $0.hasPrefix("Example") }) else { return [] }
    return lines[(start + 1)...].prefix { !$0.isEmpty }
      .map { String($0.drop { $0 == " " }) }
  }

  /// The tool's command lines in the blocks of a document, without `sudo` and comments.
  static func ofDocument(_ name: String) throws -> [String] {
    let text = try String(contentsOf: Repository.root.appending(path: name), encoding: .utf8)
    return text.split(separator: "\n").compactMap { line in
      guard line.hasPrefix("    ") else { return nil }
      var words = line.split(separator: " ")
      if let comment = words.firstIndex(where: { $0.hasPrefix("#") }) {
        words.removeSubrange(comment...)
      }
      if words.first == "sudo" { words.removeFirst(words.dropFirst().first == "-u" ? 3 : 1) }
      guard words.first == "touchroute", let command = words.dropFirst().first,
        commands.contains(String(command))
      else { return nil }
      return words.joined(separator: " ")
    }
  }

  static let documents = ["README.md", "docs/configuration.md", "docs/integrating.md"]

  /// All of them, each once.
  static let all: [String] = {
    let help = commands.flatMap { (try? ofHelp($0)) ?? [] }
    let shown = documents.flatMap { (try? ofDocument($0)) ?? [] }
    return Set(help + shown).sorted()
  }()

  /// What the examples speak of.
  static let layout = """
    [screen.panel]
    size = [800, 480]
    [screen.door]
    size = [480, 800]
    [[window]]
    name = "home"
    application = "dashboard"
    [[view]]
    path = "home/toolbar"
    frame = [0, 0, "100%", 60]
    [[view]]
    path = "home/list"
    frame = [0, 60, 200, 420]
    [[view]]
    path = "home/dial"
    frame = [300, 100, 200, 200]
    [[window]]
    name = "bell"
    screen = "door"
    [[window]]
    name = "shop"
    frame = [700, 400, 80, 60]
    [[window]]
    name = "shield"
    level = 9
    hidden = true
    hit = "self"
    [[gesture]]
    view = "home/list"
    name = "scroll"
    kind = "pan"

    """

  /// The files that the examples name, beside the daemon's own.
  static let files = [
    "conf.d/50-media.toml": "[[window]]\nname = \"media\"\nscreen = \"panel\"\nlevel = -1\n",
    "a.toml": "[screen.panel]\nsize = [800, 480]\n",
    "b.toml": "[[window]]\nname = \"nav\"\nscreen = \"panel\"\n",
    "points.txt": "400 20\n9 9\n",
    "media.touches": "tap 400 10\nexpect no gesture\n",
    "player.touches": "tap 400 10\nexpect no gesture\n",
    "idle.conf": "dim 45 20\nblank 60\n",
    "lights/panel/brightness": "80\n",
    "lights/panel/max_brightness": "100\n",
    "fingers.txt": "tap 400 240\nwait 1\n",
    "pinch.txt": "began 0 300 240\nbegan 1 500 240\nframe\nmoved 0 350 240\nframe\n",
  ]
}
