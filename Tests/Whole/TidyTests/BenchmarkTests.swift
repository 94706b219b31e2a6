import Foundation
import TestSupport
import Testing

/// What `scripts/bench` builds by itself; what of it is in Swift is built with all else.
@Suite("Benchmarks in C")
struct BenchmarkTests {
  @Test("each of them compiles without a warning", .timeLimit(.minutes(10)))
  func compile() throws {
    let sources = try SourceTree.files(below: "Benchmarks", endings: [".c"])
      .map { Repository.root.appending(path: $0.path).path }
    #expect(sources.count > 5)
    let include = Repository.root.appending(path: "Sources/Client/CTouchroute/include").path
    let script = """
      cc -std=gnu11 -fsyntax-only -Wall -Wextra -Werror -D_GNU_SOURCE -I "$0" \
        $(pkg-config --cflags libinput libevdev libudev) "$@"
      """
    let result = try RunningProgram.run(
      URL(filePath: "/bin/sh"), ["-c", script, include] + sources)
    #expect(result.status == 0, "\(result.errors)")
  }
}
