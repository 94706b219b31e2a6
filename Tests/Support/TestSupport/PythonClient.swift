import Foundation

/// The Python package of the checkout, and the C library that it is a face of.
package enum PythonClient {
  /// Where the C library is, which is built if it is not current.
  package static func library() throws -> String {
    let result = try RunningProgram.run(
      Repository.root.appending(path: "scripts/libtouchroute"), [])
    guard result.status == 0 else { throw BuildFailure(description: result.errors) }
    return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// The variables by which a program in Python finds both.
  package static func variables() throws -> [String: String] {
    [
      "PYTHONPATH": Repository.root.appending(path: "clients/python").path,
      "TOUCHROUTE_LIBRARY": try library(),
    ]
  }

  private struct BuildFailure: Error, CustomStringConvertible {
    let description: String
  }
}
