extension String {
  /// The text as a terminal or a log may be given it: what would move the cursor, end the line,
  /// turn the direction or not be seen at all (control and format characters, line and paragraph
  /// separators) stands there as `\u001b`, as JSON writes it too. A joiner stays what it is behind
  /// a character beyond ASCII, where Persian, the scripts of India and emoji have it.
  ///
  /// - Parameter keepingLines: Whether line feeds and tabs stay what they are.
  package func printable(keepingLines: Bool = false) -> String {
    if utf8.allSatisfy({ (0x20...0x7e).contains($0) || keepingLines && $0 == 0x0a }) { return self }
    var text = ""
    text.reserveCapacity(utf8.count + 8)
    var before: Unicode.Scalar = " "
    for scalar in unicodeScalars {
      defer { before = scalar }
      if scalar.isPrintable || keepingLines && (scalar == "\n" || scalar == "\t")
        || scalar.isJoiner && before.isPrintable && !before.isASCII
      {
        text.unicodeScalars.append(scalar)
      } else {
        for unit in UTF16.encode(scalar) ?? UTF16.EncodedScalar() {
          let digits = String(unit, radix: 16)
          text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      }
    }
    return text
  }
}

extension Unicode.Scalar {
  /// Whether a terminal shows it, or leaves a blank for it, and does nothing else.
  package var isPrintable: Bool {
    if ("\u{20}"..."\u{7e}").contains(self) { return true }
    return switch properties.generalCategory {
    case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }

  /// Whether it only says whether the characters around it are joined: U+200C or U+200D.
  package var isJoiner: Bool { self == "\u{200c}" || self == "\u{200d}" }

  /// Whether there is something to be seen of it by itself.
  package var isVisible: Bool {
    if ("\u{21}"..."\u{7e}").contains(self) { return true }
    // U+2800 is a Braille pattern without a dot.
    if !isPrintable || properties.isDefaultIgnorableCodePoint || self == "\u{2800}" { return false }
    return switch properties.generalCategory {
    case .spaceSeparator, .nonspacingMark, .enclosingMark, .unassigned: false
    default: true
    }
  }
}
