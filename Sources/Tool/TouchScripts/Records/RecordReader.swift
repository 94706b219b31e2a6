import FoundationEssentials
import Glibc

/// Reads a record line by line, however long it is. docs/record.md has the schema.
package final class RecordReader {
  /// What the file is called in what is said of it.
  package let name: String
  /// The latest line's number, from 1.
  package private(set) var number = 0
  /// Whether the last line has no end: it was not written whole, and is left out.
  package private(set) var isCutOff = false
  private let descriptor: CInt
  private var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 1)
  /// The bytes of the buffer that were read and not yet handed out.
  private var filled = 0..<0
  private let decoder = JSONDecoder()
  /// A line that is longer is not of a record: a whole layout has some 300 bytes a view.
  static let lengthLimit = 256 << 20

  /// Some 285 years, in microseconds: any number up to there is exact in JSON.
  private static let latestTime: UInt64 = 1 << 53

  /// How many bytes of the file are still read: those that it has at first, as it may still grow by
  /// what is played of it.
  private var left: Int

  /// Opens a file, or standard input where it is `-`.
  package init(file: String) throws(ScriptError) {
    name = file == "-" ? "standard input" : file
    descriptor = open(file == "-" ? "/dev/stdin" : file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw ScriptError("\(file) can't be opened: \(String(cString: strerror(errno)))")
    }
    var status = stat()
    let isRegular = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    left = isRegular ? Int(status.st_size) : .max
  }

  deinit {
    close(descriptor)
    buffer.deallocate()
  }

  /// Names the latest line.
  package func failure(_ text: String) -> ScriptError {
    ScriptError("\(name):\(number): \(text)")
  }

  /// The first line, and the layout that it has.
  package func header() throws(ScriptError) -> (header: RecordHeader, layout: RecordedLayout) {
    guard let line = try nextLine() else {
      let why = isCutOff ? "its first line is not whole" : "it is empty"
      throw ScriptError("\(name) is no record: \(why)")
    }
    let data = Data(line)
    guard let known = try? decoder.decode(Format.self, from: data),
      known.format == RecordHeader.formatName, let version = known.version
    else {
      throw ScriptError(
        "\(name) is no record: its first line does not say \"format\":"
          + "\"\(RecordHeader.formatName)\"; `touchroute record` writes records")
    }
    guard version == RecordHeader.currentVersion else {
      let writer = known.touchroute ?? "of that version"
      throw ScriptError(
        "\(name) is a record of version \(version), and this touchroute reads version "
          + "\(RecordHeader.currentVersion): use touchroute \(writer)")
    }
    let header = try decode(RecordHeader.self, data)
    try check(header.time_us)
    return (header, try decode(RecordedLayout.self, data))
  }

  /// The next line; nil after the last whole one.
  package func next() throws(ScriptError) -> RecordLine? {
    guard let text = try nextLine() else { return nil }
    let line: RecordLine
    if var scanner = LineScanner(text), let quick = scanner.line() {
      line = quick
    } else {
      line = try decode(AnyLine.self, Data(text)).line
    }
    try check(line.time)
    return line
  }

  private func check(_ time: UInt64) throws(ScriptError) {
    guard time > Self.latestTime else { return }
    throw failure("time_us is \(time), and no clock has more than \(Self.latestTime)")
  }

  private struct Format: Decodable {
    var format: String?
    var version: Int?
    var touchroute: String?
  }

  private struct UnknownEvent: Error {
    let name: String
  }

  /// A line that is not the first.
  private struct AnyLine: Decodable {
    private enum Key: CodingKey {
      case event
    }

    let line: RecordLine

    init(from decoder: any Decoder) throws {
      let name = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .event)
      switch name {
      case "frame": line = .frame(try RecordedFrame(from: decoder))
      case "gesture": line = .gesture(try RecordedGestureEvent(from: decoder))
      case "attached": line = .attached(try RecordedAttachment(from: decoder))
      case "layout": line = .layout(try RecordedLayout(from: decoder))
      case let word where RecordedEvent.words.contains(word):
        line = .event(try RecordedEvent(from: decoder))
      default: throw UnknownEvent(name: name)
      }
    }
  }

  /// The next line without its end; good until the next call.
  private func nextLine() throws(ScriptError) -> UnsafeBufferPointer<UInt8>? {
    var searched = 0
    while true {
      let bytes = UnsafeRawBufferPointer(rebasing: buffer[filled])
      if let start = bytes.baseAddress, searched < bytes.count,
        let end = memchr(start + searched, 0x0a, bytes.count - searched)
      {
        let count = UnsafeRawPointer(end) - start
        filled = filled.lowerBound + count + 1..<filled.upperBound
        number += 1
        return UnsafeBufferPointer(
          start: start.assumingMemoryBound(to: UInt8.self), count: count)
      }
      searched = bytes.count
      guard searched <= Self.lengthLimit else {
        number += 1
        throw failure(
          "the line is longer than \(Self.lengthLimit >> 20) MiB, as none of a record is")
      }
      guard try readMore() else {
        isCutOff = searched > 0
        return nil
      }
    }
  }

  /// Reads on behind what is not yet handed out; whether there was more.
  private func readMore() throws(ScriptError) -> Bool {
    guard left > 0 else { return false }
    let rest = UnsafeRawBufferPointer(rebasing: buffer[filled])
    if rest.count > buffer.count / 2 {
      let larger = UnsafeMutableRawBufferPointer.allocate(
        byteCount: buffer.count * 2, alignment: 1)
      larger.copyMemory(from: rest)
      buffer.deallocate()
      buffer = larger
    } else {
      buffer.copyMemory(from: rest)
    }
    let space = UnsafeMutableRawBufferPointer(rebasing: buffer[rest.count...])
    var count = -1
    repeat {
      count = read(descriptor, space.baseAddress, min(left, space.count))
    } while count < 0 && errno == EINTR
    guard count >= 0 else {
      throw ScriptError("\(name) can't be read: \(String(cString: strerror(errno)))")
    }
    left -= left == .max ? 0 : count
    filled = 0..<rest.count + count
    return count > 0
  }

  private func decode<Value: Decodable>(
    _ type: Value.Type, _ data: Data
  ) throws(ScriptError) -> Value {
    do { return try decoder.decode(type, from: data) } catch let error as DecodingError {
      throw failure(error.words)
    } catch let unknown as UnknownEvent {
      throw failure("there is no event \"\(unknown.name)\" in a record of version 1")
    } catch { throw failure("this is no line of a record: \(error)") }
  }
}

extension DecodingError {
  /// What is wrong with what was read, in a sentence.
  var words: String {
    switch self {
    case .keyNotFound(let key, let context):
      "\(Self.place(context.codingPath))\"\(key.stringValue)\" is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      "\(Self.place(context.codingPath))the value is of another kind than it must be"
    case .dataCorrupted(let context) where context.codingPath.isEmpty:
      "this is no JSON, or a number in it is out of range"
    case .dataCorrupted(let context):
      "\(Self.place(context.codingPath))\(context.debugDescription)"
    @unknown default: "this is no line of a record"
    }
  }

  private static func place(_ path: [any CodingKey]) -> String {
    path.isEmpty
      ? ""
      : path.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".") + ": "
  }
}
