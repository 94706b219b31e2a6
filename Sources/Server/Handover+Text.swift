import Routing
import TouchModel

/// The text: a line that says what it is, one of numbers, one for each change of the layout, and
/// one for each client, which those of its attachments follow.
extension Handover {
  private static let title = "touchroute handover 1"

  /// All of it.
  public var text: String {
    var lines = [
      Self.title,
      "numbers \(nextTouch) \(numbers.sequence) \(numbers.attachment) \(numbers.generation)",
    ]
    for change in changes {
      let values = change.property.values.map { " \($0)" }.joined()
      lines.append("set \(change.path) \(change.property.name)\(values)")
    }
    for client in clients {
      lines.append(
        "client \(client.cookie) \(client.socket.rawValue) \(client.version) "
          + "\(client.isObserver ? 1 : 0) \(hexadecimal(client.received)) \(client.sent) "
          + "\(hexadecimal(client.unsent)) \(hexadecimal(Array(client.name.utf8)))")
      for hold in client.attachments {
        lines.append(
          "attachment \(hold.id.rawValue) \(hold.request.handles.rawValue) "
            + "\(hold.request.passes.rawValue) \(hold.request.wantsHistory ? 1 : 0) "
            + hold.request.path)
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Reads the text; nil where it is of another version, or no such text.
  public init?(text: String) {
    var lines = text.split(separator: "\n")[...]
    guard lines.popFirst() == Self.title[...], let first = lines.popFirst(),
      let numbers = Fields(first, kind: "numbers", count: 4), let touch = numbers[0, UInt64.self],
      let sequence = numbers[1, UInt64.self], let attachment = numbers[2, UInt32.self],
      let generation = numbers[3, UInt32.self]
    else { return nil }
    self.init(
      nextTouch: touch,
      numbers: Router.Numbers(
        sequence: sequence, attachment: attachment, generation: generation))
    for line in lines {
      if let fields = Fields(line, kind: "client", count: 8), let client = Client(fields) {
        clients.append(client)
      } else if let fields = Fields(line, kind: "attachment", count: 5), !clients.isEmpty,
        let hold = Hold(fields)
      {
        clients[clients.count - 1].attachments.append(hold)
      } else if let change = ViewChange(line: line) {
        changes.append(change)
      } else {
        return nil
      }
    }
  }
}

/// The words of a line after the first, which says of what it is.
private struct Fields {
  let words: [Substring]

  init?(_ line: Substring, kind: String, count: Int) {
    let words = line.split(separator: " ")
    guard words.count == count + 1, words[0] == kind[...] else { return nil }
    self.words = Array(words.dropFirst())
  }

  subscript<Number: FixedWidthInteger>(index: Int, type: Number.Type) -> Number? {
    Number(words[index])
  }

  /// The bytes that `hexadecimal(_:)` wrote.
  func bytes(_ index: Int) -> [UInt8]? {
    let digits = Array(words[index].utf8)
    if digits == [UInt8(ascii: "-")] { return [] }
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    for place in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digit(digits[place]), let low = digit(digits[place + 1]) else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private func digit(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}

private func hexadecimal(_ bytes: [UInt8]) -> String {
  if bytes.isEmpty { return "-" }
  let digits = Array("0123456789abcdef".utf8)
  var text: [UInt8] = []
  text.reserveCapacity(bytes.count * 2)
  for byte in bytes {
    text.append(digits[Int(byte >> 4)])
    text.append(digits[Int(byte & 15)])
  }
  return String(decoding: text, as: UTF8.self)
}

extension Handover.Client {
  fileprivate init?(_ fields: Fields) {
    guard let cookie = fields[0, UInt64.self],
      let socket = SocketKind(rawValue: String(fields.words[1])),
      let version = fields[2, UInt32.self], let observer = fields[3, UInt8.self], observer <= 1,
      let received = fields.bytes(4), received.count <= RequestDecoder.capacity,
      let sent = fields[5, Int.self], let unsent = fields.bytes(6), (0...unsent.count) ~= sent,
      let name = fields.bytes(7), name.isEmpty == (version == 0)
    else { return nil }
    self.init(
      cookie: cookie, socket: socket, name: String(decoding: name, as: UTF8.self),
      version: version, isObserver: observer == 1, received: received, unsent: unsent, sent: sent)
  }
}

extension Handover.Hold {
  fileprivate init?(_ fields: Fields) {
    guard let id = fields[0, UInt32.self], let handles = fields[1, UInt16.self],
      let passes = fields[2, UInt16.self], let history = fields[3, UInt8.self], history <= 1
    else { return nil }
    self.init(
      id: AttachmentID(id),
      request: AttachRequest(
        path: String(fields.words[4]), handles: TouchPhases(rawValue: handles),
        passes: TouchPhases(rawValue: passes), wantsHistory: history == 1))
  }
}

extension ViewChange {
  fileprivate init?(line: Substring) {
    let words = line.split(separator: " ")
    guard words.count > 3, words[0] == "set",
      let kind = Property.Kind.allCases.first(where: { $0.name == words[2] }),
      case let values = words[3...].compactMap({ Double($0) }), values.count == words.count - 3,
      let property = try? Property(kind, values)
    else { return nil }
    self.init(String(words[1]), property)
  }
}
