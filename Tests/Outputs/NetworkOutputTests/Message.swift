/// A message of a bundle, read from its bytes by the specification of OSC 1.0.
struct Message: Equatable {
  var word: String
  var text: String?
  var integers: [Int32] = []
  var floats: [Float] = []

  static let source = Message("source", text: "touchroute:home@table")

  init(_ word: String, _ integers: Int32..., floats: Float...) {
    self.word = word
    self.integers = integers
    self.floats = floats
  }

  init(_ word: String, text: String) {
    self.word = word
    self.text = text
  }

  /// The messages of a bundle; none where it is no bundle of TUIO's cursors.
  static func all(in bytes: [UInt8]) -> [Message] {
    var reader = Reader(bytes: bytes[...])
    guard reader.string() == "#bundle" else { return [] }
    reader.bytes = reader.bytes.dropFirst(8)
    var messages: [Message] = []
    while !reader.bytes.isEmpty {
      let size = Int(reader.integer())
      messages.append(Message(of: Reader(bytes: reader.bytes.prefix(size))))
      reader.bytes = reader.bytes.dropFirst(size)
    }
    return messages
  }

  private init(of reader: Reader) {
    var reader = reader
    word = ""
    guard reader.string() == "/tuio/2Dcur" else { return }
    for type in reader.string().dropFirst() {
      switch type {
      case "s" where word.isEmpty: word = reader.string()
      case "s": text = reader.string()
      case "i": integers.append(reader.integer())
      case "f": floats.append(Float(bitPattern: UInt32(bitPattern: reader.integer())))
      default: return
      }
    }
  }

  private struct Reader {
    var bytes: ArraySlice<UInt8>

    mutating func string() -> String {
      let text = bytes.prefix { $0 != 0 }
      bytes = bytes.dropFirst((text.count / 4 + 1) * 4)
      return String(decoding: text, as: UTF8.self)
    }

    mutating func integer() -> Int32 {
      let value = bytes.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      bytes = bytes.dropFirst(4)
      return Int32(bitPattern: value)
    }
  }
}
