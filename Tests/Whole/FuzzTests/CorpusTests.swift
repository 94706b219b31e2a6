import Foundation
import TestSupport
import Testing

/// The inputs in Corpora, and the vectors, as `scripts/fuzz` begins with them. What a fuzzer has
/// found is among them, once it is fixed.
@Suite("Corpora")
struct CorpusTests {
  private static let tests = Repository.root.appending(path: "Tests")

  private static func inputs(in folder: String, ending: String = "") throws -> [URL] {
    try FileManager.default
      .contentsOfDirectory(at: tests.appending(path: folder), includingPropertiesForKeys: nil)
      .filter { $0.path.hasSuffix(ending) }
      .sorted { $0.path < $1.path }
  }

  @Test("no input does what none may do (F1, F4, T5)", arguments: FuzzTarget.allCases)
  func corpus(of target: FuzzTarget) throws {
    var inputs = try Self.inputs(in: "Whole/FuzzTests/Corpora/\(target.rawValue)")
    if target == .client {
      inputs += try Self.inputs(in: "Client/TouchClientTests/Vectors", ending: ".bin")
    }
    #expect(!inputs.isEmpty)
    for input in inputs {
      do { try target.run([UInt8](Data(contentsOf: input))) } catch {
        Issue.record("\(input.path): \(error)")
      }
    }
  }
}
