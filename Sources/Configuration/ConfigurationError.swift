/// Why a configuration was refused: the problems found, in the order of the files and
/// their lines.
public struct ConfigurationError: Error, CustomStringConvertible, Sendable {
  /// One thing that is wrong.
  public struct Problem: Equatable, Sendable, CustomStringConvertible {
    /// The file's path as it was given.
    public var file: String
    /// The line, from 1; nil where the file as a whole is meant.
    public var line: Int?
    /// The column in code points, from 1; nil where the file as a whole is meant.
    public var column: Int?
    /// A sentence without its location.
    public var message: String

    /// `file:line:column: message`, as compilers write it.
    public var description: String { description(severity: nil) }

    /// `file:line:column: severity: message`, as compilers write it.
    func description(severity: String?) -> String {
      let sentence = severity.map { "\($0): " + message } ?? message
      guard let line, let column else { return "\(file): \(sentence)" }
      return "\(file):\(line):\(column): \(sentence)"
    }
  }

  /// At most ``limit`` problems; never empty.
  public var problems: [Problem]
  /// Whether more is wrong than is listed: reading stopped at the first problem beyond the limit.
  public var hasMore: Bool

  /// The most problems that are listed.
  public static let limit = 100

  /// The problems as lines, and whether there are more.
  public var description: String {
    var lines = problems.map(\.description)
    if hasMore { lines.append("there are more problems; correct these first to see them") }
    return lines.joined(separator: "\n")
  }
}
