import Foundation
import Glibc
import Testing
import TouchClient

extension ServiceTests {
  @Suite("Passed descriptors")
  struct DescriptorTests {
    @Test("Who passes descriptors that wait to be closed delays neither programs nor systemd (F1)")
    func lingering() throws {
      try Machine.start(panels)
      let mark = try Machine.mark()
      let daemon = try Machine.daemon()
      let program = try Program("left")
      let source = Bundle.module.path(forResource: "Programs/pass_descriptors", ofType: "py")
      let script = try #require(source)
      let hostile = Process()
      hostile.executableURL = URL(filePath: "/bin/sh")
      hostile.arguments = [
        "-c",
        "echo \(daemon) | exec python3 -B '\(script)' /run/touchroute/touchroute.sock 120",
      ]
      try hostile.run()
      // Not without a pause, which would take the one processor from who is hostile.
      while hostile.isRunning {
        try program.ping()
        usleep(10_000)
      }
      // 2: the kernel refuses them, which has then been tried.
      #expect([0, 2].contains(hostile.terminationStatus))
      if hostile.terminationStatus == 0 {
        try Machine.wait(forLog: "a descriptor was passed", since: mark)
      }
      #expect(try Machine.daemon() == daemon)
      try Machine.run("systemctl restart \(Machine.unit)")
      try program.ping()
    }
  }
}
