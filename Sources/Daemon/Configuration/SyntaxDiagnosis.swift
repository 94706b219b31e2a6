import Layout

/// Says of a text that is not TOML what its writer most likely forgot, where the parser's own
/// message leads astray: a bracket that is not closed, or text without quotes.
struct SyntaxDiagnosis {
  /// UTF-8.
  private let text: UnsafeRawBufferPointer

  init(_ text: UnsafeRawBufferPointer) {
    self.text = text
  }

  /// The failure that says it better; nil where the parser's does.
  ///
  /// - Parameter failure: The parser's, in its own words.
  func betterFailure(than failure: Document.Failure) -> Document.Failure? {
    if let other = otherThanText() { return other }
    guard failure.line > 0 else { return brokenHeader() }
    guard let start = offset(ofLine: failure.line) else { return nil }
    if let bracket = unclosedBracket(failure, lineStart: start) {
      return self.failure(
        at: bracket, "the \"[\" here is not closed; end the array with a \"]\"")
    }
    if failure.message.mentions("inline table"), failure.message.mentions("saw '\\n'") {
      return Document.Failure(
        line: failure.line, column: failure.column,
        message: "not valid TOML: a table in braces must end with a \"}\" on the line it begins on")
    }
    return unquoted(failure, lineStart: start)
  }

  /// What it is that has bytes of zero, which no text of UTF-8 has.
  private func otherThanText() -> Document.Failure? {
    guard let zero = text.firstIndex(of: 0) else { return nil }
    // A character of TOML's own is a byte of zero and another one there.
    let marks = [[0xff, 0xfe], [0xfe, 0xff]] as [[UInt8]]
    let isMarked = marks.contains { text.starts(with: $0) }
    if isMarked || text.count >= 4 && zero < 2 && text[zero + 2] == 0 {
      return Document.Failure(
        line: 1, column: 1,
        message: "this is UTF-16, and must be UTF-8: save it as that, or convert it with iconv -f "
          + "UTF-16 -t UTF-8")
    }
    var failure = failure(at: zero, "")
    failure.message = "there is a NUL byte here, which no text has: is the file damaged?"
    return failure
  }

  private func failure(at offset: Int, _ message: String) -> Document.Failure {
    let before = text[..<offset]
    let line = before.count { $0 == Self.newline } + 1
    let lineStart = before.lastIndex(of: Self.newline).map { $0 + 1 } ?? 0
    let column = text[lineStart..<offset].count { $0 & 0xC0 != 0x80 } + 1
    return Document.Failure(
      line: UInt32(line), column: UInt32(column), message: "not valid TOML: " + message)
  }

  private static let newline = UInt8(ascii: "\n")

  /// The first line that begins with a bracket, in no array, and is no section's: the parser gives
  /// up at some of them without saying where.
  private func brokenHeader() -> Document.Failure? {
    var start = 0
    var open: [Int] = []
    while start < text.count {
      let line = text[start...].prefix { $0 != Self.newline }
      let first = line.firstIndex { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
      if open.isEmpty, let first, text[first] == UInt8(ascii: "["), !isStatement(line) {
        return failure(at: first, SyntaxSentence.header)
      }
      // A string may go on over the line's end.
      start = scan(from: start, to: line.endIndex, &open) + 1
    }
    return nil
  }

  private func offset(ofLine line: UInt32) -> Int? {
    var start = 0
    for _ in 1..<line {
      guard let end = text[start...].firstIndex(of: Self.newline) else { return nil }
      start = end + 1
    }
    return start
  }

  /// The bracket that is open where another key or section begins, or where the text ends.
  private func unclosedBracket(_ failure: Document.Failure, lineStart: Int) -> Int? {
    let isEnd = failure.message.mentions("end-of-file") && failure.message.mentions("array")
    guard isEnd || isStatement(text[lineStart...].prefix { $0 != Self.newline }) else { return nil }
    let open = openBrackets(before: isEnd ? text.count : lineStart)
    guard let last = open.last, text[last] == UInt8(ascii: "[") else { return nil }
    return last
  }

  /// Whether a line is `key = …`, `[section]` or `[[section]]`.
  private func isStatement(_ line: Slice<UnsafeRawBufferPointer>) -> Bool {
    let line = String(decoding: line, as: UTF8.self).split(separator: "#").first ?? ""
    let words = line.filter { $0 != " " && $0 != "\t" && $0 != "\r" }
    if let equals = words.firstIndex(of: "=") { return isName(words[..<equals]) }
    let inner = words.drop { $0 == "[" }
    let name = inner.prefix { $0 != "]" }
    let opening = words.count - inner.count
    return (1...2).contains(opening) && inner.count - name.count == opening && isName(name)
      && name.first?.isNumber == false
  }

  /// Where the brackets and braces are that are open at an offset, strings and comments skipped.
  private func openBrackets(before end: Int) -> [Int] {
    var open: [Int] = []
    _ = scan(from: 0, to: end, &open)
    return open
  }

  /// Goes over a part of the text, and keeps the list of open brackets and braces; the offset
  /// behind what was read, which is beyond the part where a string is.
  private func scan(from start: Int, to end: Int, _ open: inout [Int]) -> Int {
    var index = start
    while index < end {
      switch text[index] {
      case UInt8(ascii: "["), UInt8(ascii: "{"): open.append(index)
      case UInt8(ascii: "]"), UInt8(ascii: "}"): _ = open.popLast()
      case UInt8(ascii: "#"):
        index = (text[index..<end].firstIndex(of: Self.newline) ?? end) - 1
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        index = lastOfString(from: index, before: text.count)
      default: break
      }
      index += 1
    }
    return index
  }

  /// The last byte of the string that begins at an index.
  private func lastOfString(from start: Int, before end: Int) -> Int {
    let quote = text[start]
    let isMultiline = text[start..<end].prefix(3).elementsEqual([quote, quote, quote])
    var index = start + (isMultiline ? 3 : 1)
    while index < end {
      if text[index] == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        index += 1
      } else if isMultiline {
        if text[index..<end].prefix(3).elementsEqual([quote, quote, quote]) { return index + 2 }
      } else if text[index] == quote || text[index] == Self.newline {
        return index
      }
      index += 1
    }
    return end
  }

  /// What to write where a value is text without its quotes.
  private func unquoted(_ failure: Document.Failure, lineStart: Int) -> Document.Failure? {
    let contexts = ["value", "date", "time", "integer", "floating-point", "boolean"]
    guard
      contexts.contains(where: { failure.message.hasPrefix("Error while parsing \($0)") })
        || failure.message.hasPrefix("Error while parsing decimal integer")
    else { return nil }
    let line = text[lineStart...].prefix { $0 != Self.newline }
    var offset = line.startIndex
    for _ in 1..<max(failure.column, 1) where offset < line.endIndex {
      offset += 1
      while offset < line.endIndex, line[offset] & 0xC0 == 0x80 { offset += 1 }
    }
    guard
      let delimiter = line[..<offset].lastIndex(where: { "=,[".utf8.contains($0) }),
      let start = line[(delimiter + 1)...].firstIndex(where: { $0 != UInt8(ascii: " ") })
    else { return nil }
    let rest = line[start...].prefix { !",]}#".utf8.contains($0) }
    var token = String(decoding: rest, as: UTF8.self)
    while token.last?.isWhitespace == true { token.removeLast() }
    guard let message = advice(token) else { return nil }
    return self.failure(at: start, message)
  }

  private func advice(_ token: String) -> String? {
    guard let first = token.first, token.count <= 60,
      !token.contains(where: { "\"'=\\".contains($0) })
    else { return nil }
    switch token.lowercased() {
    case "true", "yes", "on": return "\(token) is no value; write true"
    case "false", "no", "off": return "\(token) is no value; write false"
    default: break
    }
    if Length(token) != nil { return "a share must be in quotes: write \"\(token)\"" }
    guard first.isLetter || "/*_".contains(first) || token.contains(where: { "%:*".contains($0) })
    else { return nil }
    return "text must be in quotes: write \"\(token)\""
  }
}

extension String {
  /// Whether these words are in it, byte for byte. The library's `contains` of a string brings
  /// regular expressions into the daemon, 2 MB of them.
  fileprivate func mentions(_ words: String) -> Bool {
    utf8.indices.contains { utf8[$0...].starts(with: words.utf8) }
  }
}
