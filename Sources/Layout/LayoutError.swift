/// Why a layout was refused: every problem found, in the order of the description. Rule L6.
public struct LayoutError: Error, CustomStringConvertible, Sendable {
  /// One thing that is wrong.
  public struct Problem: Equatable, Sendable {
    /// What it is about: a place in the ``LayoutDescription``.
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

    /// What it is about.
    public var subject: Subject
    /// The configuration's key that it is about, such as `frame`; nil where it is about the whole
    /// subject.
    public var key: String?
    /// A sentence without its place, such as `the transform can't be inverted`.
    public var message: String

    /// A problem.
    public init(subject: Subject, key: String? = nil, message: String) {
      self.subject = subject
      self.key = key
      self.message = message
    }
  }

  /// All of them; never empty.
  public var problems: [Problem]

  /// The problems as lines.
  public var description: String {
    problems.map { problem in
      problem.key.map { "\($0): \(problem.message)" } ?? problem.message
    }.joined(separator: "\n")
  }
}
