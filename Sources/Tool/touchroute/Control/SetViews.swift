import ArgumentParser
import TouchClient
import TouchModel

/// `touchroute set`: properties of views and recognizers, while the layout is in force.
struct SetViews: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Overrides properties of windows, views and gestures of the layout in force.",
    discussion: """
      Needs the control socket. All settings of one call take effect at once. If one is \
      impossible, none does. An override stays until it is set again or removed (--configured). It \
      survives a reload, and a restart by systemd, but no other end of the daemon.

      The properties and their values:
      \(properties)

      Examples:
        touchroute set shield hidden=false
        touchroute set home/dial transform=rotate:30,scale:1.5 home/list order=0
        touchroute set home/dial shape=ellipse outset=8 multiple_touch=false
        touchroute set home/list#scroll enabled=false
        touchroute set --configured shield home/dial
      """)

  @OptionGroup var socket: SocketOption

  @Flag(help: "Remove all overrides of these paths: everything is as configured.")
  var configured = false

  @Argument(
    help: "A path, then KEY=VALUE for each property to set; then the next path.",
    completion: Completions.settings)
  var settings: [String]

  func validate() throws { _ = try changes() }

  func run() throws {
    let output = Output()
    let daemon = try Daemon(.control, path: socket.socket, output: output)
    let changes = try changes()
    try daemon.ask { connection throws(TouchClientError) in try connection.set(changes) }
  }

  /// What the command line says.
  func changes() throws -> [ViewChange] {
    if configured {
      if let setting = settings.first(where: { $0.contains("=") }) {
        throw ValidationError("\(setting) and --configured can't be given together.")
      }
      return settings.map { ViewChange($0, .configured) }
    }
    var changes: [ViewChange] = []
    var path: String?
    var isUsed = true
    for word in settings {
      guard let equals = word.firstIndex(of: "=") else {
        if !isUsed, let path { throw ValidationError(Self.nothing(path)) }
        (path, isUsed) = (word, false)
        continue
      }
      guard let path else { throw ValidationError("Give a path before \(word).") }
      isUsed = true
      let key = String(word[..<equals])
      if changes.contains(where: { $0.path == path && $0.property.name == key }) {
        throw ValidationError("\(key) of \(path) is set twice.")
      }
      let value = String(word[word.index(after: equals)...])
      changes.append(ViewChange(path, try SetValue.property(key, value)))
    }
    if !isUsed, let path { throw ValidationError(Self.nothing(path)) }
    return changes
  }

  /// A line for each property, or several, with the values that it takes.
  private static var properties: String {
    SetValue.settable.flatMap { kind in
      lines(of: kind.declaration.setting).enumerated().map { number, line in
        let name = number == 0 ? kind.name : ""
        return "  \(name)\(String(repeating: " ", count: 22 - name.count))\(line)"
      }
    }.joined(separator: "\n")
  }

  /// The words of a text, as many to a line as there is room for beside a name.
  private static func lines(of text: String) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + word.count < 52 {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  private static func nothing(_ path: String) -> String {
    "Say what to set of \(path), as KEY=VALUE, or give --configured."
  }
}
