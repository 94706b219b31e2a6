import TouchModel

/// Reads a file of what a touchscreen reported, line by line: evemu's (`evemu-describe`,
/// `evemu-record`), or libinput's (`libinput record`, YAML version 1), which has one event a line.
package struct DeviceFileReader {
  /// What is wrong with a line.
  package struct Problem: Error {
    /// One sentence without file and line.
    package let sentence: String

    /// A problem in a sentence.
    package init(_ sentence: String) { self.sentence = sentence }
  }

  /// The slots of contacts that are read. The kernel's drivers have some dozens at most.
  package static let slots: Range<Int32> = 0..<256

  /// As many events as are read: half an hour of ten fingers.
  private static let eventLimit = 8_000_000

  /// The device's name; empty where the file does not have it.
  package private(set) var name = ""
  /// The device's vendor.
  package private(set) var vendor: UInt16 = 0
  /// The device's product.
  package private(set) var product: UInt16 = 0
  /// The ranges of its axes, by their codes.
  package private(set) var axes: [UInt16: EvdevAxis] = [:]
  /// What it reported.
  package private(set) var events: [EvdevEvent] = []
  /// Whether a line was seen that only such a file has.
  package private(set) var isKnown = false
  private var isLibinput = false
  private var deviceCount = 0
  /// The part of libinput's file that the lines belong to.
  private var section = ""

  /// A reader that has read nothing.
  package init() {}

  /// A reader of a recording whose device another file describes.
  package init(describedBy other: DeviceFileReader) {
    self = other
    (events, isLibinput, deviceCount, section) = ([], false, 0, "")
  }

  /// Whether a file's first line is that of such a file.
  package static func begins(with line: String) -> Bool {
    line.hasPrefix("# EVEMU") || line.hasPrefix("N:") || line.hasPrefix("E:")
      || line.hasPrefix("# libinput record") || line.hasPrefix("version:")
  }

  /// Takes a line.
  package mutating func read(_ line: String) throws(Problem) {
    let text = line.drop(while: \.isWhitespace)
    guard let mark = text.first, mark != "#" else {
      isKnown = isKnown || Self.begins(with: line)
      return
    }
    if isLibinput {
      try readLibinput(text)
    } else if text.hasPrefix("version:"), events.isEmpty, deviceCount == 0 {
      let version = text.dropFirst("version:".count).prefix { $0 != "#" }.trimmingBlanks
      guard version == "1" else {
        throw Problem("this is version \(version) of libinput's recordings: 1 is read")
      }
      (isKnown, isLibinput) = (true, true)
    } else {
      try readEvemu(mark, text)
    }
  }

  private mutating func beginDevice() throws(Problem) {
    deviceCount += 1
    guard deviceCount == 1 else { throw Problem("a second device begins here: one is read") }
    isKnown = true
  }

  private mutating func append(_ event: EvdevEvent) throws(Problem) {
    guard events.count < Self.eventLimit else {
      throw Problem("a recording has at most \(Self.eventLimit) events")
    }
    isKnown = true
    events.append(event)
  }

  // MARK: - evemu

  private mutating func readEvemu(_ mark: Character, _ text: Substring) throws(Problem) {
    let words = text.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace)
    switch text.dropFirst().first == ":" ? mark : "?" {
    case "N":
      try beginDevice()
      name = text.dropFirst(2).trimmingBlanks
    case "I":
      guard words.count >= 4, let vendor = UInt16(words[2], radix: 16),
        let product = UInt16(words[3], radix: 16)
      else { throw Problem("it must be I: BUS VENDOR PRODUCT VERSION, in hexadecimal") }
      (self.vendor, self.product) = (vendor, product)
    case "A":
      let numbers = words.dropFirst(2).map { Int32($0) }
      guard (2...5).contains(numbers.count), numbers.allSatisfy({ $0 != nil }),
        let code = UInt16(words[1], radix: 16)
      else { throw Problem("it must be A: CODE MINIMUM MAXIMUM FUZZ FLAT [RESOLUTION]") }
      axes[code] = Self.axis(numbers.compactMap(\.self))
    case "E":
      guard words.count >= 5, let time = Self.time(words[1]),
        let type = UInt16(words[2], radix: 16), let code = UInt16(words[3], radix: 16),
        let value = Int32(words[4])
      else { throw Problem("it must be E: SECONDS TYPE CODE VALUE") }
      try append(EvdevEvent(time: time, type: type, code: code, value: value))
    // Properties, supported codes and switches.
    case "P", "B", "L", "S": break
    default:
      throw Problem(
        "a line of an evemu file begins with N:, I:, P:, B:, A:, L:, S: or E:, and a recording of "
          + "libinput's with version: 1; is this such a file?")
    }
  }

  /// Seconds with six decimals.
  private static func time(_ word: Substring) -> Timestamp? {
    let parts = word.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].count == 6, let seconds = UInt64(parts[0]),
      let rest = UInt64(parts[1])
    else { return nil }
    return time(seconds, rest)
  }

  private static func time(_ seconds: UInt64, _ microseconds: UInt64) -> Timestamp? {
    guard seconds < 1 << 40, microseconds < 1_000_000 else { return nil }
    return Timestamp(microseconds: seconds * 1_000_000 + microseconds)
  }

  // MARK: - libinput

  private mutating func readLibinput(_ text: Substring) throws(Problem) {
    if section == "evdev", text.hasPrefix("name:") {
      name = Self.unquoted(text.dropFirst("name:".count).trimmingBlanks)
      return
    }
    if text.hasPrefix("- node:") { try beginDevice() }
    let words = text.prefix { $0 != "#" }.trimmingBlanks
    if words.hasSuffix(":") {
      section = words.dropLast().drop { $0 == "-" || $0 == " " }.description
      return
    }
    switch section {
    case "evdev" where words.hasPrefix("- ["):
      try readLibinputEvent(words.dropFirst(2))
    case "evdev" where words.hasPrefix("id:"):
      let numbers = Self.numbers(words.dropFirst("id:".count)) ?? []
      guard numbers.count == 4, let vendor = UInt16(exactly: numbers[1]),
        let product = UInt16(exactly: numbers[2])
      else { throw Problem("it must be id: [BUS, VENDOR, PRODUCT, VERSION]") }
      (self.vendor, self.product) = (vendor, product)
    case "absinfo": try readLibinputAxis(words)
    default: break
    }
  }

  /// An axis, or the first line behind all of them.
  private mutating func readLibinputAxis(_ words: String) throws(Problem) {
    let parts = words.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, let code = UInt16(parts[0]), let list = Self.numbers(parts[1]) else {
      section = ""
      return
    }
    let numbers = list.compactMap { Int32(exactly: $0) }
    guard numbers.count == 5, list.count == 5 else {
      throw Problem("it must be CODE: [MINIMUM, MAXIMUM, FUZZ, FLAT, RESOLUTION]")
    }
    axes[code] = Self.axis(numbers)
  }

  /// An axis of at least its least and its largest value.
  private static func axis(_ numbers: [Int32]) -> EvdevAxis {
    EvdevAxis(
      minimum: Double(numbers[0]), maximum: Double(numbers[1]),
      resolution: numbers.count > 4 ? Double(numbers[4]) : 0)
  }

  private mutating func readLibinputEvent(_ text: Substring) throws(Problem) {
    let numbers = Self.numbers(text) ?? []
    guard numbers.count == 5, let seconds = UInt64(exactly: numbers[0]),
      let rest = UInt64(exactly: numbers[1]), let time = Self.time(seconds, rest),
      let type = UInt16(exactly: numbers[2]), let code = UInt16(exactly: numbers[3]),
      let value = Int32(exactly: numbers[4])
    else { throw Problem("it must be - [SECONDS, MICROSECONDS, TYPE, CODE, VALUE]") }
    try append(EvdevEvent(time: time, type: type, code: code, value: value))
  }

  /// The whole numbers of `[1, 2, 3]`.
  private static func numbers(_ text: Substring) -> [Int]? {
    let list = text.drop { $0 == " " }
    guard list.first == "[", let end = list.firstIndex(of: "]") else { return nil }
    let parts = list[..<end].dropFirst().split(separator: ",")
    let numbers = parts.compactMap { part in Int(part.filter { $0 != " " }) }
    return numbers.count == parts.count ? numbers : nil
  }

  /// A string of YAML in double quotes. libinput itself escapes nothing in it.
  private static func unquoted(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard scalars.count >= 2, scalars.first == "\"", scalars.last == "\"" else { return text }
    var unquoted = ""
    var isEscaped = false
    for scalar in scalars.dropFirst().dropLast() {
      if !isEscaped, scalar == "\\" {
        isEscaped = true
        continue
      }
      if isEscaped, scalar != "\\", scalar != "\"" { unquoted += "\\" }
      unquoted.unicodeScalars.append(scalar)
      isEscaped = false
    }
    return unquoted
  }
}

extension StringProtocol {
  /// Without the blanks before and behind it.
  fileprivate var trimmingBlanks: String {
    let start = drop(while: \.isWhitespace)
    return String(start.reversed().drop(while: \.isWhitespace).reversed())
  }
}
