import Glibc
import TouchClient
import TouchModel

/// What `touchroute inject` reads: a line for each contact, frame, pause and screen.
struct InjectScript {
  /// One thing that is done.
  enum Step: Equatable {
    case screen(String)
    case wait(milliseconds: Double)
    case frame([InjectedContact])
  }

  /// The steps, each with the number of its line.
  private(set) var steps: [(line: Int, step: Step)] = []
  private var contacts: [InjectedContact] = []
  private var number = 0
  private let name: String

  /// Reads a file, or standard input where it is `-`.
  init(file: String) throws(Failure) {
    name = file == "-" ? "standard input" : file
    guard let stream = fopen(file == "-" ? "/dev/stdin" : file, "re") else {
      throw Failure("\(file) can't be opened: \(String(cString: strerror(errno)))")
    }
    defer { fclose(stream) }
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(line) }
    while getline(&line, &capacity, stream) >= 0, let text = line.map({ String(cString: $0) }) {
      number += 1
      try read(text.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace).map(String.init))
    }
    if ferror(stream) != 0 {
      throw Failure("\(name) can't be read: \(String(cString: strerror(errno)))")
    }
    guard contacts.isEmpty else { throw failure("the last contacts need a line \"frame\"") }
  }

  /// Names a line in words of ours.
  func failure(_ text: String, line: Int? = nil) -> Failure {
    Failure("\(name):\(line ?? number): \(text)")
  }

  private mutating func read(_ words: [String]) throws(Failure) {
    guard let verb = words.first else { return }
    let numbers = words.dropFirst().compactMap { Double($0) }.filter(\.isFinite)
    switch (verb, words.count) {
    case ("began", 4), ("moved", 4):
      guard let slot = Int32(words[1]), numbers.count == 3 else { throw malformed(verb) }
      let place = Point(x: numbers[1], y: numbers[2])
      contacts.append(InjectedContact(slot: slot, verb == "began" ? .began(place) : .moved(place)))
    case ("ended", 2), ("cancelled", 2):
      guard let slot = Int32(words[1]) else { throw malformed(verb) }
      contacts.append(InjectedContact(slot: slot, verb == "ended" ? .ended : .cancelled))
    case ("frame", 1):
      guard !contacts.isEmpty else { throw failure("a frame needs a contact") }
      steps.append((number, .frame(contacts)))
      contacts = []
    case ("wait", 2), ("screen", 2):
      guard contacts.isEmpty else { throw failure("the contacts before it need a line \"frame\"") }
      if verb == "screen" { return steps.append((number, .screen(words[1]))) }
      guard let pause = numbers.first, (0...3_600_000).contains(pause) else {
        throw malformed(verb)
      }
      steps.append((number, .wait(milliseconds: pause)))
    default: throw malformed(verb)
    }
  }

  private func malformed(_ verb: String) -> Failure {
    let forms = [
      "began": "began SLOT X Y", "moved": "moved SLOT X Y", "ended": "ended SLOT",
      "cancelled": "cancelled SLOT", "frame": "frame", "wait": "wait MILLISECONDS",
      "screen": "screen NAME",
    ]
    guard let form = forms[verb] else {
      return failure("\"\(verb)\" is none of \(forms.keys.sorted().joined(separator: ", "))")
    }
    return failure("it must be \(form)")
  }
}
