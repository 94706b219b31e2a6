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
  private let stream: UnsafeMutablePointer<FILE>
  private var buffer: UnsafeMutablePointer<CChar>?
  private var capacity = 0
  private let decoder = JSONDecoder()
  /// How many bytes of the file are read: those that it has at first, as it may still grow by what
  /// is played of it.
  private var left: Int

  /// Opens a file, or standard input where it is `-`.
  package init(file: String) throws(ScriptError) {
    name = file == "-" ? "standard input" : file
    guard let stream = fopen(file == "-" ? "/dev/stdin" : file, "re") else {
      throw ScriptError("\(file) can't be opened: \(String(cString: strerror(errno)))")
    }
    self.stream = stream
    var status = stat()
    let isRegular = fstat(fileno(stream), &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    left = isRegular ? Int(status.st_size) : .max
  }

  deinit {
    fclose(stream)
    free(buffer)
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
    return (try decode(RecordHeader.self, data), try decode(RecordedLayout.self, data))
  }

  /// The next line; nil after the last whole one.
  package func next() throws(ScriptError) -> RecordLine? {
    guard let line = try nextLine() else { return nil }
    if var scanner = FrameScanner(line), let frame = scanner.frame() { return .frame(frame) }
    let data = Data(line)
    let kind = try decode(Kind.self, data).event
    switch kind {
    case "frame": return .frame(try decode(RecordedFrame.self, data))
    case "gesture": return .gesture(try decode(RecordedGestureEvent.self, data))
    case "attached": return .attached(try decode(RecordedAttachment.self, data))
    case "layout": return .layout(try decode(RecordedLayout.self, data))
    case let word where RecordedEvent.words.contains(word):
      return .event(try decode(RecordedEvent.self, data))
    default: throw failure("there is no event \"\(kind)\" in a record of version 1")
    }
  }

  private struct Format: Decodable {
    var format: String?
    var version: Int?
    var touchroute: String?
  }

  private struct Kind: Decodable {
    var event: String
  }

  /// The next line without its end; good until the next call.
  private func nextLine() throws(ScriptError) -> UnsafeBufferPointer<UInt8>? {
    guard left > 0 else { return nil }
    errno = 0
    let count = getline(&buffer, &capacity, stream)
    guard count > 0, let buffer else {
      guard ferror(stream) == 0, errno == 0 || feof(stream) != 0 else {
        throw ScriptError("\(name) can't be read: \(String(cString: strerror(errno)))")
      }
      return nil
    }
    left -= left == .max ? 0 : count
    guard left >= 0, buffer[count - 1] == 0x0a else {
      isCutOff = true
      return nil
    }
    number += 1
    return UnsafeBufferPointer(
      start: UnsafeRawPointer(buffer).assumingMemoryBound(to: UInt8.self), count: count - 1)
  }

  private func decode<Value: Decodable>(
    _ type: Value.Type, _ data: Data
  ) throws(ScriptError) -> Value {
    do { return try decoder.decode(type, from: data) } catch let error as DecodingError {
      throw failure(error.words)
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
    case .dataCorrupted(let context) where context.codingPath.isEmpty: "this is no JSON"
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
