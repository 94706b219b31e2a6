import Layout
package import TouchClient
import TouchModel

/// What `touchroute inject`, `rehearse` and `test` read, and examples/virtual-finger.c: a line for
/// each contact, frame, pause and screen, and for a finger that taps, presses or swipes. Some lines
/// are for some of these commands alone: see ``Extras``.
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
    /// The screen of that name is dark from now on, or on. Rule D2.
    case power(screen: String, isOn: Bool)
    /// The screen that is chosen is locked. Rule D9.
    case lock(ScriptLock)
    /// It is locked no longer.
    case unlock
    /// This must have come since the expectations before.
    case expect(Expectation)
  }

  /// Lines that a command may take beside those that all take.
  package struct Extras: OptionSet {
    /// One bit for each of them.
    package let rawValue: Int

    /// Those of these bits.
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Which responders have a program, and what programs decide: `program`, `accept`, `decline`.
    package static let programs = Extras(rawValue: 1)
    /// What must come: `expect`.
    package static let expectations = Extras(rawValue: 2)
    /// Which screens are dark and locked: `dark`, `on`, `lock`, `unlock`.
    package static let screens = Extras(rawValue: 4)
  }

  /// Where a step stands: its line, and the column of each of its words, all from 1.
  package struct Line {
    fileprivate let number: Int
    fileprivate let columns: [Int]
  }

  /// The steps, each with its line.
  package private(set) var steps: [(line: Line, step: Step)] = []
  /// The responders that have a program; by default all have.
  package private(set) var programs: [(line: Line, path: String)] = []
  private var line = Line(number: 0, columns: [])
  private var contacts: [InjectedContact] = []
  private let lines: TextLines
  private let extras: Extras

  /// Reads a file, or standard input where it is `-`.
  ///
  /// - Parameter extras: What it may have beside the lines that all commands take.
  package init(file: String, taking extras: Extras = []) throws(ScriptError) {
    self.extras = extras
    lines = try TextLines(file: file)
    while let line = try lines.next() {
      guard lines.number <= Self.lineLimit else {
        throw lines.failure("a script has at most \(Self.lineLimit) lines")
      }
      let words = Self.words(line)
      self.line = Line(
        number: lines.number,
        columns: words.map { line.distance(from: line.startIndex, to: $0.startIndex) + 1 })
      try read(words.map(String.init))
    }
    guard contacts.isEmpty else { throw lines.failure("the last contacts need a line \"frame\"") }
  }

  /// The words of a line, without its comment. In an `expect` line `#` within a word is a
  /// recognizer's: `home#pages`.
  private static func words(_ line: String) -> [Substring] {
    let words = line.split(whereSeparator: \.isWhitespace)
    if words.first == "expect" { return Array(words.prefix { !$0.hasPrefix("#") }) }
    return line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace)
  }

  /// A script is read whole before anything happens, so it has to end.
  private static let lineLimit = 1_000_000
  /// Frames and pauses that its taps and swipes may come to, with all others.
  private static let stepLimit = 1_000_000

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
      let script = stroke.script
      guard steps.count + script.count <= Self.stepLimit else {
        throw failure(
          "with this line the script has more than \(Self.stepLimit) frames and pauses; a swipe "
            + "has 120 frames a second", at: line)
      }
      steps += script.map { (line, $0) }
    case ("wait", 2), ("screen", 2):
      try endContacts()
      if verb == "screen" { return steps.append((line, .screen(words[1]))) }
      guard let pause = numbers.first, (0...3_600_000).contains(pause) else {
        throw malformed(words)
      }
      steps.append((line, .wait(milliseconds: pause)))
    default: try readExtra(words)
    }
  }

  /// A line that not every command takes.
  private mutating func readExtra(_ words: [String]) throws(ScriptError) {
    let isOfScreens = Self.screenForms.contains { $0.key == words[0] }
    let extra: Extras =
      words[0] == "expect" ? .expectations : isOfScreens ? .screens : .programs
    guard extras.contains(extra) else { throw malformed(words) }
    switch (words[0], words.count) {
    case ("dark", 2), ("on", 2):
      try endContacts()
      steps.append((line, .power(screen: words[1], isOn: words[0] == "on")))
    case ("lock", _):
      try endContacts()
      do throws(ScriptLock.Problem) { steps.append((line, .lock(try ScriptLock(words)))) } catch {
        throw failure(error.text, at: line, word: error.word)
      }
    case ("unlock", 1):
      try endContacts()
      steps.append((line, .unlock))
    case ("accept", 3), ("decline", 3):
      try endContacts()
      guard let slot = Int32(words[2]) else { throw malformed(words) }
      let isKept = words[0] == "accept"
      steps.append(
        (line, isKept ? .accept(path: words[1], slot: slot) : .decline(path: words[1], slot: slot)))
    case ("program", 2): try readProgram(words[1])
    case ("expect", _):
      try endContacts()
      try readExpectation(words)
    default: throw malformed(words)
    }
  }

  private mutating func readProgram(_ path: String) throws(ScriptError) {
    guard steps.isEmpty, contacts.isEmpty else {
      throw failure("programs come before the first touch", at: line)
    }
    if programs.contains(where: { $0.path == path }) {
      throw failure("\"\(path)\" has a program already", at: line, word: 1)
    }
    programs.append((line, path))
  }

  private mutating func readExpectation(_ words: [String]) throws(ScriptError) {
    let hasTouch = steps.contains { if case .frame = $0.step { true } else { false } }
    guard hasTouch else { throw failure("there is no touch before it", at: line) }
    do throws(ExpectationReader.Problem) {
      steps.append((line, .expect(try ExpectationReader.read(words))))
    } catch { throw failure(error.text, at: line, word: error.word) }
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

  /// How each line is written.
  private static let forms: KeyValuePairs = [
    "began": "began SLOT X Y", "moved": "moved SLOT X Y", "ended": "ended SLOT",
    "cancelled": "cancelled SLOT", "frame": "frame", "wait": "wait MILLISECONDS",
    "screen": "screen NAME", "tap": "tap X Y [MILLISECONDS]", "press": "press X Y [MILLISECONDS]",
    "swipe": "swipe X1 Y1 X2 Y2 [MILLISECONDS]",
  ]
  private static let programForms: KeyValuePairs = [
    "accept": "accept PATH SLOT", "decline": "decline PATH SLOT", "program": "program PATH",
  ]
  private static let screenForms: KeyValuePairs = [
    "dark": "dark NAME", "on": "on NAME", "lock": ScriptLock.form, "unlock": "unlock",
  ]

  private func malformed(_ words: [String]) -> ScriptError {
    let programForms = extras.contains(.programs) ? Array(Self.programForms) : []
    let screenForms = extras.contains(.screens) ? Array(Self.screenForms) : []
    let forms = Array(Self.forms) + programForms + screenForms
    guard let form = forms.first(where: { $0.key == words[0] })?.value else {
      return unknown(words[0], among: forms.map(\.key))
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

  private func unknown(_ verb: String, among verbs: [String]) -> ScriptError {
    if verb == "expect" { return failure("\"expect\" is for touchroute test", at: line) }
    if (Array(Self.programForms) + Array(Self.screenForms)).contains(where: { $0.key == verb }) {
      return failure("\"\(verb)\" is for touchroute rehearse and test", at: line)
    }
    let known = verbs + (extras.contains(.expectations) ? ["expect"] : [])
    let near = NearestName.nearest(to: verb, among: known).map { "; did you mean \"\($0)\"?" }
    let list = known.sorted().joined(separator: ", ")
    return failure("\"\(verb)\" is none of \(list)\(near ?? "")", at: line)
  }
}
