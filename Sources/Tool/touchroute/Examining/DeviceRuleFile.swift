import Glibc
import TouchInput

/// A file of conf.d with one `[[device]]`, which a command writes.
struct DeviceRuleFile {
  let path: String
  private let folder: String

  /// The file for a touchscreen.
  ///
  /// - Parameters:
  ///   - command: Whose file it is.
  ///   - configuration: The main file, which conf.d lies beside.
  init(of device: DeviceDescription, by command: String, beside configuration: String) {
    let parent = configuration.lastIndex(of: "/").map { String(configuration[...$0]) } ?? ""
    folder = "\(parent)conf.d"
    path = "\(folder)/\(command)-\(Self.name(of: device)).toml"
  }

  /// Whether it is there, and begins with that line.
  func begins(with line: String) -> Bool {
    guard let stream = fopen(path, "re") else { return false }
    defer { fclose(stream) }
    var bytes = [UInt8](repeating: 0, count: line.utf8.count + 1)
    let count = fread(&bytes, 1, bytes.count, stream)
    return count == bytes.count && bytes.elementsEqual(Array("\(line)\n".utf8))
  }

  /// Writes its lines.
  ///
  /// - Parameter replacing: Whether one that is there is replaced; else it is refused.
  func write(_ lines: [String], replacing: Bool = false) throws(Failure) {
    if mkdir(folder, 0o755) != 0, errno != EEXIST {
      throw Failure("\(folder) can't be written: \(String(cString: strerror(errno)))")
    }
    if !replacing, access(path, F_OK) == 0 {
      throw Failure("\(path) is there already: remove it, or add the lines to it")
    }
    try ReplacedFile.write(lines.map { $0 + "\n" }.joined(), to: path)
  }

  /// Letters, digits and hyphens of a touchscreen's name, or its id.
  private static func name(of device: DeviceDescription) -> String {
    let name = device.name.lowercased().map {
      $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-"
    }
    let words = String(name.prefix(60)).split(separator: "-").joined(separator: "-")
    return words.isEmpty ? device.id.split(separator: ":").joined(separator: "-") : words
  }
}
