import CLibevdev

/// A file of evemu's: a device's description, its events, or both.
///
/// `N:` name · `I:` bus vendor product version · `P:` and `B:` bits of properties and codes, eight
/// bytes a line · `A:` axis min max fuzz flat [resolution] · `E:` seconds type code value. `#`
/// begins a comment.
package struct EvemuRecording: Sendable {
  /// One event and when it happened.
  package struct Entry: Equatable, Sendable {
    /// Microseconds since the first event.
    package var time: UInt64
    /// The event.
    package var event: InputEvent
  }

  /// What was wrong with a file.
  package struct Malformed: Error, CustomStringConvertible {
    /// The line, from 1, and what is wrong in it.
    package var description: String
  }

  /// The device; nil where the file holds events alone.
  package private(set) var sheet: DeviceSheet?
  /// The events in order.
  package private(set) var entries: [Entry] = []

  /// Reads the text of such a file; names may hold any bytes.
  package init(_ text: [UInt8]) throws {
    var header = Header()
    var start: UInt64?
    for (index, line) in text.split(separator: UInt8(ascii: "\n")).enumerated() {
      guard line.count >= 2, line[line.startIndex + 1] == UInt8(ascii: ":") else { continue }
      let kind = line[line.startIndex]
      let rest = line.dropFirst(2)
      if kind == UInt8(ascii: "E") {
        guard let (time, event) = Self.event(rest) else {
          throw Malformed(description: "line \(index + 1): not an event")
        }
        let first = start ?? time
        start = first
        entries.append(Entry(time: time >= first ? time - first : 0, event: event))
      } else if !header.read(kind, rest) {
        throw Malformed(description: "line \(index + 1): not a line of evemu's")
      }
    }
    sheet = header.sheet
  }

  /// The events up to and with each frame mark; what comes after the last one is left out.
  package var frames: [(time: UInt64, events: [InputEvent])] {
    var frames: [(UInt64, [InputEvent])] = []
    var events: [InputEvent] = []
    for entry in entries {
      events.append(entry.event)
      guard entry.event.isReport else { continue }
      frames.append((entry.time, events))
      events = []
    }
    return frames
  }

  private static func event(_ line: ArraySlice<UInt8>) -> (UInt64, InputEvent)? {
    let words = words(line)
    guard words.count >= 4, let type = UInt16(words[1], radix: 16),
      let code = UInt16(words[2], radix: 16), let value = Int32(words[3])
    else { return nil }
    let parts = words[0].split(separator: ".")
    guard parts.count == 2, let seconds = UInt64(parts[0]), let microseconds = UInt64(parts[1])
    else { return nil }
    return (
      seconds * 1_000_000 + microseconds, InputEvent(type: type, code: code, value: value)
    )
  }

  static func words(_ line: ArraySlice<UInt8>) -> [String] {
    let bare = line.prefix { $0 != UInt8(ascii: "#") && $0 != UInt8(ascii: "\r") }
    return bare.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      .map { String(decoding: $0, as: UTF8.self) }
  }
}

/// The description as it is put together line by line.
private struct Header {
  var sheet: DeviceSheet?
  /// How many bytes of bits have been read, of properties and of each type.
  var propertyBytes: UInt32 = 0
  var codeBytes: [UInt16: UInt16] = [:]

  mutating func read(_ kind: UInt8, _ rest: ArraySlice<UInt8>) -> Bool {
    if kind == UInt8(ascii: "N") {
      var name = DeviceSheet(name: "")
      name.name = Array(rest.drop { $0 == UInt8(ascii: " ") })
      sheet = name
      return true
    }
    guard sheet != nil else { return false }
    let words = EvemuRecording.words(rest)
    switch kind {
    case UInt8(ascii: "I"):
      let ids = words.compactMap { UInt16($0, radix: 16) }
      sheet?.ids = ids
      return ids.count == 4
    case UInt8(ascii: "P"): return readProperties(words.compactMap { UInt8($0, radix: 16) })
    case UInt8(ascii: "B"): return readCodes(words.compactMap { UInt8($0, radix: 16) })
    case UInt8(ascii: "A"): return readAxis(words)
    case UInt8(ascii: "L"), UInt8(ascii: "S"): return true
    default: return false
    }
  }

  private mutating func readProperties(_ bytes: [UInt8]) -> Bool {
    for byte in bytes {
      for bit in 0..<8 where byte & (1 << bit) != 0 {
        sheet?.properties.insert(propertyBytes * 8 + UInt32(bit))
      }
      propertyBytes += 1
    }
    return !bytes.isEmpty
  }

  private mutating func readCodes(_ bytes: [UInt8]) -> Bool {
    guard let first = bytes.first else { return false }
    let type = UInt16(first)
    for byte in bytes.dropFirst() {
      let start = codeBytes[type, default: 0]
      codeBytes[type] = start + 1
      // The bits of type 0 are the types themselves; axes come with their ranges.
      guard type != UInt16(EV_SYN), type != UInt16(EV_ABS) else { continue }
      for bit in 0..<8 where byte & (1 << bit) != 0 {
        sheet?.codes[type, default: []].insert(start * 8 + UInt16(bit))
      }
    }
    return true
  }

  private mutating func readAxis(_ words: [String]) -> Bool {
    guard words.count >= 5, let code = UInt16(words[0], radix: 16) else { return false }
    let numbers = words.dropFirst().compactMap { Int32($0) }
    guard numbers.count >= 4 else { return false }
    sheet?.axes[code] = DeviceSheet.Axis(
      numbers[0], numbers[1], fuzz: numbers[2], flat: numbers[3],
      resolution: numbers.count > 4 ? numbers[4] : 0)
    return true
  }
}
