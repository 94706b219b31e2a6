/// Gathers what is wrong with a configuration, or to be warned of, in any order, up to
/// ``ConfigurationError/limit``.
final class ProblemList {
  private var problems: [(location: SourceLocation, message: String)] = []
  private var locations: Set<SourceLocation> = []
  /// The keys that unknown ones were taken for, by where their tables are.
  private var meantKeys: [SourceLocation: [String]] = [:]

  /// Whether there are more problems than are kept: reading stops.
  private(set) var hasMore = false
  /// Whether a part could not be read that may define what others refer to. Then nothing is said
  /// of references to what is not there: one mistake gives one message.
  private(set) var lacksDefinitions = false

  /// The paths of the files that locations refer to.
  var files: [String]

  init(files: [String] = []) {
    self.files = files
  }

  var isEmpty: Bool { problems.isEmpty }

  /// Adds a problem; once the list is full no message is made any more.
  ///
  /// - Parameter hidesDefinitions: Whether something is not read because of it that other parts may
  ///   refer to.
  func add(
    _ location: SourceLocation, hidesDefinitions: Bool = false,
    _ message: @autoclosure () -> String
  ) {
    if hidesDefinitions { lacksDefinitions = true }
    guard problems.count < ConfigurationError.limit else {
      hasMore = true
      return
    }
    problems.append((location, message()))
    locations.insert(location)
  }

  /// Notes that there are more problems, which nobody looked for.
  func addMore() { hasMore = true }

  /// Notes that a definition was not read because of a problem that was added before.
  func addLackOfDefinition() { lacksDefinitions = true }

  /// Notes which key of a table is likely meant by an unknown one.
  func noteMeant(_ key: String, in table: SourceLocation) {
    meantKeys[table, default: []].append(key)
  }

  /// Whether a key of a table is likely meant by an unknown one, of which that was said.
  func isMeant(_ key: String, in table: SourceLocation) -> Bool {
    meantKeys[table]?.contains(key) == true
  }

  /// Whether something has been said at that very location.
  func contains(_ location: SourceLocation) -> Bool { locations.contains(location) }

  /// A location as messages write it.
  func name(_ location: SourceLocation) -> String {
    let file = files[Int(location.file)]
    return location.line == 0 ? file : "\(file):\(location.line):\(location.column)"
  }

  /// What is thrown: the problems in the order of the files.
  func error() -> ConfigurationError {
    ConfigurationError(problems: sorted(), hasMore: hasMore)
  }

  /// The list as one of warnings.
  func warnings() -> ConfigurationWarnings {
    ConfigurationWarnings(warnings: sorted(), hasMore: hasMore)
  }

  private func sorted() -> [ConfigurationError.Problem] {
    // Sorting is stable, so that several problems at one location stay in the order of finding.
    let sorted = problems.sorted { $0.location < $1.location }
    return sorted.map { location, message in
      ConfigurationError.Problem(
        file: files[Int(location.file)], line: location.line == 0 ? nil : Int(location.line),
        column: location.line == 0 ? nil : Int(location.column), message: message)
    }
  }
}
