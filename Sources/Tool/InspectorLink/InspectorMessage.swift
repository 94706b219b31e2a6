/// What the two processes of `touchroute inspect` say to each other over a socket pair: touchroute,
/// which talks to the daemon, and touchroute-inspect, which talks to browsers.
package struct InspectorMessage: Equatable, Sendable {
  /// What it says, and so what its body is.
  package enum Kind: UInt8, Sendable {
    // To touchroute-inspect.
    /// Where to listen: an ``InspectorSettings``. The first message.
    case begin = 1
    /// Lines of a record, the first one first: what a browser that has come must know.
    case record
    /// A line of a record, for all browsers.
    case line
    /// The answer to a request: JSON.
    case json
    /// The answer to a request: text.
    case text
    /// Why a request is refused: a sentence.
    case refusal
    /// There is no daemon at the moment, for a browser: a sentence. A record follows once there is.
    case away

    // To touchroute.
    /// A browser has come, or has missed lines: it needs a record.
    case joined = 16
    /// A browser is gone.
    case left
    /// What a touch at a point would hit: JSON.
    case hit
    /// A drawing of a layout: JSON.
    case draw
    /// A finger of the browser's mouse: JSON.
    case input
    /// What the daemon counts; no body.
    case metrics
  }

  /// What it says.
  package let kind: Kind
  /// Which browser or which request it is about.
  package let number: UInt32
  /// What is said.
  package let body: [UInt8]

  /// A message.
  package init(_ kind: Kind, _ number: UInt32 = 0, _ body: [UInt8] = []) {
    self.kind = kind
    self.number = number
    self.body = body
  }

  /// A message of text.
  package init(_ kind: Kind, _ number: UInt32 = 0, _ text: String) {
    self.init(kind, number, Array(text.utf8))
  }

  /// The body as text.
  package var text: String { String(decoding: body, as: UTF8.self) }

  /// It as the socket carries it: the body's length and the number, in the machine's order, the
  /// kind, the body.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(body.count + 9)
    for number in [UInt32(body.count), number] {
      withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) }
    }
    bytes.append(kind.rawValue)
    bytes.append(contentsOf: body)
    return bytes
  }
}

/// Takes messages out of the bytes that a socket gives, in whatever pieces.
package struct InspectorMessageReader {
  /// The other process has sent something that is no message.
  package struct Garbled: Error {
    /// It is so.
    package init() {}
  }

  /// The longest body.
  private static let longest = 256 << 20
  private static let head = 9
  private var bytes: [UInt8] = []
  /// What is before it has been taken.
  private var start = 0

  /// Nothing was read.
  package init() {}

  /// Adds what has been read.
  package mutating func add(_ read: some Sequence<UInt8>) {
    if start > 0, start == bytes.count || start > 1 << 20 {
      bytes.removeFirst(start)
      start = 0
    }
    bytes.append(contentsOf: read)
  }

  /// The next whole message; nil where more must be read.
  package mutating func next() throws(Garbled) -> InspectorMessage? {
    guard bytes.count - start >= Self.head else { return nil }
    let length = Int(number(at: start))
    guard length <= Self.longest, let kind = InspectorMessage.Kind(rawValue: bytes[start + 8])
    else { throw Garbled() }
    let end = start + Self.head + length
    guard bytes.count >= end else { return nil }
    defer { start = end }
    return InspectorMessage(
      kind, number(at: start + 4), Array(bytes[(start + Self.head)..<end]))
  }

  private func number(at index: Int) -> UInt32 {
    bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: index, as: UInt32.self) }
  }
}
