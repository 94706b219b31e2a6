import NIOCore

/// A page that hears what happens, as Server-Sent Events. What it does not read in time it loses,
/// and is told so.
final class Listener {
  /// So many bytes may wait for a page, beside the record that it began with.
  static let backlog = 4 << 20

  private let connection: BrowserConnection
  /// Asks for a record; after something was lost, for one of now alone.
  private let join: (_ isAgain: Bool) -> Void
  /// Whether it has a record, to which lines can be added.
  private var isCurrent = false
  /// Whether it has asked for a record, and was not answered yet.
  private(set) var isAsking = false
  private var lost = 0

  init(_ connection: BrowserConnection, hello: String, join: @escaping (Bool) -> Void) {
    self.connection = connection
    self.join = join
    connection.beginEvents()
    send("hello", Array(hello.utf8), retry: 1000)
  }

  /// Asks for its first record.
  func begin() { ask(isAgain: false) }

  private func ask(isAgain: Bool) {
    isAsking = true
    join(isAgain)
  }

  func take(record: [UInt8]) {
    isAsking = false
    guard isReading() else { return }
    if lost > 0 {
      send("behind", Array("\(lost)".utf8))
      lost = 0
    }
    isCurrent = true
    send("record", record)
  }

  /// There is no daemon at the moment, and why.
  func take(absence: [UInt8]) {
    isAsking = false
    guard isReading() else { return }
    isCurrent = false
    send("away", absence)
  }

  func take(line: [UInt8]) {
    guard isCurrent else {
      if lost > 0 { lost += 1 }
      return
    }
    if isReading() { send(nil, line) }
  }

  /// Whether it has read enough to be told more; else it loses that.
  private func isReading() -> Bool {
    if connection.isWritable { return true }
    (isCurrent, lost) = (false, lost + 1)
    return false
  }

  /// It has read what waited.
  func resume() { if lost > 0, !isCurrent, !isAsking { ask(isAgain: true) } }

  /// - Parameter retry: How many milliseconds a page waits before it connects again.
  private func send(_ event: String?, _ text: [UInt8], retry: Int? = nil) {
    var buffer = ByteBuffer()
    buffer.reserveCapacity(text.count + 64)
    if let retry { buffer.writeString("retry: \(retry)\n") }
    if let event { buffer.writeString("event: \(event)\n") }
    for line in text.split(separator: UInt8(ascii: "\n")) {
      buffer.writeString("data: ")
      buffer.writeBytes(line)
      buffer.writeString("\n")
    }
    buffer.writeString("\n")
    connection.send(event: buffer)
  }
}
