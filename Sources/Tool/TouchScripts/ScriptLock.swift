package import TouchClient

/// A lock of the screen that is chosen: a `lock` line of a script. Rule D9.
package struct ScriptLock: Equatable {
  /// A view that gets touches all the same.
  package struct Exception: Equatable {
    /// Its path.
    package let path: String
    /// Which word of the line that is.
    let word: Int
  }

  /// How long it lasts.
  package private(set) var milliseconds: UInt32
  /// The views that get touches all the same.
  package private(set) var exceptions: [Exception] = []
  /// What fingers do to end it.
  package private(set) var exit: LockExit = []

  /// How the line is written.
  static let form = "lock for SECONDS [except PATH]... [unlock hold-corners]... [unlock taps]..."

  /// What is wrong, and at which word of the line.
  struct Problem: Error {
    let text: String
    let word: Int
  }

  /// Reads the words of a line, of which the first is `lock`.
  init(_ words: [String]) throws(Problem) {
    guard words.count > 2, words[1] == "for" else {
      throw Problem(text: "it must be \(Self.form)", word: min(1, words.count - 1))
    }
    // `30s` as `touchroute lock --for` takes it.
    let number = words[2].hasSuffix("s") ? String(words[2].dropLast()) : words[2]
    guard let seconds = Double(number), (1...86_400).contains(seconds) else {
      throw Problem(text: "it must be a number of seconds from 1 to 86400", word: 2)
    }
    milliseconds = UInt32(seconds * 1_000)
    for index in stride(from: 3, to: words.count, by: 2) {
      guard ["except", "unlock"].contains(words[index]), index + 1 < words.count else {
        throw Problem(text: "it must be \(Self.form)", word: index)
      }
      try read(words[index], words[index + 1], at: index + 1)
    }
  }

  private mutating func read(_ key: String, _ value: String, at word: Int) throws(Problem) {
    switch (key, value) {
    case ("except", _): exceptions.append(Exception(path: value, word: word))
    case (_, "hold-corners"): exit.insert(.holdCorners)
    case (_, "taps"): exit.insert(.taps)
    default:
      throw Problem(text: "\"\(value)\" is none of hold-corners, taps", word: word)
    }
  }
}
