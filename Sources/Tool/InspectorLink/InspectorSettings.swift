/// Where touchroute-inspect listens, and what it shows.
package struct InspectorSettings: Equatable, Sendable {
  /// Where browsers connect.
  package enum Place: Equatable, Sendable {
    /// A port of 127.0.0.1; 0 for any that is free.
    case port(UInt16)
    /// A Unix socket of this path.
    case socket(String)
  }

  /// Where browsers connect.
  package var place: Place
  /// The record that is shown; nil for the running daemon.
  package var file: String?
  /// Whether the browser's mouse may be a finger.
  package var allowsInput: Bool

  /// Settings.
  package init(place: Place, file: String?, allowsInput: Bool) {
    self.place = place
    self.file = file
    self.allowsInput = allowsInput
  }

  private static let separator: UInt8 = 0

  /// They as the body of a message.
  package var body: [UInt8] {
    var words: [String]
    switch place {
    case .port(let port): words = ["port", "\(port)"]
    case .socket(let path): words = ["socket", path]
    }
    words += [allowsInput ? "input" : "", file ?? ""]
    return Array(words.map { Array($0.utf8) }.joined(separator: [Self.separator]))
  }

  /// The settings of such a body; nil where it is none.
  package init?(body: [UInt8]) {
    let words = body.split(separator: Self.separator, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard words.count == 4 else { return nil }
    switch words[0] {
    case "port":
      guard let port = UInt16(words[1]) else { return nil }
      place = .port(port)
    case "socket": place = .socket(words[1])
    default: return nil
    }
    allowsInput = words[2] == "input"
    file = words[3].isEmpty ? nil : words[3]
  }
}
