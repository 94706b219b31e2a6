package import TouchModel

/// Where crosses are: as shares of the screen's width and height.
package enum CrossList {
  /// So many crosses can be asked for.
  package static let counts = 5...25

  /// Crosses of which the first five lie near the corners and in the middle.
  ///
  /// - Parameter count: One of ``counts``.
  package static func places(_ count: Int) -> [Point] {
    let near = 0.12
    let far = 1 - near
    var places = [
      Point(x: near, y: near), Point(x: far, y: near), Point(x: 0.5, y: 0.5),
      Point(x: near, y: far), Point(x: far, y: far), Point(x: 0.5, y: near),
      Point(x: far, y: 0.5), Point(x: 0.5, y: far), Point(x: near, y: 0.5),
    ]
    let steps = [0.25, 0.42, 0.58, 0.75]
    places += steps.flatMap { y in steps.map { Point(x: $0, y: y) } }
    return Array(places.prefix(count))
  }
}
