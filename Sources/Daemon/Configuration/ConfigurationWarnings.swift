/// What is valid in a configuration, and likely not meant: each with its source location, in the
/// order of the files.
package struct ConfigurationWarnings: Equatable, Sendable {
  /// At most ``ConfigurationError/limit``.
  package var warnings: [ConfigurationError.Problem]
  /// Whether there are more than are listed.
  package var hasMore: Bool

  /// Whether there is nothing to warn of.
  package var isEmpty: Bool { warnings.isEmpty }

  /// The warnings as compilers write them, `file:line:column: warning: message`, and whether there
  /// are more.
  package var lines: [String] {
    var lines = warnings.map { $0.description(severity: "warning") }
    if hasMore { lines.append("there are more warnings; correct these first to see them") }
    return lines
  }
}
