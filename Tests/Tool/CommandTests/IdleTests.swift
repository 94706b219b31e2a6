import DaemonSupport
import Foundation
import Glibc
import TestSupport
import Testing
import TouchClient
import TouchModel

/// The built tool as the blanker of a built daemon's screen, with a backlight of files.
@Suite("touchroute idle", .enabled(if: geteuid() == 0))
struct IdleTests {
  private let fingers: InjectedFingers
  private let files: TemporaryDirectory

  init() throws {
    fingers = try InjectedFingers(panel)
    files = try TemporaryDirectory()
    try files.write("lights/panel/max_brightness", "100\n")
    try files.write("lights/panel/brightness", "80\n")
  }

  private func start(_ words: String...) throws -> RunningProgram { try start(words) }

  private func start(_ words: [String]) throws -> RunningProgram {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return try RunningProgram(
      Command.tool, ["idle"] + words, in: files.url,
      environment: [
        "TOUCHROUTE_SOCKET": fingers.daemon.socket, "XDG_RUNTIME_DIR": files.path,
        "TOUCHROUTE_BACKLIGHTS": files.file("lights"), "CONTROL": fingers.daemon.controlSocket,
        "PATH": "\(Command.tool.deletingLastPathComponent().path):\(path)",
      ])
  }

  private func tap() async throws {
    try await fingers.inject(.began(Point(x: 300, y: 400)), .ended)
  }

  private var brightness: String {
    (try? String(contentsOfFile: files.file("lights/panel/brightness"), encoding: .utf8)) ?? ""
  }

  /// The state of the screen `panel`, and whose it is.
  private func state() async throws -> String {
    for case .screen(let screen) in try await fingers.control.status() where screen.name == "panel"
    {
      return "\(screen.state.map { "\($0)" } ?? "?") \(screen.blanker)"
    }
    return "none"
  }

  private func wait(_ what: String, _ condition: () async throws -> Bool) async throws {
    for _ in 0..<3000 {
      if try await condition() { return }
      try await Task.sleep(for: .milliseconds(10))
    }
    throw Missing("30 s and not yet: \(what); it is \(try await state()), \(brightness)")
  }

  @Test("commands run once nobody has touched for long enough, and once somebody does again (D7)")
  func commands() async throws {
    let idle = try start(
      "timeout", "1", "echo idle $1", "resume", "echo back $TOUCHROUTE_EVENT", "timeout", "3600",
      "echo never")
    for round in 1...2 {
      try await wait("idle") { idle.lines.count >= 2 * round - 1 }
      try await tap()
      try await wait("back") { idle.lines.count >= 2 * round }
    }
    #expect(
      idle.lines.prefix(4) == ["idle timeout", "back resume", "idle timeout", "back resume"])
    #expect(idle.errors == "" && brightness == "80\n")
  }

  @Test("a light is dimmed once nobody has touched for long enough, and full again after (D7)")
  func dim() async throws {
    let idle = try start("--screen", "panel", "dim", "1", "40", "blank", "3600")
    try await wait("it is dimmed") { brightness == "32\n" }
    // On a machine that stalls it may be dimmed again before it is looked at: then once more.
    try await wait("it is full") {
      if brightness == "32\n" { try await tap() }
      return brightness == "80\n"
    }
    #expect(idle.errors == "")
  }

  @Test("a screen goes dark, and a finger wakes it, which presses nothing (D2, D3)")
  func blank() async throws {
    let home = try TouchSession(path: fingers.daemon.socket, name: "home")
    _ = try await home.attach(to: "home")
    let idle = try start("--screen", "panel", "dim", "3000", "40", "blank", "3600")
    try await wait("it has a blanker") { try await state() == "on touchroute idle" }
    idle.signal(SIGUSR1)
    try await wait("it is off") { brightness == "0\n" }
    #expect(try await state() == "dark touchroute idle")
    try await tap()
    try await wait("it is on") { try await state() == "on touchroute idle" }
    #expect(brightness == "80\n" && idle.errors == "")
    // The guard is over before the next tap.
    try await Task.sleep(for: .milliseconds(250))
    try await fingers.inject(.began(Point(x: 310, y: 400)), .ended)
    var touches: [Double] = []
    for try await frame in home.touches {
      touches += frame.touches.map(\.location.x)
      if frame.touches.contains(where: { $0.phase == .ended }) { break }
    }
    #expect(Set(touches) == [310])
  }

  @Test("commands turn a light off after the screen is dark, and on before it is (D2, D4)")
  func commandsAsLight() async throws {
    let look = "touchroute screen --socket $CONTROL panel | cut -d ';' -f 1; echo $1"
    let idle = try start(
      "--screen", "panel", "blank", "3600", "off", "\(look) off", "on", "\(look) on")
    try await wait("it has a blanker") { try await state() == "on touchroute idle" }
    idle.signal(SIGUSR1)
    try await wait("off") { idle.lines.count == 2 }
    try await tap()
    try await wait("on") { idle.lines.count == 4 }
    try await wait("it is on") { try await state() == "on touchroute idle" }
    #expect(
      idle.lines.map { $0.replacing("panel: ", with: "") } == [
        "dark", "off off", "waking", "on on",
      ])
  }

  @Test("whatever ends it, it waits until the light is on (D2)")
  func failed() async throws {
    let idle = try start(
      "--screen", "panel", "blank", "3600", "off", "echo off; sleep 0.2", "on",
      "sleep 0.2; echo on")
    try await wait("it has a blanker") { try await state() == "on touchroute idle" }
    idle.signal(SIGUSR1)
    try await wait("off") { idle.lines == ["off"] }
    try fingers.daemon.write("[screen.door]\nsize = [800, 480]\n")
    _ = try await fingers.control.reload()
    let result = idle.finish()
    #expect(result.status == 1)
    #expect(result.errors == "touchroute: there is no screen \"panel\", only door\n")
    #expect(result.output == "off\non\n")
  }

  @Test("a light goes on, however many commands run (D2)")
  func crowd() async throws {
    let crowd = (0..<16).flatMap { _ in ["timeout", "3600", "exec sleep 60"] }
    let idle = try start(
      ["--screen", "panel", "blank", "3600", "off", "echo off", "on", "echo on"] + crowd)
    try await wait("it has a blanker") { try await state() == "on touchroute idle" }
    idle.signal(SIGUSR1)
    try await wait("off") { idle.lines == ["off"] }
    try await tap()
    try await wait("on") { idle.lines == ["off", "on"] }
    try await wait("it is on") { try await state() == "on touchroute idle" }
  }

  @Test("a signal that ends it, or two, has the light on, and runs what is to run on resume (D2)")
  func ended() async throws {
    let idle = try start(
      "--screen", "panel", "blank", "1", "timeout", "1", "echo idle", "resume",
      "sleep 0.2; echo back")
    try await wait("it is off") { brightness == "0\n" && idle.lines == ["idle"] }
    #expect(try files.url.checkResourceIsReachable())
    #expect(FileManager.default.fileExists(atPath: files.file("touchroute-light-panel")))
    idle.signal(SIGHUP)
    idle.signal(SIGTERM)
    #expect(idle.finish() == .init(status: -SIGHUP, output: "idle\nback\n", errors: ""))
    #expect(
      brightness == "80\n"
        && !FileManager.default.fileExists(
          atPath: files.file("touchroute-light-panel"))
    )
    #expect(try await state().hasPrefix("on "))
  }

  @Test(
    "killed while the light is off, it leaves a panel that wakes, and a light for the next (D5)")
  func killed() async throws {
    let first = try start("--screen", "panel", "blank", "1")
    try await wait("it is off") { brightness == "0\n" }
    first.kill()
    try await wait("it has no blanker") { try await state() == "dark " }
    try await tap()
    #expect(try await state() == "on ")
    let second = try start("--screen", "panel", "blank", "3600")
    try await wait("it is on") { brightness == "80\n" }
    try await wait("it has a blanker") { try await state() == "on touchroute idle" }
    #expect(second.errors == "")
  }

  @Test("a file that has become wrong leaves no light off that was left so (D5)")
  func wrongFile() async throws {
    let file = try files.write("idle.conf", "blank 1\n")
    let first = try start("--screen", "panel", "-C", file)
    try await wait("it is off") { brightness == "0\n" }
    _ = try files.write("idle.conf", "blank soon\n")
    // Its light is its own while it runs.
    #expect(try start("--screen", "panel", "-C", file).finish().status == 64)
    #expect(brightness == "0\n")
    first.kill()
    let second = try start("--screen", "panel", "-C", file).finish()
    #expect(second.status == 64)
    #expect(brightness == "80\n")
  }

  @Test("a daemon that dies leaves no dark panel, and the next one has its blanker again (D2)")
  func daemonDies() async throws {
    let idle = try start("--screen", "panel", "blank", "1")
    try await wait("it is off") { brightness == "0\n" }
    fingers.daemon.kill()
    try await wait("it is on") { brightness == "80\n" }
    try fingers.restart()
    try await wait("it is off again") { brightness == "0\n" }
    #expect(try await state() == "dark touchroute idle")
    #expect(idle.errors == "")
  }

  @Test("SIGUSR1 makes it idle, whatever its times are (D7)")
  func hurried() async throws {
    let idle = try start(
      "--screen", "panel", "timeout", "3600", "echo idle", "resume", "echo back", "blank", "3600")
    try await wait("it has a blanker") { try await state() == "on touchroute idle" }
    idle.signal(SIGUSR1)
    try await wait("it is off") { brightness == "0\n" && idle.lines == ["idle"] }
    try await tap()
    try await wait("it is back") { brightness == "80\n" && idle.lines == ["idle", "back"] }
    try await wait("it is on") { try await state() == "on touchroute idle" }
  }

  @Test("an administrator's dark and on turn the light (D2)")
  func administrator() async throws {
    let idle = try start("--screen", "panel", "blank", "3600")
    try await wait("it has a blanker") { try await state() == "on touchroute idle" }
    for (word, light) in [("dark", "0\n"), ("on", "80\n")] {
      let result = try Command.run(
        ["screen", "--socket", fingers.daemon.controlSocket, "panel", word])
      #expect(result.status == 0, "\(result.errors)")
      try await wait(word) { brightness == light }
    }
    #expect(idle.errors == "")
  }

  @Test("a second one is refused before it touches a light that the first has dimmed")
  func second() async throws {
    let first = try start("--screen", "panel", "dim", "1", "40", "blank", "3600")
    try await wait("it is dimmed") { brightness == "32\n" }
    let second = try start("--screen", "panel", "blank", "60").finish()
    #expect(second.status == 1)
    #expect(second.errors.contains("another touchroute idle turns that light off and on ("))
    #expect(brightness == "32\n" && first.isRunning && first.errors == "")
    first.kill()
    // The lock went with the process, and the next one restores the light.
    let third = try start("--screen", "panel", "blank", "3600")
    try await wait("it is full") { brightness == "80\n" }
    #expect(third.errors == "")
  }

  @Test("what can't be is said in a sentence that says what to do, and the light stays as it is")
  func refused() async throws {
    func sentence(_ words: String...) throws -> String {
      let program = try start(words)
      let result = program.finish()
      #expect(result.status == 1 && result.output == "")
      return result.errors.replacing(files.path, with: "").replacing("touchroute: ", with: "")
    }
    #expect(
      try sentence("blank", "60") == "there are 2 screens, panel, door: name one with --screen\n")
    #expect(
      try sentence("--screen", "pannel", "timeout", "9", "true")
        == "there is no screen \"pannel\", only panel, door\n")
    let idle = try start("--screen", "panel", "blank", "3600")
    try await wait("it has a blanker") { try await state() == "on touchroute idle" }
    #expect(
      try sentence("--screen", "panel", "blank", "60", "off", "true", "on", "true").hasPrefix(
        "set_screen: the blanker of screen \"panel\" is pid \(idle.identifier) (touchroute idle)"))
    #expect(
      try sentence("--screen", "panel", "blank", "60", "light", "acpi")
        == "there is no backlight \"acpi\" in /lights, only panel\n")
    try files.write("lights/acpi/max_brightness", "10\n")
    #expect(
      try sentence("--screen", "panel", "blank", "60")
        == "there are 2 backlights in /lights, acpi, panel: name one, as in light acpi\n")
    #expect(
      try sentence("--screen", "panel", "blank", "60", "light", "acpi").hasPrefix(
        "/lights/acpi/brightness can't be written: No such file or directory. Run this as root"))
    try FileManager.default.removeItem(atPath: files.file("lights"))
    #expect(
      try sentence("--screen", "panel", "blank", "60")
        == "there is no backlight in /lights: say which commands turn the light off and on, as in "
        + "off 'vbetool dpms off' on 'vbetool dpms on'\n")
  }

  @Test("a file has the same words; its mistakes are told by their lines, with status 64")
  func file() async throws {
    let name = try files.write("idle.conf", "# The hall.\ntimeout 1 'echo \"it is idle\"'\n")
    let idle = try start("-C", name)
    try await wait("idle") { idle.lines == ["it is idle"] }
    try files.write("idle.conf", "timeout 1 true\nblank 0\nlock x\n")
    let result = try Command.run(["idle", "-C", name])
    #expect(result.status == 64)
    #expect(
      result.errors.hasPrefix(
        "touchroute: \(name):2: blank 0: the time must be from 1 to 86400 seconds, which is a day\n"
          + "\(name):3: lock is swayidle's alone"))
    let missing = try Command.run(["idle", "-C", files.file("none")])
    #expect(missing.errors.contains("none can't be read: No such file or directory"))
  }

  @Test("without a daemon it says so, and waits for it")
  func noDaemon() async throws {
    fingers.daemon.kill()
    let idle = try start("timeout", "1", "echo idle")
    try await wait("it says so") {
      idle.errors == "touchroute: no touchrouted answers: waiting for it\n"
    }
    try fingers.restart()
    try await wait("idle") { idle.lines == ["idle"] }
  }
}
