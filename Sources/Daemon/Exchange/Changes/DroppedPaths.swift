import Layout
import Logging

/// What was set or added, and is no more though its setter has not taken it back.
struct DroppedPaths {
  private let gone: [String]
  private let reset: [String]
  private let uncovered: [String]

  /// So many are told of by name.
  private static let told = 8

  /// - Parameters:
  ///   - paths: Where something is not possible any more.
  ///   - uncovered: Where something took touches from secure views, or is not possible without
  ///     that.
  init(_ paths: [String] = [], uncovered: [String] = [], in layout: Layout) {
    gone = paths.filter { layout.view(at: $0) == nil }
    reset = paths.filter { layout.view(at: $0) != nil }
    self.uncovered = uncovered
  }

  /// Whether nothing was dropped.
  var isEmpty: Bool { gone.isEmpty && reset.isEmpty && uncovered.isEmpty }

  /// Tells the log, in few lines.
  func tell(_ logger: Logger) {
    if let first = gone.first {
      let more = gone.count == 1 ? "" : " and \(gone.count - 1) more"
      logger.warning("a view that a program has added is gone: \"\(first)\"\(more)")
    }
    for path in reset.prefix(Self.told) {
      logger.warning("what was set of \"\(path)\" is not possible any more: it is as configured")
    }
    if reset.count > Self.told {
      logger.warning("so is what was set of \(reset.count - Self.told) more views")
    }
    if let first = uncovered.first {
      let more = uncovered.count == 1 ? "" : " and \(uncovered.count - 1) more"
      let words = "is taken back: it took touches from a secure view"
      logger.warning("what programs had made of \"\(first)\"\(more) \(words)")
    }
  }
}
