import Foundation
import Testing
import TouchClient

extension ServiceTests {
  @Suite("Its removal")
  struct RemovalTests {
    @Test("What is removed leaves its configuration, and nothing that runs")
    func removal() throws {
      try Machine.start(panels)
      let program = try Program("left", options: [])
      try Machine.run("dpkg --remove touchroute-mqtt touchroute")
      #expect(throws: (any Error).self) { try program.ping() }
      let files = FileManager.default
      #expect(!files.fileExists(atPath: "/run/touchroute/touchroute.sock"))
      #expect(!files.fileExists(atPath: Machine.program))
      #expect(files.fileExists(atPath: Machine.configuration))
      #expect(try Machine.result(of: "pgrep -x touchrouted").status == 1)
    }
  }
}
