import TouchModel

/// Why a configuration was refused: the problems found, in the order of the files and
/// their lines.
package struct ConfigurationError: Error, CustomStringConvertible, Sendable {
  /// One thing that is wrong.
  package struct Problem: Equatable, Sendable, CustomStringConvertible {
    /// The file's path as it was given.
    package var file: String
    /// The line, from 1; nil where the file as a whole is meant.
    package var line: Int?
    /// The column in code points, from 1; nil where the file as a whole is meant.
    package var column: Int?
    /// A sentence without its location.
    package var message: String

    /// `file:line:column: message`, as compilers write it.
    package var description: String { description(severity: nil) }

    /// `file:line:column: severity: message`, as compilers write it, always one line.
    func description(severity: String?) -> String {
      let sentence = severity.map { "\($0): " + message } ?? message
      let place = if let line, let column { "\(file):\(line):\(column)" } else { file }
      return "\(place): \(sentence)".printable()
    }
  }

  /// At most ``limit`` problems; never empty.
  package var problems: [Problem]
  /// Whether more is wrong than is listed: reading stopped at the first problem beyond the limit.
  package var hasMore: Bool

  /// The most problems that are listed.
  package static let limit = 100

  /// The problems as lines, and whether there are more.
  package var description: String {
    var lines = problems.map(\.description)
    if hasMore { lines.append("there are more problems; correct these first to see them") }
    return lines.joined(separator: "\n")
  }
}
