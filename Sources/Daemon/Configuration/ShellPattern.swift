/// A shell's pattern as fnmatch reads it without flags: `*`, `?`, `[a-z]`, and a backslash before
/// a character that means itself.
struct ShellPattern {
  /// Why a pattern can match nothing that it is meant to, as the rest of a sentence.
  struct Failure: Error {
    var reason: String
  }

  /// The characters that it matches at least; `*` adds any number.
  private(set) var length = 0
  /// Whether it has a `*`.
  private(set) var hasStar = false

  private var rest: Substring

  init(_ text: String) throws(Failure) {
    rest = text[...]
    while let character = rest.popFirst() {
      switch character {
      case "*": hasStar = true
      case "[":
        try readSet()
        length += 1
      case "\\":
        guard rest.popFirst() != nil else {
          throw Failure(reason: "ends with a backslash, which must stand before a character")
        }
        length += 1
      default: length += 1
      }
    }
  }

  /// Reads what follows a `[`, to its `]`, which means itself where it comes first.
  private mutating func readSet() throws(Failure) {
    if rest.first == "!" || rest.first == "^" { rest.removeFirst() }
    var last: Character?
    var isFirst = true
    while let character = rest.popFirst() {
      if character == "]", !isFirst { return }
      isFirst = false
      if character == "[", rest.first == ":", let end = Self.endOfClass(in: rest) {
        rest = rest[end...]
        last = nil
        continue
      }
      if character == "-", let low = last, let high = rest.first, high != "]" {
        guard low <= high else {
          throw Failure(reason: "has the empty range \(low)-\(high)")
        }
        rest.removeFirst()
        last = nil
        continue
      }
      last = character == "\\" ? rest.popFirst() : character
    }
    throw Failure(reason: "has a \"[\" without a \"]\"; write \\\\[ where a bracket is meant")
  }

  /// Behind the `:]` that ends the name of a class.
  private static func endOfClass(in text: Substring) -> Substring.Index? {
    zip(text.indices, text.indices.dropFirst()).first { text[$0] == ":" && text[$1] == "]" }
      .map { text.index(after: $1) }
  }
}
