import Foundation
import TestSupport

/// Rows of numbers from Tests/Core/SignalsTests/Tables.
enum Table {
  static func read(_ name: String) throws -> [[Double]] {
    let file = Repository.root.appending(path: "Tests/Core/SignalsTests/Tables/\(name).txt")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }
      .map { line in line.split(separator: " ").compactMap { Double($0) } }
  }
}
