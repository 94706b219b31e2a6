/// Gathers what is wrong with a configuration, in any order.
final class ProblemList {
  private var problems: [(place: Place, message: String)] = []
  private var count = 0
  private var places: Set<Place> = []

  /// The problems that are kept to be sorted: beyond that they are only counted.
  private static let kept = 10_000

  /// The paths of the files that places speak of.
  var files: [String] = []

  var isEmpty: Bool { count == 0 }

  func add(_ place: Place, _ message: String) {
    count += 1
    guard problems.count < Self.kept else { return }
    problems.append((place, message))
    places.insert(place)
  }

  /// Whether something has been said of that very place.
  func contains(_ place: Place) -> Bool { places.contains(place) }

  /// A place as messages name it.
  func name(_ place: Place) -> String {
    let file = files[Int(place.file)]
    return place.line == 0 ? file : "\(file):\(place.line):\(place.column)"
  }

  /// What is thrown: the first problems in the order of the files, and how many more there are.
  func error() -> ConfigurationError {
    // Sorting is stable, so that several problems of one place stay in the order of finding.
    let sorted = problems.sorted { $0.place < $1.place }
    let listed = sorted.prefix(ConfigurationError.limit).map { place, message in
      ConfigurationError.Problem(
        file: files[Int(place.file)], line: place.line == 0 ? nil : Int(place.line),
        column: place.line == 0 ? nil : Int(place.column), message: message)
    }
    return ConfigurationError(problems: Array(listed), omitted: count - listed.count)
  }
}
