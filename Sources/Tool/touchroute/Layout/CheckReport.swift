import Configuration
import Layout
import LayoutDrawing

/// What `check` finds, as a line of JSON.
struct CheckReport: Encodable {
  /// A problem, or a warning.
  struct Problem: Encodable {
    var column: Int?
    var file: String
    var line: Int?
    var message: String
    var severity: String
  }

  /// How many there are of each; nil where the configuration is not valid.
  struct Counts: Encodable {
    var access_rules: Int
    var device_rules: Int
    var files: Int
    var gestures: Int
    var screens: Int
    var views: Int
    var windows: Int
  }

  var counts: Counts?
  /// Whether there are more problems than are listed.
  var has_more: Bool
  /// Where it is not valid, and the daemon's: what the daemon has in force.
  var in_force: String?
  var problems: [Problem]
  var valid: Bool

  /// A valid configuration.
  init(_ configuration: Configuration) {
    counts = Counts(configuration)
    has_more = configuration.warnings.hasMore
    problems = configuration.warnings.warnings.map { Problem($0, severity: "warning") }
    valid = true
  }

  /// One that is not.
  init(_ error: ConfigurationError, inForce: String?) {
    in_force = inForce
    has_more = error.hasMore
    problems = error.problems.map { Problem($0, severity: "error") }
    valid = false
  }
}

extension CheckReport.Counts {
  /// Those of a valid configuration.
  init(_ configuration: Configuration) {
    let layout = configuration.layout
    self.init(
      access_rules: configuration.access.count, device_rules: configuration.devices.count,
      files: configuration.files.count, gestures: configuration.gestures.count,
      screens: layout.screens.count, views: layout.viewCount, windows: layout.windows.count)
  }

  /// `valid: 1 file, 2 windows, …`.
  var summary: String {
    let counts = [
      Text.count(files, "file"), Text.count(screens, "screen"), Text.count(windows, "window"),
      Text.count(views, "view"), Text.count(gestures, "gesture"),
      Text.count(device_rules, "device rule"), Text.count(access_rules, "access rule"),
    ]
    return "valid: \(counts.joined(separator: ", "))"
  }
}

extension CheckReport.Problem {
  fileprivate init(_ problem: ConfigurationError.Problem, severity: String) {
    self.init(
      column: problem.column, file: problem.file, line: problem.line, message: problem.message,
      severity: severity)
  }
}
