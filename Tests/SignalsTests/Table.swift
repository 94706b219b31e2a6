import Foundation
import TestSupport

/// Rows of numbers from Tests/SignalsTests/Tables.
enum Table {
  static func read(_ name: String) throws -> [[Double]] {
    let file = Repository.root.appending(path: "Tests/SignalsTests/Tables/\(name).txt")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }
      .map { line in line.split(separator: " ").compactMap { Double($0) } }
  }
}
