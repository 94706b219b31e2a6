import CTouchroute
import Glibc

extension OutgoingQueue {
  /// Appends one message: a fixed struct of the wire, whose header is filled in here, and up to
  /// three strings behind it, each padded. False where the queue has overflowed.
  ///
  /// - Parameter state: What it tells the state of, where only the latest counts.
  @discardableResult
  mutating func append<Fixed: BitwiseCopyable>(
    _ event: touchroute_event, _ fixed: Fixed, _ first: String = "", _ second: String = "",
    _ third: String = "", stateOf state: StateKey? = nil
  ) -> Bool {
    let trailing = padded(first.utf8.count) + padded(second.utf8.count) + padded(third.utf8.count)
    let size = MemoryLayout<Fixed>.size + trailing
    let start = if let state { append(size, stateOf: state) } else { append(size) }
    guard var end = start else { return false }
    end.storeBytes(of: fixed, as: Fixed.self)
    end.storeBytes(of: messageHeader(event, size: size), as: touchroute_header.self)
    end += MemoryLayout<Fixed>.size
    end = end.store(first)
    end = end.store(second)
    _ = end.store(third)
    return true
  }
}

/// The header of a message from the daemon; `more` where the same frame goes on in another one.
func messageHeader(_ event: touchroute_event, size: Int, more: Bool = false) -> touchroute_header {
  touchroute_header(
    size: UInt32(size), opcode: UInt16(event.rawValue), flags: more ? UInt16(TOUCHROUTE_MORE) : 0)
}

extension UnsafeMutableRawPointer {
  /// Writes a string and its zero padding, and returns where the next part goes.
  func store(_ string: String) -> UnsafeMutableRawPointer {
    var string = string
    return string.withUTF8 { text in
      guard let source = text.baseAddress, !text.isEmpty else { return self }
      memcpy(self, source, text.count)
      let whole = padded(text.count)
      memset(self + text.count, 0, whole - text.count)
      return self + whole
    }
  }
}

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
