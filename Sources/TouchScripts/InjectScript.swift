package import TouchClient
import TouchModel

/// What `touchroute inject` and `touchroute rehearse` read: a line for each contact, frame, pause
/// and screen, and for `rehearse` each program's decision.
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

  /// The steps, each with the number of its line.
  package private(set) var steps: [(line: Int, step: Step)] = []
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
      try read(line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace).map(String.init))
    }
    guard contacts.isEmpty else { throw lines.failure("the last contacts need a line \"frame\"") }
  }

  /// A script is read whole before anything happens, so it has to end.
  private static let lineLimit = 1_000_000

  /// Names a line in words of ours.
  package func failure(_ text: String, line: Int) -> ScriptError { lines.failure(text, line: line) }

  private mutating func read(_ words: [String]) throws(ScriptError) {
    guard let verb = words.first else { return }
    let numbers = words.dropFirst().compactMap { Double($0) }.filter(\.isFinite)
    switch (verb, words.count) {
    case ("began", 4), ("moved", 4):
      guard let slot = Int32(words[1]), numbers.count == 3 else { throw malformed(verb) }
      let point = Point(x: numbers[1], y: numbers[2])
      contacts.append(InjectedContact(slot: slot, verb == "began" ? .began(point) : .moved(point)))
    case ("ended", 2), ("cancelled", 2):
      guard let slot = Int32(words[1]) else { throw malformed(verb) }
      contacts.append(InjectedContact(slot: slot, verb == "ended" ? .ended : .cancelled))
    case ("frame", 1):
      guard !contacts.isEmpty else { throw lines.failure("a frame needs a contact") }
      steps.append((lines.number, .frame(contacts)))
      contacts = []
    case ("wait", 2), ("screen", 2):
      try endContacts()
      if verb == "screen" { return steps.append((lines.number, .screen(words[1]))) }
      guard let pause = numbers.first, (0...3_600_000).contains(pause) else {
        throw malformed(verb)
      }
      steps.append((lines.number, .wait(milliseconds: pause)))
    case ("accept", 3) where takesDecisions, ("decline", 3) where takesDecisions:
      try endContacts()
      guard let slot = Int32(words[2]) else { throw malformed(verb) }
      steps.append(
        (
          lines.number,
          verb == "accept"
            ? .accept(path: words[1], slot: slot) : .decline(path: words[1], slot: slot)
        ))
    default: throw malformed(verb)
    }
  }

  private func endContacts() throws(ScriptError) {
    guard contacts.isEmpty else {
      throw lines.failure("the contacts before it need a line \"frame\"")
    }
  }

  private func malformed(_ verb: String) -> ScriptError {
    var forms = [
      "began": "began SLOT X Y", "moved": "moved SLOT X Y", "ended": "ended SLOT",
      "cancelled": "cancelled SLOT", "frame": "frame", "wait": "wait MILLISECONDS",
      "screen": "screen NAME",
    ]
    if takesDecisions {
      forms["accept"] = "accept PATH SLOT"
      forms["decline"] = "decline PATH SLOT"
    }
    guard let form = forms[verb] else {
      return lines.failure("\"\(verb)\" is none of \(forms.keys.sorted().joined(separator: ", "))")
    }
    return lines.failure("it must be \(form)")
  }
}
