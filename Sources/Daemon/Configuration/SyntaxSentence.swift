/// What toml++ says of a text that is not TOML, in words that say what to write instead.
enum SyntaxSentence {
  /// A message of the parser's, `Error while parsing X: Y`, as a sentence.
  static func of(_ message: String) -> String {
    if message.hasPrefix("Encountered invalid utf-8") { return "this is not UTF-8 text" }
    let prefix = "Error while parsing "
    guard message.hasPrefix(prefix), let colon = message.firstIndex(of: ":") else { return message }
    let what = message[message.index(message.startIndex, offsetBy: prefix.count)..<colon]
    let reason = message[colon...].dropFirst(2)
    if let name = redefined(reason) {
      return "not valid TOML: \"\(name)\" is there already; a key or a section is given once"
    }
    let found = advice.first { what.hasSuffix($0.context) && reason.hasPrefix($0.reason) }
    if let found { return "not valid TOML: \(found.sentence)" }
    let article = "aeiou".contains(what.first ?? "b") ? "an" : "a"
    return "not valid TOML: \(reason) (in \(article) \(what))"
  }

  /// The name in `cannot redefine existing table 'name'`.
  private static func redefined(_ reason: Substring) -> Substring? {
    guard reason.hasPrefix("cannot redefine existing "), let start = reason.firstIndex(of: "'")
    else { return nil }
    let name = reason[reason.index(after: start)...]
    return name.lastIndex(of: "'").map { name[..<$0] }
  }

  /// How a section is written.
  static let header =
    "a section is [NAME] or [[NAME]], with as many brackets behind the name as before it, alone on "
    + "its line"

  /// What is most likely meant: where the parser was, by its last words, and what it begins to say.
  private static let advice: [(context: String, reason: String, sentence: String)] = [
    ("table header", "tables with blank", "a section needs a name between its brackets"),
    ("table header", "", header),
    ("key-value pair", "expected '='", "behind a key there must be \"=\" and a value"),
    ("key-value pair", "encountered end-of-file", "behind a key there must be \"=\" and a value"),
    ("key-value pair", "expected value", "the value behind the \"=\" is missing"),
    (
      "key-value pair", "expected a comment",
      "a value must end its line; write what follows on a line of its own"
    ),
    (
      "value", "could not determine",
      "this is no value: text is written in quotes, a list between \"[\" and \"]\""
    ),
    (
      "string", "unescaped control",
      "a string must end on its line, and control characters in it be escaped"
    ),
    (
      "literal string", "control characters",
      "a string must end on its line, and have no control characters"
    ),
    (
      "string", "encountered end-of-file",
      "a string is not closed: it ends with the quotes that it began with"
    ),
    (
      "string", "unknown escape",
      "a backslash in \"...\" is written \\\\, or the text between '...'"
    ),
    (
      "array", "expected comma",
      "in an array a comma is missing between two values, or the \"]\" behind the last"
    ),
    (
      "root table", "expected keys",
      "a line is KEY = VALUE, [SECTION] or [[SECTION]], or a comment, which begins with \"#\""
    ),
    (
      "floating-point", "expected decimal digit",
      "a number has a digit before its point, and one behind it"
    ),
    ("integer", "leading zeroes", "a number has no zeros before it"),
  ]
}
