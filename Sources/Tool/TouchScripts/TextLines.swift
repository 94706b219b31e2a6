import Glibc

/// The lines of a file that a person wrote, one by one. What is no text is refused, as is a line
/// that does not end.
package final class TextLines {
  /// What the file is called in what is said of it.
  package let name: String
  /// The latest line's number, from 1.
  package private(set) var number = 0
  private let stream: UnsafeMutablePointer<FILE>

  /// Bytes of a line, without its end.
  static let lengthLimit = 1000
  private let lengthLimit: Int

  /// Opens a file, or standard input where it is `-`.
  ///
  /// - Parameter lengthLimit: How many bytes a line has at most, without its end.
  package init(file: String, lengthLimit: Int = TextLines.lengthLimit) throws(ScriptError) {
    self.lengthLimit = lengthLimit
    name = file == "-" ? "standard input" : file
    guard let stream = fopen(file == "-" ? "/dev/stdin" : file, "re") else {
      throw ScriptError("\(file) can't be opened: \(String(cString: strerror(errno)))")
    }
    self.stream = stream
  }

  deinit { fclose(stream) }

  /// Names the latest line, or another, and the column in it, in characters from 1.
  package func failure(_ text: String, line: Int? = nil, column: Int = 1) -> ScriptError {
    ScriptError("\(name):\(line ?? number):\(column): \(text)")
  }

  /// The next line, without its end; nil after the last.
  package func next() throws(ScriptError) -> String? {
    var bytes: [UInt8] = []
    var byte = getc(stream)
    if byte != EOF { number += 1 }
    while byte != EOF, byte != 0x0a {
      bytes.append(UInt8(truncatingIfNeeded: byte))
      guard bytes.count <= lengthLimit else {
        throw failure("the line is longer than \(lengthLimit) bytes", column: lengthLimit + 1)
      }
      byte = getc(stream)
    }
    if ferror(stream) != 0 {
      throw ScriptError("\(name) can't be read: \(String(cString: strerror(errno)))")
    }
    if byte == EOF, bytes.isEmpty { return nil }
    guard let text = String(validating: bytes, as: UTF8.self),
      text.unicodeScalars.allSatisfy({ Self.isText($0) })
    else { throw noText(bytes) }
    return text
  }

  /// What a line is that is no text.
  private func noText(_ bytes: [UInt8]) -> ScriptError {
    let marks = [[0xff, 0xfe], [0xfe, 0xff]] as [[UInt8]]
    let zero = bytes.firstIndex(of: 0)
    let isWide = zero.map { bytes.count > $0 + 2 && $0 < 2 && bytes[$0 + 2] == 0 } ?? false
    if number == 1, isWide || marks.contains(where: { bytes.starts(with: $0) }) {
      return failure(
        "this is UTF-16, and must be UTF-8: save it as that, or convert it with iconv -f UTF-16 "
          + "-t UTF-8")
    }
    guard let zero else { return failure("the line is no text") }
    return failure(
      "there is a NUL byte here, which no text has: is the file damaged?", column: zero + 1)
  }

  /// Whether a terminal shows it and does nothing else; blanks are text.
  private static func isText(_ scalar: Unicode.Scalar) -> Bool {
    if (" "..."~").contains(scalar) { return true }
    return switch scalar.properties.generalCategory {
    case .control: scalar == "\t" || scalar == "\r"
    case .format, .surrogate, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }
}
