import DaemonSupport
import Foundation
import Glibc
import TestSupport
import Testing

/// The built tool on a bus of its own, on which a program plays logind.
@Suite("touchroute idle, sleep")
struct IdleSleepTests {
  private let daemon: DaemonProcess
  private let files: TemporaryDirectory

  init() throws {
    daemon = try DaemonProcess.started(panel, arguments: DaemonProcess.withoutDevices)
    files = try TemporaryDirectory()
  }

  private var address: String { "unix:path=\(files.file("bus"))" }

  private func start(_ words: String...) throws -> RunningProgram {
    try RunningProgram(
      Command.tool, ["idle"] + words, in: files.url,
      environment: ["TOUCHROUTE_SOCKET": daemon.socket, "DBUS_SYSTEM_BUS_ADDRESS": address])
  }

  private func startBus() async throws -> RunningProgram {
    let bus = try RunningProgram(
      URL(filePath: "/usr/bin/dbus-daemon"), ["--session", "--nofork", "--address=\(address)"])
    try await wait("a bus") { FileManager.default.fileExists(atPath: files.file("bus")) }
    return bus
  }

  /// The program that plays logind.
  private func startLogind() async throws -> RunningProgram {
    let logind = try RunningProgram(
      Repository.program("fake-logind"), [],
      environment: ["DBUS_SYSTEM_BUS_ADDRESS": address])
    try await wait("logind") { logind.lines == ["ready"] }
    return logind
  }

  private func wait(_ what: String, _ condition: () throws -> Bool) async throws {
    for _ in 0..<3000 {
      if try condition() { return }
      try await Task.sleep(for: .milliseconds(10))
    }
    throw Missing("30 s and not yet: \(what)")
  }

  @Test("sleep waits for the commands before it, and the next sleep does too")
  func sleeps() async throws {
    let bus = try await startBus()
    let logind = try await startLogind()
    let idle = try start(
      "before-sleep", "echo $1; until test -e go; do sleep 0.01; done", "after-resume", "echo $1")
    for round in 1...2 {
      try await wait("it inhibits") { logind.lines.count == 2 * round }
      logind.signal(SIGUSR1)
      try await wait("before") { idle.lines.count == 2 * round - 1 }
      #expect(logind.lines.last == "inhibited sleep delay")
      try files.write("go", "")
      try await wait("it lets go") { logind.lines.count == 2 * round + 1 }
      try FileManager.default.removeItem(atPath: files.file("go"))
      logind.signal(SIGUSR2)
      try await wait("after") { idle.lines.count == 2 * round }
    }
    try await wait("it inhibits") { logind.lines.count == 6 }
    let round = ["inhibited sleep delay", "released"]
    let all: [String] = ["ready"] + round + round + ["inhibited sleep delay"]
    #expect(logind.lines == all)
    let told = ["before-sleep", "after-resume"]
    #expect(idle.lines == told + told)
    bus.kill()
    #expect(idle.finish().status == 1)
    #expect(idle.errors.contains("before-sleep and after-resume need logind: logind is no longer"))
  }

  @Test("a command that outlives the sleep that it was for does not let go of the next one")
  func outlived() async throws {
    let bus = try await startBus()
    let logind = try await startLogind()
    let idle = try start(
      "before-sleep", "echo $1; until test -e go; do sleep 0.01; done; echo over", "after-resume",
      "echo $1")
    let inhibited = ["ready", "inhibited sleep delay"]
    try await wait("it inhibits") { logind.lines == inhibited }
    logind.signal(SIGUSR1)
    try await wait("before") { idle.lines == ["before-sleep"] }
    // logind has waited long enough.
    logind.signal(SIGUSR2)
    try await wait("after") { idle.lines.last == "after-resume" }
    try files.write("go", "")
    try await wait("over") { idle.lines.last == "over" }
    try FileManager.default.removeItem(atPath: files.file("go"))
    logind.signal(SIGUSR1)
    try await wait("before again") { idle.lines.last == "before-sleep" }
    #expect(logind.lines == inhibited)
    try files.write("go", "")
    try await wait("it lets go") { logind.lines == inhibited + ["released"] }
    bus.kill()
    #expect(idle.finish().status == 1)
  }

  @Test("without logind, or without a bus, it says what is missing")
  func missing() async throws {
    let need = "touchroute: before-sleep and after-resume need logind: "
    let result = try start("before-sleep", "true").finish()
    #expect(result.status == 1)
    #expect(
      result.errors
        == need + "the system's D-Bus can't be reached: No such file or directory\n")
    let bus = try await startBus()
    let other = try start("after-resume", "true").finish()
    #expect(other.errors.hasPrefix(need + "logind does not have sleep wait: "))
    bus.kill()
  }
}
