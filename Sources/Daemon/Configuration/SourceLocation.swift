/// Where something stands in the files of a configuration.
struct SourceLocation: Hashable, Comparable {
  /// The index of the file in the order of reading.
  var file: Int32
  /// Counted from 1; 0 where the file as a whole is meant.
  var line: UInt32
  /// Counted from 1, in code points.
  var column: UInt32

  /// The file as a whole.
  init(file: Int32) { self.init(file: file, line: 0, column: 0) }

  init(file: Int32, line: UInt32, column: UInt32) {
    self.file = file
    self.line = line
    self.column = column
  }

  static func < (left: SourceLocation, right: SourceLocation) -> Bool {
    (left.file, left.line, left.column) < (right.file, right.line, right.column)
  }
}
