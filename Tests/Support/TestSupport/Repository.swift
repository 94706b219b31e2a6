package import Foundation

/// The checkout that the tests were built from, and the programs that were built with them.
package enum Repository {
  /// The folder of Package.swift.
  package static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// What Debian calls this machine in the paths of libraries and of their headers.
  #if arch(arm64)
    package static let machine = "aarch64-linux-gnu"
  #else
    package static let machine = "x86_64-linux-gnu"
  #endif

  /// A program of the package; it lies beside the test bundle.
  package static func program(_ name: String) -> URL {
    URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appending(path: name)
  }
}
