import CTouchroute
import Glibc
import Layout
import TouchModel

/// A message to a client, of which a queue has to know how long it is, and how it is written.
protocol OutgoingMessage {
  /// Its bytes, header and padding included: a multiple of 8.
  var size: Int { get }

  /// Writes all of it into memory that is aligned to 8.
  func write(to start: UnsafeMutableRawPointer)
}

/// A struct of the wire, and up to four strings behind it, each padded.
struct FixedMessage<Fixed: BitwiseCopyable>: OutgoingMessage {
  private let event: touchroute_event
  private let fixed: Fixed
  private let strings: (String, String, String, String)
  let size: Int

  /// The struct's header, which is its first field, is filled in here.
  init(
    _ event: touchroute_event, _ fixed: Fixed, _ first: String = "", _ second: String = "",
    _ third: String = "", _ fourth: String = ""
  ) {
    self.event = event
    self.fixed = fixed
    strings = (first, second, third, fourth)
    size =
      MemoryLayout<Fixed>.size + padded(first.utf8.count) + padded(second.utf8.count)
      + padded(third.utf8.count) + padded(fourth.utf8.count)
  }

  func write(to start: UnsafeMutableRawPointer) {
    start.storeBytes(of: fixed, as: Fixed.self)
    start.storeBytes(of: touchroute_header(event, size: size), as: touchroute_header.self)
    _ = (start + MemoryLayout<Fixed>.size)
      .store(strings.0).store(strings.1).store(strings.2).store(strings.3)
  }
}

extension touchroute_header {
  /// That of a message from the daemon; `more` where the same frame goes on in another one.
  @inline(__always)
  init(_ event: touchroute_event, size: Int, more: Bool = false) {
    self.init(
      size: UInt32(size), opcode: UInt16(event.rawValue),
      flags: more ? UInt16(TOUCHROUTE_MORE) : 0)
  }
}

extension UnsafeMutableRawPointer {
  /// Writes a string and its zero padding, and returns where the next part goes.
  @inline(__always)
  func store(_ string: String) -> UnsafeMutableRawPointer {
    string.isEmpty ? self : store(text: string)
  }

  private func store(text string: String) -> UnsafeMutableRawPointer {
    var string = string
    return string.withUTF8 { text in
      guard let source = text.baseAddress else { return self }
      memcpy(self, source, text.count)
      let whole = padded(text.count)
      memset(self + text.count, 0, whole - text.count)
      return self + whole
    }
  }

  /// Writes a view's path of that length and its zero padding, and returns where the next part
  /// goes.
  func store(
    pathOf view: ViewIndex, _ length: Int, _ layout: Layout
  ) -> UnsafeMutableRawPointer {
    guard length > 0 else { return self }
    let end = self + padded(length)
    (end - 8).storeBytes(of: 0, as: UInt64.self)
    layout.writePath(of: view, to: UnsafeMutableRawBufferPointer(start: self, count: length))
    return end
  }
}

/// A size rounded up to the wire's alignment of 8 bytes.
@inline(__always)
func padded(_ size: Int) -> Int { (size + 7) & ~7 }

/// The longest beginning of a text that has at most `limit` bytes and is whole Unicode: what does
/// not fit into a message's field is cut.
func clipped(_ text: String, to limit: Int) -> String {
  guard text.utf8.count > limit else { return text }
  var end = text.utf8.index(text.startIndex, offsetBy: limit)
  while end > text.startIndex, end.samePosition(in: text.unicodeScalars) == nil {
    end = text.utf8.index(before: end)
  }
  return String(text[..<end])
}

/// A path as a message has it: nothing where it is longer than a path may be there.
func pathOnWire(_ path: String) -> String {
  path.utf8.count <= Int(TOUCHROUTE_MAX_PATH) ? path : ""
}
