/// Why a layout was refused: the problems found, in the order of the description.
/// Rule L6.
public struct LayoutError: Error, CustomStringConvertible, Sendable {
  /// One thing that is wrong.
  public struct Problem: Equatable, Sendable {
    /// What it is about: a part of the ``LayoutDescription``.
    public enum Subject: Equatable, Sendable {
      /// The screen at that index.
      case screen(Int)
      /// The window at that index.
      case window(Int)
      /// The view at that index.
      case view(Int)
      /// The layout as a whole.
      case layout
    }

    /// Something that is not there.
    public enum UnknownName: Equatable, Sendable {
      /// A screen.
      case screen
      /// A window or a view, by its path from the window on.
      case path(String)
    }

    /// What it is about.
    public var subject: Subject
    /// The configuration's key that it is about, such as `frame`; nil where it is about the whole
    /// subject.
    public var key: String?
    /// A sentence without its subject, such as `the transform can't be inverted`.
    public var message: String
    /// What the subject names that is not there, where that is the problem.
    public var unknown: UnknownName?

    /// A problem.
    public init(
      subject: Subject, key: String? = nil, message: String, unknown: UnknownName? = nil
    ) {
      self.subject = subject
      self.key = key
      self.message = message
      self.unknown = unknown
    }
  }

  /// At most ``limit`` of them; never empty.
  public var problems: [Problem]
  /// Whether more is wrong than is listed: checking stopped at the first problem beyond the limit.
  public var hasMore = false

  /// The most problems that are listed.
  public static let limit = 100

  /// The problems as lines.
  public var description: String {
    problems.map { problem in
      problem.key.map { "\($0): \(problem.message)" } ?? problem.message
    }.joined(separator: "\n")
  }
}
