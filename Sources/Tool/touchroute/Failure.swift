import Configuration
import Glibc
import TouchClient
import TouchModel

/// What ends a command with exit status 1.
struct Failure: Error {
  /// What goes to standard error. A line feed in one is escaped: names come from others.
  let lines: [String]

  /// One sentence that names the thing and says what to do.
  init(_ sentence: String) { lines = ["touchroute: \(sentence)"] }

  /// A configuration's problems, one a line, as compilers write them.
  ///
  /// - Parameter inForce: The configuration that a running daemon still uses.
  init(_ error: ConfigurationError, inForce: String? = nil) {
    let rest = inForce.map { ["touchroute: touchrouted still uses \($0)"] } ?? []
    lines = Self.split(error.description) + rest
  }

  /// What is to be warned of in a configuration, one a line, as compilers write them.
  init(_ warnings: ConfigurationWarnings) { lines = warnings.lines }

  /// Why the daemon ends the connection, in its words.
  init(_ notice: ClosingNotice) {
    let isWhole = notice.reason == .stopping
    self.init(isWhole ? notice.text : "touchrouted has ended the connection: \(notice.text)")
  }

  /// What the daemon refused, in its words.
  init(_ refusal: RequestFailure) { self.init(refusal.text) }

  /// What is wrong with a command line; the exit status is the parser's.
  init(usage text: String) { lines = Self.split(text) }

  /// What the parser says of a command line, begun as every other failure is.
  init(parser text: String) {
    var lines = Self.split(text)
    if let first = lines.first {
      let start = "Error: "
      let sentence = first.hasPrefix(start) ? String(first.dropFirst(start.count)) : first
      lines[0] = "touchroute: \(Self.asClause(sentence))"
    }
    self.lines = lines
  }

  /// A sentence as it follows a colon: without a capital that is a sentence's, and without a stop.
  private static func asClause(_ sentence: String) -> String {
    let word = sentence.prefix { $0 != " " }
    let isPlain = word == "A" || word.count > 1 && word.dropFirst().allSatisfy(\.isLowercase)
    let start = isPlain ? sentence.prefix(1).lowercased() : String(sentence.prefix(1))
    let rest = sentence.dropFirst()
    return start + (rest.hasSuffix(".") ? rest.dropLast() : rest)
  }

  /// A configuration's problems as the daemon tells them, one a line, as compilers write them.
  init(problems: String) { lines = Self.split(problems) }

  private static func split(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// What it says, without the program's name.
  var sentence: String {
    let text = lines.joined(separator: "\n")
    return text.hasPrefix("touchroute: ") ? String(text.dropFirst("touchroute: ".count)) : text
  }

  func report() {
    let text = lines.map { $0.printable() + "\n" }.joined()
    // What can't be said can't be helped either.
    _ = Array(text.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
