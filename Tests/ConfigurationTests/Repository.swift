import Foundation

/// The files of this repository that configurations can be found in.
enum Repository {
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Every configuration that is shipped: all `*.toml` below config.
  static func configurations() throws -> [URL] {
    let directory = root.appending(path: "config")
    let names = try FileManager.default.subpathsOfDirectory(atPath: directory.path)
    return names.filter { $0.hasSuffix(".toml") }.sorted().map { directory.appending(path: $0) }
  }
}
