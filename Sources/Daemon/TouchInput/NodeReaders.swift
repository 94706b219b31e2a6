import CLinux
import Glibc
import TouchModel

/// A program that has a device's node open.
package struct NodeReader: Equatable, Sendable {
  /// Its process.
  package var pid: Int32
  /// What the kernel calls the process, as it can be printed.
  package var name: String
  /// Whether it is the daemon, by the file that it runs.
  package var isDaemon: Bool
}

/// Who has which event node open, as `/proc` tells root.
struct NodeReaders {
  /// The nodes' readers, by the node.
  private let readers: [String: [NodeReader]]

  /// Looks at every process but this one. One that belongs to somebody else only root sees.
  init() {
    var readers: [String: [NodeReader]] = [:]
    for entry in Self.entries(of: "/proc") {
      guard let pid = Int32(entry), pid != getpid() else { continue }
      let nodes = Self.nodes(of: pid)
      guard !nodes.isEmpty else { continue }
      let reader = NodeReader(
        pid: pid, name: Self.name(of: pid),
        isDaemon: Self.target(of: "/proc/\(pid)/exe")?.hasSuffix("/touchrouted") ?? false)
      for node in nodes { readers[node, default: []].append(reader) }
    }
    self.readers = readers
  }

  /// Those of one node, by their numbers.
  func of(_ node: String) -> [NodeReader] { (readers[node] ?? []).sorted { $0.pid < $1.pid } }

  /// The event nodes that a process has open.
  private static func nodes(of pid: Int32) -> Set<String> {
    let folder = "/proc/\(pid)/fd"
    let targets = entries(of: folder).compactMap { target(of: "\(folder)/\($0)") }
    return Set(targets.filter { $0.hasPrefix("/dev/input/event") })
  }

  private static func name(of pid: Int32) -> String {
    let descriptor = open("/proc/\(pid)/comm", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "?" }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &bytes, bytes.count)
    let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    return (text.last == "\n" ? String(text.dropLast()) : text).printable()
  }

  private static func target(of link: String) -> String? {
    var bytes = [CChar](repeating: 0, count: 256)
    let count = readlink(link, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// The names in a folder; none where it can't be read.
  private static func entries(of folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      names.append(
        withUnsafeBytes(of: &entry.pointee.d_name) {
          String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        })
    }
    return names
  }
}
