import Foundation

/// A vector of Vectors/make.py: what the daemon sends, what the client has to say, and what it has
/// to make of it.
struct Vector: CustomStringConvertible, Sendable {
  /// One step of the script.
  enum Step: Equatable, Sendable {
    /// The daemon sends so many more of its bytes.
    case send(Int)
    /// The program makes a request and gets the serial.
    case call([String], serial: UInt32)
    /// The program is told: the lines of the event, joined.
    case event(String)
    /// Dispatching ends the connection.
    case end(String)
  }

  /// Its file's name.
  var name: String
  /// What the daemon sends.
  var bytes: [UInt8]
  /// What the client has to send, hello first.
  var requests: [UInt8]
  /// The script.
  var steps: [Step]

  var description: String { name }

  /// The folder of the vectors.
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Vectors")

  /// Every vector, by name.
  static let all: [Vector] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return files.filter { $0.hasSuffix(".txt") }.sorted().compactMap {
      try? Vector(name: String($0.dropLast(4)))
    }
  }()

  /// The vector of that name.
  init(name: String) throws {
    self.name = name
    let file = Vector.folder.appendingPathComponent(name)
    bytes = Array(try Data(contentsOf: file.appendingPathExtension("bin")))
    requests = Array(try Data(contentsOf: file.appendingPathExtension("requests.bin")))
    let script = try String(contentsOf: file.appendingPathExtension("txt"), encoding: .utf8)
    steps = []
    for line in script.split(separator: "\n").map(String.init) where !line.hasPrefix("#") {
      if line.hasPrefix("  "), case .event(let text) = steps.last {
        steps[steps.count - 1] = .event(text + "\n" + line)
        continue
      }
      let words = line.split(separator: " ").map(String.init)
      switch words[0] {
      case "send": steps.append(.send(Int(words[1]) ?? -1))
      case "call":
        steps.append(
          .call(Array(words[1..<(words.count - 2)]), serial: UInt32(words[words.count - 1]) ?? 0))
      case "event": steps.append(.event(String(line.dropFirst("event ".count))))
      case "end": steps.append(.end(words[1]))
      default: throw CocoaError(.fileReadCorruptFile)
      }
    }
  }
}
