/// Why a configuration was refused: every problem found, in the order of the files and their lines.
public struct ConfigurationError: Error, CustomStringConvertible, Sendable {
  /// One thing that is wrong.
  public struct Problem: Equatable, Sendable, CustomStringConvertible {
    /// The file's path as it was given.
    public var file: String
    /// The line, from 1; nil where the file as a whole is meant.
    public var line: Int?
    /// The column in code points, from 1; nil where the file as a whole is meant.
    public var column: Int?
    /// A sentence without its place.
    public var message: String

    /// `file:line:column: message`, as compilers write it.
    public var description: String {
      guard let line, let column else { return "\(file): \(message)" }
      return "\(file):\(line):\(column): \(message)"
    }
  }

  /// The first ``limit`` problems; never empty.
  public var problems: [Problem]
  /// How many more there are than those listed.
  public var omitted: Int

  /// The problems that are listed at most.
  public static let limit = 100

  /// The problems as lines, and how many more there are.
  public var description: String {
    var lines = problems.map(\.description)
    if omitted > 0 { lines.append("and \(omitted) more") }
    return lines.joined(separator: "\n")
  }
}
