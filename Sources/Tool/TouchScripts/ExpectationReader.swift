import Layout
import TouchModel

/// Reads the words of an `expect` line, without the first.
struct ExpectationReader {
  /// What is wrong, and at which word of the line.
  struct Problem: Error {
    let text: String
    let word: Int
  }

  /// The forms that there are.
  static let forms = [
    "expect PATH gets PHASES", "expect PATH gets nothing", "expect gesture VIEW KIND [STATES]",
    "expect gesture VIEW#NAME [STATES]", "expect no gesture", "expect nobody",
    "expect feedback NAME [at TARGET]", "expect no feedback",
  ]

  private static let phases = ["began", "moved", "ended", "cancelled"]
  private static let states = ["recognized", "began", "ended", "cancelled", "failed"]
  private static let kinds = [
    "tap", "long_press", "pan", "swipe", "pinch", "rotation", "edge_pan",
  ]
  private static let reasons = CancelReason.allCases.map(\.word)

  private let words: [String]
  /// The next word, and behind the last one that is not part of the limit.
  private var next = 1
  private var end: Int

  private init(_ words: [String]) {
    self.words = words
    end = words.count
  }

  /// Reads a line.
  ///
  /// - Parameter words: all of its words, of which the first is `expect`.
  static func read(_ words: [String]) throws(Problem) -> Expectation {
    var reader = ExpectationReader(words)
    let limit = try reader.limit()
    let subject = try reader.subject()
    if reader.next < reader.end {
      throw Problem(text: "nothing may follow but \"within N ms\"", word: reader.next)
    }
    return Expectation(subject: subject, limit: limit, text: words.joined(separator: " "))
  }

  /// Takes `within N ms` off the end.
  private mutating func limit() throws(Problem) -> Double? {
    guard let index = words.lastIndex(of: "within"), index > 1 else { return nil }
    let number = index + 1 < words.count ? Double(words[index + 1]) : nil
    guard index + 3 == words.count, words[index + 2] == "ms", let number,
      (0...600_000).contains(number)
    else {
      throw Problem(text: "it must be \"within N ms\", from 0 to 600000", word: index)
    }
    end = index
    return number
  }

  private mutating func subject() throws(Problem) -> Expectation.Subject {
    if end > 2, words[2] == "gets" { return try touches() }
    guard end > 1 else { throw form() }
    switch (words[1], end) {
    case ("nobody", 2):
      next = 2
      return .nobody
    case ("no", 3) where words[2] == "gesture":
      next = 3
      return .noGesture
    case ("no", 3) where words[2] == "feedback":
      next = 3
      return .noFeedback
    case ("gesture", 3...): return try gesture()
    case ("feedback", 3...): return try feedback()
    default: throw form()
    }
  }

  private func form() -> Problem {
    var hint = ""
    if end > 2, words[1] != "gesture", let near = Self.nearest(words[2], ["gets"]) { hint = near }
    if end == 2, let near = Self.nearest(words[1], ["nobody"]) { hint = near }
    let forms = Self.forms.joined(separator: ", ")
    return Problem(text: "it must be one of: \(forms)\(hint)", word: min(1, words.count - 1))
  }

  private mutating func touches() throws(Problem) -> Expectation.Subject {
    let path = words[1]
    next = 3
    if end == 4, words[3] == "nothing" {
      next = 4
      return .nothing(path: path)
    }
    return .touches(path: path, try events(Self.phases, "a phase"))
  }

  private mutating func gesture() throws(Problem) -> Expectation.Subject {
    let parts = words[2].split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let owner = String(parts[0])
    guard !owner.isEmpty, parts.last?.isEmpty == false else {
      throw Problem(text: "it must name a view, or a recognizer as VIEW#NAME", word: 2)
    }
    next = 3
    if parts.count == 2 {
      let recognizer = ExpectedRecognizer(owner: owner, name: String(parts[1]), kind: nil)
      return .gesture(recognizer, end > 3 ? try events(Self.states, "a state") : [])
    }
    let kinds = Self.kinds
    guard end > 3 else {
      throw Problem(
        text: "behind the view it must name a kind: \(kinds.joined(separator: ", "))", word: 2)
    }
    guard kinds.contains(words[3]) else { throw unknown((words[3], 3), "is none of", kinds) }
    next = 4
    let recognizer = ExpectedRecognizer(owner: owner, name: nil, kind: words[3])
    return .gesture(recognizer, end > 4 ? try events(Self.states, "a state") : [])
  }

  private mutating func feedback() throws(Problem) -> Expectation.Subject {
    next = 3
    guard end > 3 else { return .feedback(name: words[2], target: nil) }
    guard words[3] == "at" else {
      throw Problem(text: "it must be \"feedback NAME at TARGET\"", word: 3)
    }
    guard end > 4 else {
      throw Problem(text: "behind \"at\" it must name a view or a recognizer", word: 3)
    }
    next = 5
    return .feedback(name: words[2], target: words[4])
  }

  /// Words with commas between them; behind `cancelled` a reason may follow.
  private mutating func events(
    _ known: [String], _ what: String
  ) throws(Problem) -> [Expectation.Event] {
    guard next < end else {
      let list = known.joined(separator: ", ")
      throw Problem(text: "it must say which behind \"gets\": \(list)", word: next - 1)
    }
    var parts = self.parts(next..<end)[...]
    next = end
    var events: [Expectation.Event] = []
    while let part = parts.popFirst() {
      guard part.text != "," else { throw Problem(text: "\(what) is missing", word: part.word) }
      guard known.contains(part.text) else { throw unknown(part, "is none of", known) }
      var reason: String?
      if part.text == "cancelled", let next = parts.first, next.text != "," {
        guard Self.reasons.contains(next.text) else {
          throw unknown(next, "is no reason: one of", Self.reasons)
        }
        reason = next.text
        parts.removeFirst()
      }
      events.append(Expectation.Event(word: part.text, reason: reason))
      guard let comma = parts.popFirst() else { return events }
      guard comma.text == "," else {
        throw Problem(text: "before \"\(comma.text)\" a comma is missing", word: comma.word)
      }
    }
    throw Problem(text: "\(what) is missing", word: end - 1)
  }

  /// Words and commas, each with the word of the line that it is in.
  private func parts(_ range: Range<Int>) -> [(text: String, word: Int)] {
    range.flatMap { index in
      var parts: [(text: String, word: Int)] = []
      for character in words[index] {
        if character == "," || parts.isEmpty || parts.last?.text == "," {
          parts.append((String(character), index))
        } else {
          parts[parts.count - 1].text.append(character)
        }
      }
      return parts
    }
  }

  private func unknown(
    _ part: (text: String, word: Int), _ what: String, _ known: [String]
  ) -> Problem {
    Problem(
      text: "\"\(part.text)\" \(what) \(known.joined(separator: ", "))"
        + (Self.nearest(part.text, known) ?? ""), word: part.word)
  }

  private static func nearest(_ word: String, _ names: [String]) -> String? {
    NearestName.nearest(to: word, among: names).map { "; did you mean \"\($0)\"?" }
  }
}
