/// Lines of the log on their way to somebody who may not read them: bounded, whole, and with those
/// that were lost counted.
///
/// A line of which a part was written is continued first. Once lines were lost, further ones are
/// too until at most half of the buffer waits; then a line says how many, where they would be.
struct LogBuffer: ~Copyable {
  private var bytes: [UInt8] = []
  /// How many of these bytes were written.
  private var written = 0
  private let capacity: Int
  /// Makes the line about so many lost ones.
  private let lossLine: @Sendable (UInt64) -> String
  /// The lines lost of which nothing was said yet.
  private var untold: UInt64 = 0
  /// The lines that were lost so far.
  private(set) var lostCount: UInt64 = 0

  init(capacity: Int, lossLine: @escaping @Sendable (UInt64) -> String) {
    self.capacity = capacity
    self.lossLine = lossLine
  }

  /// The bytes that wait.
  var count: Int { bytes.count - written }

  /// Adds lines, each with the line feed at its end, or counts them as lost where there is no
  /// capacity for all of them.
  mutating func append(_ lines: String) {
    tellLoss()
    if untold == 0, count + lines.utf8.count <= capacity {
      bytes.append(contentsOf: lines.utf8)
    } else {
      lose(Self.lineCount(lines.utf8))
    }
  }

  /// Has `write` take what waits, as far as it does.
  mutating func drain(_ write: (UnsafeRawBufferPointer) -> LogTarget.Outcome) {
    while true {
      if count == 0 {
        bytes.removeAll(keepingCapacity: true)
        written = 0
        tellLoss()
        if count == 0 { return }
      }
      let start = written
      let outcome = bytes.withUnsafeBytes { write(UnsafeRawBufferPointer(rebasing: $0[start...])) }
      switch outcome {
      case .took(let count) where count > 0: written += count
      case .took, .full: return moveUp()
      case .failed: return loseAll()
      }
    }
  }

  /// Nobody takes them: they are lost, and their memory is given back.
  private mutating func loseAll() {
    lose(Self.lineCount(bytes[written...]))
    bytes = []
    written = 0
  }

  private mutating func lose(_ lines: Int) {
    untold += UInt64(lines)
    lostCount += UInt64(lines)
  }

  private mutating func tellLoss() {
    guard untold > 0, count <= capacity / 2 else { return }
    bytes.append(contentsOf: lossLine(untold).utf8)
    untold = 0
  }

  /// What was written is dropped once it is half of what there is, so that no byte is moved often.
  private mutating func moveUp() {
    guard written > bytes.count / 2 else { return }
    bytes.removeFirst(written)
    written = 0
  }

  private static func lineCount(_ text: some Sequence<UInt8>) -> Int {
    text.reduce(0) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) }
  }
}
