import TouchModel

/// A regular grid over a space, each cell of which lists the regions that meet it from front to
/// back.
///
/// A coordinate becomes a whole number of steps, 64 to a cell, by ``steps(_:_:_:)``. That function
/// never changes the order of two coordinates, whatever it rounds or clamps: so where the steps of
/// a point and of an edge differ, they decide exactly on which side of the edge the point is; where
/// they are equal, the edge itself has to be compared.
struct HitGrid: Sendable {
  /// The coordinates of the first step.
  var originX: Double
  var originY: Double
  /// Steps for each point of the space.
  var scaleX: Double
  var scaleY: Double
  /// The number of the last step.
  var lastX: Double
  var lastY: Double
  /// The line of the first cell; of a screen's grid its complement once views were changed there.
  var base: Int
  // Narrow, so that a grid is one line of the cache.
  private var rawColumns: Int32
  private var rawRows: Int32

  /// Cells in a row.
  var columns: Int { Int(rawColumns) }
  /// Cells in a column.
  var rows: Int { Int(rawRows) }

  static let stepBits = 6

  /// A grid of so many columns and rows over an extent, which has one where it has no length.
  init(_ extent: Edges, columns: Int, rows: Int, base: Int) {
    func scale(_ cells: Int, _ length: Double) -> Double {
      let scale = Double(cells << HitGrid.stepBits) / length
      return length > 0 && scale.isFinite ? scale : 0
    }
    scaleX = scale(columns, extent.x1 - extent.x0)
    scaleY = scale(rows, extent.y1 - extent.y0)
    rawColumns = scaleX > 0 ? Int32(columns) : 1
    rawRows = scaleY > 0 ? Int32(rows) : 1
    originX = extent.x0
    originY = extent.y0
    lastX = Double(Int(rawColumns) << HitGrid.stepBits - 1)
    lastY = Double(Int(rawRows) << HitGrid.stepBits - 1)
    self.base = base
  }

  /// A point's cell and its codes within it.
  struct Position {
    /// The cell's line.
    var line: Int
    /// What ``HitLine`` compares: each byte from 1 to 64, with its top bit set.
    var codes: UInt32
  }

  @inline(__always)
  func steps(_ offset: Double, _ scale: Double, _ last: Double) -> Int {
    let steps = offset * scale
    // Not min and max: a NaN, of an infinite edge in a grid without extent, must come out as 0.
    let clamped = steps > 0 ? (steps < last ? steps : last) : 0
    // The nearest whole number: adding 2⁵² leaves it in the low bits.
    return Int(truncatingIfNeeded: (clamped + 0x1p52).bitPattern & 0xFFFF_FFFF)
  }

  @inline(__always)
  func stepsX(_ x: Double) -> Int { steps(x - originX, scaleX, lastX) }

  @inline(__always)
  func stepsY(_ y: Double) -> Int { steps(y - originY, scaleY, lastY) }

  @inline(__always)
  func position(_ point: Point) -> Position {
    let x = stepsX(point.x)
    let y = stepsY(point.y)
    let cell = (y >> HitGrid.stepBits) &* columns &+ (x >> HitGrid.stepBits)
    let codeX = UInt32(truncatingIfNeeded: x & 63)
    let codeY = UInt32(truncatingIfNeeded: y & 63)
    // Left and top count upwards from 1, right and bottom downwards from 64.
    let codes = (codeX &+ codeY << 8) &* 0xFFFF_0001 &+ 0xC0C0_8181
    return Position(line: base &+ cell, codes: codes)
  }
}
