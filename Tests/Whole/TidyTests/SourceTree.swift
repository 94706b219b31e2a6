import Foundation
import TestSupport

/// One file of the checkout, as lines.
struct SourceFile {
  /// The path from the checkout's root.
  let path: String
  /// The lines, without their ends.
  let lines: [String]

  /// The lines with strings' contents and line comments taken out, so that words in prose are no
  /// code.
  var code: [String] { lines.map(Self.withoutProse) }

  private static func withoutProse(_ line: String) -> String {
    let (quote, escape, slash) = (UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"))
    var result: [UInt8] = []
    var inString = false
    var previous: UInt8 = 0
    for byte in line.utf8 {
      if byte == quote, previous != escape {
        inString.toggle()
        result.append(byte)
      } else if !inString {
        if byte == slash, previous == slash {
          result.removeLast()
          break
        }
        result.append(byte)
      }
      previous = byte
    }
    return String(decoding: result, as: UTF8.self)
  }
}

/// The checkout that these tests were built from.
enum SourceTree {
  /// The files below a folder with one of the endings, in order of their paths.
  static func files(below folder: String, endings: [String]) throws -> [SourceFile] {
    let base = Repository.root.appendingPathComponent(folder)
    guard let walk = FileManager.default.enumerator(atPath: base.path) else { return [] }
    return
      try walk
      .compactMap { $0 as? String }
      .filter { name in endings.contains { name.hasSuffix($0) } && !name.contains(".build/") }
      .sorted()
      .map { try file("\(folder)/\($0)") }
  }

  /// The file of a path from the checkout's root.
  static func file(_ path: String) throws -> SourceFile {
    let text = try String(contentsOf: Repository.root.appendingPathComponent(path), encoding: .utf8)
    return SourceFile(
      path: path,
      lines: text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
  }

  static func swiftSources() throws -> [SourceFile] {
    try files(below: "Sources", endings: [".swift"])
  }

  static func swiftEverywhere() throws -> [SourceFile] {
    try swiftSources() + files(below: "Tests", endings: [".swift"])
  }
}
