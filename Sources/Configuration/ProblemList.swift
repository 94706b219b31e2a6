/// Gathers what is wrong with a configuration, in any order, up to ``ConfigurationError/limit``.
final class ProblemList {
  private var problems: [(place: Place, message: String)] = []
  private var places: Set<Place> = []

  /// Whether there are more problems than are kept: reading stops.
  private(set) var hasMore = false

  /// The paths of the files that places speak of.
  var files: [String] = []

  var isEmpty: Bool { problems.isEmpty }

  /// Adds a problem; once the list is full no message is made any more.
  func add(_ place: Place, _ message: @autoclosure () -> String) {
    guard problems.count < ConfigurationError.limit else { return hasMore = true }
    problems.append((place, message()))
    places.insert(place)
  }

  /// Notes that somebody else stopped at the first of many problems.
  func addMore() { hasMore = true }

  /// Whether something has been said of that very place.
  func contains(_ place: Place) -> Bool { places.contains(place) }

  /// A place as messages name it.
  func name(_ place: Place) -> String {
    let file = files[Int(place.file)]
    return place.line == 0 ? file : "\(file):\(place.line):\(place.column)"
  }

  /// What is thrown: the problems in the order of the files.
  func error() -> ConfigurationError {
    // Sorting is stable, so that several problems of one place stay in the order of finding.
    let sorted = problems.sorted { $0.place < $1.place }
    let listed = sorted.map { place, message in
      ConfigurationError.Problem(
        file: files[Int(place.file)], line: place.line == 0 ? nil : Int(place.line),
        column: place.line == 0 ? nil : Int(place.column), message: message)
    }
    return ConfigurationError(problems: listed, hasMore: hasMore)
  }
}
