/// Takes the axes and events out of the lines of evemu's files, and of those that `libinput record`
/// writes: its YAML has one event a line.
struct DeviceFileParser {
  /// By their codes.
  private(set) var axes: [Int: PlayedRecording.Axis] = [:]
  /// Whether it has seen what such a file has.
  private(set) var isKnown = false
  private var section = ""
  private var devices = 0

  /// The event of a line; nil where the line has none.
  mutating func event(
    in line: String, number: Int
  ) throws(ScriptError) -> PlayedRecording.Event? {
    let text = line.prefix { $0 != "#" }.drop { $0 == " " }
    if text.isEmpty {
      isKnown = isKnown || line.hasPrefix("# EVEMU")
      return nil
    }
    if line.dropFirst().hasPrefix(":") { return try evemuEvent(line, number) }
    return try libinputEvent(text, number)
  }

  // MARK: - evemu

  private mutating func evemuEvent(
    _ line: String, _ number: Int
  ) throws(ScriptError) -> PlayedRecording.Event? {
    let words = line.prefix { $0 != "#" }.dropFirst(2).split { $0 == " " || $0 == "\t" }.map(
      String.init)
    switch line.first {
    case "N":
      devices += 1
      guard devices == 1 else { throw ScriptError("a second device begins here: one is played") }
      isKnown = true
    case "I", "P", "B", "L", "S": break
    case "A":
      guard words.count >= 5, let code = Int(words[0], radix: 16), let least = Int(words[1]),
        let most = Int(words[2])
      else { throw ScriptError("this is no axis of evemu's") }
      axes[code] = PlayedRecording.Axis(least: least, most: most)
    case "E":
      isKnown = true
      let time = (words.first ?? "").split(separator: ".")
      guard words.count >= 4, time.count == 2, let seconds = UInt64(time[0]), seconds < 1 << 40,
        time[1].count == 6, let microseconds = UInt64(time[1]), let type = Int(words[1], radix: 16),
        let code = Int(words[2], radix: 16), let value = Int(words[3])
      else { throw ScriptError("this is no event of evemu's") }
      return PlayedRecording.Event(
        time: seconds * 1_000_000 + microseconds, type: type, code: code, value: value,
        line: number)
    default: throw ScriptError("this is no line of evemu's")
    }
    return nil
  }

  // MARK: - libinput record

  private mutating func libinputEvent(
    _ text: Substring, _ number: Int
  ) throws(ScriptError) -> PlayedRecording.Event? {
    if text.hasPrefix("version:"), devices == 0, section != "libinput" {
      let version = text.dropFirst("version:".count).filter { $0 != " " }
      guard version == "1" else {
        throw ScriptError("this is version \(version) of libinput's recordings: 1 is read")
      }
      isKnown = true
      return nil
    }
    if text.hasPrefix("- node:") {
      devices += 1
      guard devices == 1 else { throw ScriptError("a second device begins here: one is played") }
    }
    if text.hasSuffix(":") || text.hasSuffix(": ") {
      section = String(text.filter { $0 != " " && $0 != "-" && $0 != ":" })
      return nil
    }
    switch section {
    case "absinfo":
      let parts = text.split(separator: ":", maxSplits: 1)
      let numbers = parts.count == 2 ? Self.numbers(parts[1]) : nil
      guard let numbers, numbers.count == 5, let code = Int(parts[0]) else {
        section = ""
        return nil
      }
      axes[code] = PlayedRecording.Axis(least: numbers[0], most: numbers[1])
    case "evdev" where text.hasPrefix("- ["):
      guard let numbers = Self.numbers(text.dropFirst(2)), numbers.count == 5, numbers[0] >= 0,
        numbers[1] >= 0
      else { throw ScriptError("this is no event of libinput's: five numbers are needed") }
      return PlayedRecording.Event(
        time: UInt64(numbers[0]) * 1_000_000 + UInt64(numbers[1]), type: numbers[2],
        code: numbers[3], value: numbers[4], line: number)
    default: break
    }
    return nil
  }

  /// The whole numbers of `[1, 2, 3]`.
  private static func numbers(_ text: Substring) -> [Int]? {
    let list = text.drop { $0 == " " }.prefix { $0 != "]" }
    guard list.first == "[" else { return nil }
    let parts = list.dropFirst().split(separator: ",")
    let numbers = parts.compactMap { part in Int(part.filter { $0 != " " }) }
    return numbers.count == parts.count ? numbers : nil
  }
}
