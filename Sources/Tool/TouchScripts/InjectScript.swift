package import TouchClient
import TouchModel

/// What `touchroute inject` and `touchroute rehearse` read, and examples/virtual-finger.c: a line
/// for each contact, frame, pause and screen, for a finger that taps, presses or swipes, and for
/// `rehearse` for each program's decision.
package struct InjectScript {
  /// One thing that is done.
  package enum Step: Equatable {
    case screen(String)
    case wait(milliseconds: Double)
    case frame([InjectedContact])
    /// The program at that path keeps the touch that the slot has, or had last.
    case accept(path: String, slot: Int32)
    /// It does not want it.
    case decline(path: String, slot: Int32)
  }

  /// Where a step stands: its line, and the column of each of its words, all from 1.
  package struct Line {
    fileprivate let number: Int
    fileprivate let columns: [Int]
  }

  /// The steps, each with its line.
  package private(set) var steps: [(line: Line, step: Step)] = []
  private var line = Line(number: 0, columns: [])
  private var contacts: [InjectedContact] = []
  private let lines: TextLines
  private let takesDecisions: Bool

  /// Reads a file, or standard input where it is `-`.
  ///
  /// - Parameter takesDecisions: Whether it may say what programs decide: `accept`, `decline`.
  package init(file: String, takesDecisions: Bool = false) throws(ScriptError) {
    self.takesDecisions = takesDecisions
    lines = try TextLines(file: file)
    while let line = try lines.next() {
      guard lines.number <= Self.lineLimit else {
        throw lines.failure("a script has at most \(Self.lineLimit) lines")
      }
      let words = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace)
      self.line = Line(
        number: lines.number,
        columns: words.map { line.distance(from: line.startIndex, to: $0.startIndex) + 1 })
      try read(words.map(String.init))
    }
    guard contacts.isEmpty else { throw lines.failure("the last contacts need a line \"frame\"") }
  }

  /// A script is read whole before anything happens, so it has to end.
  private static let lineLimit = 1_000_000

  /// Names a step's line, and the column of a word of it.
  package func failure(_ text: String, at line: Line, word: Int = 0) -> ScriptError {
    lines.failure(
      text, line: line.number, column: line.columns.indices.contains(word) ? line.columns[word] : 1)
  }

  private mutating func read(_ words: [String]) throws(ScriptError) {
    guard let verb = words.first else { return }
    let numbers = words.dropFirst().compactMap { Double($0) }.filter(\.isFinite)
    switch (verb, words.count) {
    case ("began", 4), ("moved", 4):
      guard let slot = Int32(words[1]), numbers.count == 3 else { throw malformed(words) }
      let point = Point(x: numbers[1], y: numbers[2])
      contacts.append(InjectedContact(slot: slot, verb == "began" ? .began(point) : .moved(point)))
    case ("ended", 2), ("cancelled", 2):
      guard let slot = Int32(words[1]) else { throw malformed(words) }
      contacts.append(InjectedContact(slot: slot, verb == "ended" ? .ended : .cancelled))
    case ("frame", 1):
      guard !contacts.isEmpty else { throw failure("a frame needs a contact", at: line) }
      steps.append((line, .frame(contacts)))
      contacts = []
    case ("tap", 3...4), ("press", 3...4), ("swipe", 5...6):
      try endContacts()
      guard let stroke = stroke(verb, numbers, of: words.count) else { throw malformed(words) }
      steps += stroke.script.map { (line, $0) }
    case ("wait", 2), ("screen", 2):
      try endContacts()
      if verb == "screen" { return steps.append((line, .screen(words[1]))) }
      guard let pause = numbers.first, (0...3_600_000).contains(pause) else {
        throw malformed(words)
      }
      steps.append((line, .wait(milliseconds: pause)))
    case ("accept", 3) where takesDecisions, ("decline", 3) where takesDecisions:
      try endContacts()
      guard let slot = Int32(words[2]) else { throw malformed(words) }
      let isKept = verb == "accept"
      steps.append(
        (line, isKept ? .accept(path: words[1], slot: slot) : .decline(path: words[1], slot: slot)))
    default: throw malformed(words)
    }
  }

  /// One finger, in slot 0, as the command of that name plays it; nil where a number is wrong.
  private func stroke(_ verb: String, _ numbers: [Double], of count: Int) -> Stroke? {
    guard numbers.count == count - 1 else { return nil }
    let start = Point(x: numbers[0], y: numbers[1])
    let time = count % 2 == 0 ? numbers[count - 2] : nil
    guard (0...600_000).contains(time ?? 0) else { return nil }
    switch verb {
    case "tap": return .hold(1, at: start, for: time ?? Stroke.tapTime)
    case "press": return .hold(1, at: start, for: time ?? Stroke.pressTime)
    default:
      let end = Point(x: numbers[2], y: numbers[3])
      return .line(1, from: start, to: end, in: time ?? Stroke.swipeTime)
    }
  }

  private func endContacts() throws(ScriptError) {
    guard contacts.isEmpty else {
      throw failure("the contacts before it need a line \"frame\"", at: line)
    }
  }

  private func malformed(_ words: [String]) -> ScriptError {
    var forms = [
      "began": "began SLOT X Y", "moved": "moved SLOT X Y", "ended": "ended SLOT",
      "cancelled": "cancelled SLOT", "frame": "frame", "wait": "wait MILLISECONDS",
      "screen": "screen NAME", "tap": "tap X Y [MILLISECONDS]", "press": "press X Y [MILLISECONDS]",
      "swipe": "swipe X1 Y1 X2 Y2 [MILLISECONDS]",
    ]
    if takesDecisions {
      forms["accept"] = "accept PATH SLOT"
      forms["decline"] = "decline PATH SLOT"
    }
    guard let form = forms[words[0]] else {
      return failure(
        "\"\(words[0])\" is none of \(forms.keys.sorted().joined(separator: ", "))", at: line)
    }
    let wanted = form.split(separator: " ")
    let isNumber = wanted.map { !["PATH", "NAME", wanted[0]].contains($0) }
    // The first that should be a number and is none, or that is one too many; else a number that
    // is out of range.
    let wrong = words.indices.dropFirst().first { index in
      index >= wanted.count || isNumber[index] && Double(words[index])?.isFinite != true
    }
    let number = words.count == wanted.count ? isNumber.firstIndex(of: true) : nil
    return failure("it must be \(form)", at: line, word: wrong ?? number ?? 0)
  }
}
