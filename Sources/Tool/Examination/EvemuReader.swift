import TouchModel

/// Reads a file of evemu, line by line: the description of a device (`evemu-describe`), what it
/// reported (`evemu-record`), or both.
package struct EvemuReader {
  /// What is wrong with a line.
  package struct Problem: Error {
    /// One sentence without file and line.
    package let sentence: String
  }

  /// One event, as in linux/input.h.
  struct Event {
    let time: Timestamp
    let type: UInt16
    let code: UInt16
    let value: Int32
  }

  /// As many events as are read: half an hour of ten fingers.
  private static let eventLimit = 8_000_000

  private(set) var name = ""
  private(set) var vendor: UInt16 = 0
  private(set) var product: UInt16 = 0
  /// By their codes.
  private(set) var axes: [UInt16: RecordedAxis] = [:]
  private(set) var events: [Event] = []

  /// A reader that has read nothing.
  package init() {}

  /// Takes a line.
  package mutating func read(_ line: String) throws(Problem) {
    let text = line.prefix { $0 != "#" }
    guard let mark = text.first(where: { !$0.isWhitespace }) else { return }
    let words = text.split(whereSeparator: \.isWhitespace)
    switch mark {
    case "N":
      name = String(text.drop { $0 != ":" }.dropFirst()).trimmingBlanks
    case "I": try readIdentity(words)
    case "A": try readAxis(words)
    case "E": try readEvent(words)
    // Properties, supported codes and switches.
    case "P", "B", "L", "S": break
    default:
      throw Problem(
        sentence: "a line of an evemu file begins with N:, I:, P:, B:, A:, L:, S: or E:; is this "
          + "such a file?")
    }
  }

  private mutating func readIdentity(_ words: [Substring]) throws(Problem) {
    guard words.count >= 4, let vendor = UInt16(words[2], radix: 16),
      let product = UInt16(words[3], radix: 16)
    else { throw Problem(sentence: "it must be I: BUS VENDOR PRODUCT VERSION, in hexadecimal") }
    (self.vendor, self.product) = (vendor, product)
  }

  private mutating func readAxis(_ words: [Substring]) throws(Problem) {
    let numbers = words.dropFirst(2).compactMap { Double($0) }
    guard words.count >= 4, let code = UInt16(words[1], radix: 16), numbers.count >= 2 else {
      throw Problem(sentence: "it must be A: CODE MINIMUM MAXIMUM FUZZ FLAT [RESOLUTION]")
    }
    axes[code] = RecordedAxis(
      minimum: numbers[0], maximum: numbers[1], resolution: numbers.count > 4 ? numbers[4] : 0)
  }

  private mutating func readEvent(_ words: [Substring]) throws(Problem) {
    guard words.count >= 5, let time = Self.time(words[1]), let type = UInt16(words[2], radix: 16),
      let code = UInt16(words[3], radix: 16), let value = Int32(words[4])
    else { throw Problem(sentence: "it must be E: SECONDS TYPE CODE VALUE") }
    guard events.count < Self.eventLimit else {
      throw Problem(sentence: "a recording has at most \(Self.eventLimit) events")
    }
    events.append(Event(time: time, type: type, code: code, value: value))
  }

  /// Seconds with up to six decimals.
  private static func time(_ word: Substring) -> Timestamp? {
    let parts = word.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let seconds = UInt64(parts[0]), seconds < 1 << 40, parts.count == 2,
      parts[1].count == 6, let rest = UInt64(parts[1])
    else { return nil }
    return Timestamp(microseconds: seconds * 1_000_000 + rest)
  }
}

extension String {
  fileprivate var trimmingBlanks: String {
    let start = drop(while: \.isWhitespace)
    return String(start.reversed().drop(while: \.isWhitespace).reversed())
  }
}
