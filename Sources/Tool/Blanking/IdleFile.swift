/// The file of `touchroute idle -C`: in each line the words of the command line, quoted as for a
/// shell. A word that begins with # starts a comment.
package enum IdleFile {
  /// Adds what a file says to a plan.
  ///
  /// - Parameters:
  ///   - text: What is in it.
  ///   - name: Its name, for errors.
  package static func add(
    _ text: String, named name: String, to plan: inout IdlePlan
  ) throws(BlankingError) {
    var problems: [String] = []
    // Editors of Windows end lines by two characters, which are one to Swift, and mark files.
    let text = text.hasPrefix("\u{feff}") ? text.dropFirst() : text[...]
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      do throws(BlankingError) {
        var words = IdleWords(try words(in: line))
        try words.add(to: &plan)
      } catch {
        problems.append("\(name):\(index + 1): \(error.sentence)")
      }
    }
    if !problems.isEmpty { throw BlankingError(problems.joined(separator: "\n")) }
  }

  /// The words of a line, as a shell would have them, but that nothing in them is expanded.
  static func words(in line: some StringProtocol) throws(BlankingError) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var rest = Substring(line)
    while let next = rest.popFirst() {
      switch (quote, next) {
      case (nil, "#") where word == nil: return words
      case (nil, "'"), (nil, "\""):
        quote = next
        word = word ?? ""
      case (let mark?, _) where next == mark: quote = nil
      case (nil, "\\"): word = (word ?? "") + (rest.popFirst().map { String($0) } ?? "\\")
      case ("\""?, "\\"):
        if let escaped = rest.first, "\"\\$`".contains(escaped) {
          rest.removeFirst()
          word?.append(escaped)
        } else {
          word?.append(next)
        }
      case (nil, _) where next.isWhitespace:
        if let word { words.append(word) }
        word = nil
      default: word = (word ?? "") + String(next)
      }
    }
    if let quote { throw BlankingError("the quote \(quote) is not closed") }
    if let word { words.append(word) }
    return words
  }
}
