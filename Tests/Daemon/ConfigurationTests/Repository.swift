import Foundation
import TestSupport

extension Repository {
  /// Every configuration that is shipped: all `*.toml` below config.
  static func configurations() throws -> [URL] {
    let directory = root.appending(path: "config")
    let names = try FileManager.default.subpathsOfDirectory(atPath: directory.path)
    return names.filter { $0.hasSuffix(".toml") }.sorted().map { directory.appending(path: $0) }
  }
}
