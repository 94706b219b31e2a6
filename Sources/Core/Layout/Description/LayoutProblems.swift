/// Gathers what is wrong with a description, up to ``LayoutError/limit``.
struct LayoutProblems: Sendable {
  typealias Problem = LayoutError.Problem

  private var problems: [Problem] = []
  /// Whether there are more problems than are kept: checking stops.
  private(set) var hasMore = false

  var isEmpty: Bool { problems.isEmpty }

  mutating func report(
    _ subject: Problem.Subject, _ key: String? = nil, _ message: String,
    unknown: Problem.UnknownName? = nil
  ) {
    guard problems.count < LayoutError.limit else { return hasMore = true }
    problems.append(Problem(subject: subject, key: key, message: message, unknown: unknown))
  }

  mutating func append(_ others: LayoutProblems) {
    for problem in others.problems {
      report(problem.subject, problem.key, problem.message, unknown: problem.unknown)
    }
    hasMore = hasMore || others.hasMore
  }

  /// The problems, which are forgotten.
  mutating func take() -> [Problem] {
    defer { self = LayoutProblems() }
    return problems
  }

  /// The problems in the order of the description: screens, windows, views, the whole.
  var sorted: [Problem] {
    func rank(_ subject: Problem.Subject) -> (Int, Int) {
      switch subject {
      case .screen(let index): (0, index)
      case .window(let index): (1, index)
      case .view(let index): (2, index)
      case .layout: (3, 0)
      }
    }
    return problems.enumerated().sorted { left, right in
      let ranks = (rank(left.element.subject), rank(right.element.subject))
      return ranks.0 == ranks.1 ? left.offset < right.offset : ranks.0 < ranks.1
    }.map(\.element)
  }
}
