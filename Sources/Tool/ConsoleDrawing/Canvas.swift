/// Pixels in memory that rectangles are drawn into. What lies outside is left out.
package struct Canvas {
  /// Pixels of a row.
  package let width: Int
  /// Rows.
  package let height: Int
  private let memory: UnsafeMutableRawPointer
  private let lineLength: Int
  private let format: PixelFormat

  /// A canvas over memory, which must stay there as long as it is drawn into.
  ///
  /// - Parameters:
  ///   - memory: The first pixel.
  ///   - lineLength: Bytes from one row to the next.
  package init(
    _ memory: UnsafeMutableRawPointer, width: Int, height: Int, lineLength: Int,
    format: PixelFormat
  ) {
    precondition(lineLength >= width * format.byteCount, "rows that overlap")
    self.memory = memory
    self.width = width
    self.height = height
    self.lineLength = lineLength
    self.format = format
  }

  /// Fills a rectangle, in pixels.
  package func fill(x: Int, y: Int, width: Int, height: Int, _ color: Color) {
    let columns = max(0, x)..<max(max(0, x), min(self.width, x + width))
    let rows = max(0, y)..<max(max(0, y), min(self.height, y + height))
    let bytes = withUnsafeBytes(of: format.value(of: color).littleEndian) { Array($0) }
    for row in rows {
      var pixel = memory + row * lineLength + columns.lowerBound * format.byteCount
      for _ in columns {
        for index in 0..<format.byteCount {
          pixel.storeBytes(of: bytes[index], toByteOffset: index, as: UInt8.self)
        }
        pixel += format.byteCount
      }
    }
  }

  /// Fills all of it.
  package func clear() { fill(x: 0, y: 0, width: width, height: height, .black) }
}
