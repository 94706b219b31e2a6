package import TouchModel

/// Crosses to be pressed, one after the other: the one that is next is white, those that are done
/// are green, the others grey.
package struct CrossPicture {
  /// Where they are, as shares of the width and height.
  private let places: [Point]

  /// A picture of crosses.
  package init(_ places: [Point]) { self.places = places }

  /// Draws it.
  ///
  /// - Parameter next: The index of the next one.
  package func draw(next: Int, in canvas: Canvas) {
    canvas.clear()
    let size = min(canvas.width, canvas.height)
    for (index, place) in places.enumerated() {
      let color: Color = index < next ? .green : index == next ? .white : .grey
      let arm = max(4, index == next ? size / 16 : size / 32)
      let line = max(1, size / 240)
      let x = Int((place.x * Double(canvas.width)).rounded(.down))
      let y = Int((place.y * Double(canvas.height)).rounded(.down))
      canvas.fill(x: x - arm, y: y - line / 2, width: 2 * arm + 1, height: line, color)
      canvas.fill(x: x - line / 2, y: y - arm, width: line, height: 2 * arm + 1, color)
    }
  }
}
