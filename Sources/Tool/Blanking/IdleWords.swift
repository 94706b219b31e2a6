import Layout

/// The words of `touchroute idle`, of its command line or of a line of its file.
package struct IdleWords {
  private var words: ArraySlice<String>

  private static let known = [
    "timeout", "resume", "dim", "blank", "light", "off", "on", "before-sleep", "after-resume",
  ]
  /// Words of swayidle's that say something of a compositor or of a session.
  private static let foreign = ["lock", "unlock", "idlehint"]
  private static let seconds = 1.0...86_400.0

  /// Words, in order.
  package init(_ words: [String]) { self.words = words[...] }

  /// Adds what all of them say to a plan.
  package mutating func add(to plan: inout IdlePlan) throws(BlankingError) {
    while let word = words.popFirst() {
      switch word {
      case "timeout": plan.timeouts.append(try timeout())
      case "dim":
        try set(&plan.dim, word, try time(of: word))
        if let next = words.first, next.first?.isNumber == true || next.hasPrefix("-") {
          plan.percent = try percent()
        }
      case "blank": try set(&plan.blank, word, try time(of: word))
      case "light": try set(&plan.light, word, try name())
      case "off": try set(&plan.off, word, try command(of: word))
      case "on": try set(&plan.on, word, try command(of: word))
      case "before-sleep": plan.beforeSleep.append(try command(of: word))
      case "after-resume": plan.afterResume.append(try command(of: word))
      default: throw unknown(word)
      }
    }
  }

  private mutating func timeout() throws(BlankingError) -> IdlePlan.Timeout {
    let milliseconds = try time(of: "timeout")
    var timeout = IdlePlan.Timeout(
      milliseconds: milliseconds, command: try command(of: "timeout SECONDS"), resume: nil)
    if words.first == "resume" {
      words.removeFirst()
      timeout.resume = try command(of: "resume")
    }
    return timeout
  }

  private mutating func time(of word: String) throws(BlankingError) -> UInt32 {
    guard let text = words.popFirst() else {
      throw BlankingError("\(word) needs a time in seconds behind it")
    }
    guard let number = Double(text), Self.seconds.contains(number) else {
      throw BlankingError(
        "\(word) \(text): the time must be from 1 to 86400 seconds, which is a day")
    }
    return UInt32((number * 1_000).rounded())
  }

  private mutating func percent() throws(BlankingError) -> Int {
    let text = words.removeFirst()
    guard let number = Int(text), (1...99).contains(number) else {
      throw BlankingError("dim to \(text): give from 1 to 99 percent of how bright the light is")
    }
    return number
  }

  private mutating func name() throws(BlankingError) -> String {
    guard let name = words.popFirst(), !name.isEmpty, !name.contains("/"), !name.hasPrefix(".")
    else { throw BlankingError("light needs the name of a backlight behind it") }
    return name
  }

  private mutating func command(of word: String) throws(BlankingError) -> String {
    guard let command = words.popFirst(), !command.allSatisfy(\.isWhitespace) else {
      throw BlankingError("\(word) needs a command behind it")
    }
    return command
  }

  private func set<Value>(
    _ value: inout Value?, _ word: String, _ new: Value
  ) throws(BlankingError) {
    if value != nil { throw BlankingError("\(word) is given twice") }
    value = new
  }

  private func unknown(_ word: String) -> BlankingError {
    if word == "resume" { return BlankingError("resume belongs behind a timeout and its command") }
    if Self.foreign.contains(word) {
      return BlankingError(
        "\(word) is swayidle's alone: touchroute idle knows no session. It has "
          + Self.known.joined(separator: ", "))
    }
    let nearest = NearestName.nearest(to: word, among: Self.known).map { "; did you mean \($0)?" }
    return BlankingError(
      "there is no word \"\(word)\""
        + (nearest ?? ": it is one of \(Self.known.joined(separator: ", "))"))
  }
}
