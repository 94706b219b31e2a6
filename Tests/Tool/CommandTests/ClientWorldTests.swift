import Foundation
import TestSupport
import Testing

/// Random programs of the client libraries against the built daemon, which is killed, stopped and
/// started at random: some worlds of Tests/Whole/ClientWorlds. `scripts/soak --clients` runs more.
@Suite("Worlds of client libraries")
struct ClientWorldTests {
  @Test(
    "while the daemon is killed and started, a request has one answer, a touch one end (T5, R9)",
    .timeLimit(.minutes(10)))
  func worlds() throws {
    let environment = ProcessInfo.processInfo.environment
    // Two worlds mostly take some 10 s.
    let count = environment["TOUCHROUTE_CLIENT_WORLDS"] ?? "2"
    let seed = environment["TOUCHROUTE_CLIENT_WORLDS_SEED"].map { ["--seed", $0] } ?? []
    let result = try RunningProgram.run(
      URL(filePath: "/usr/bin/env"),
      [
        "python3", "-B", Repository.root.appending(path: "Tests/Whole/ClientWorlds/worlds.py").path,
        Repository.program("touchrouted").deletingLastPathComponent().path, "--count", count,
      ] + seed)
    #expect(result.status == 0, "\(result.output)\n\(result.errors)")
    #expect(result.output.hasSuffix("\(count) worlds of clients, 0 failed\n"))
  }
}
