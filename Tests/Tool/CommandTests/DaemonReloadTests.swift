import DaemonSupport
import Foundation
import Glibc
import TestSupport
import Testing
import TouchClient
import TouchModel

@Suite("Daemon, reloading")
struct DaemonReloadTests {
  private static func configuration(_ width: Int, extra: String = "") -> String {
    """
    [screen.panel]
    size = [800, 480]
    [[window]]
    name = "home"
    frame = [0, 0, \(width), 480]
    [[window]]
    name = "old"
    \(extra)

    """
  }

  private static let withoutOld = """
    [screen.panel]
    size = [800, 480]
    [[window]]
    name = "home"
    frame = [0, 0, 400, 480]
    [[window]]
    name = "nav"

    """

  /// What the service manager is told from the beginning of a reload to its end.
  private static func notifications(of daemon: DaemonProcess) throws -> [String] {
    try daemon.wait(for: "RELOADING=1")
    var states: [String] = []
    while states.last?.contains("READY=1") != true { states.append(try daemon.wait(for: "=1")) }
    return states
  }

  @Test("files that say what they said change nothing, and each reload has its end")
  func unchanged() throws {
    let daemon = try DaemonProcess.started(Self.configuration(800))
    let control = try DaemonClient(daemon.controlSocket)
    _ = try control.connection.reload()
    #expect(try control.next(\.completion).text == "nothing changed")
    #expect(try Self.notifications(of: daemon).count == 1)
    try daemon.directory.write("touchroute.toml", Self.configuration(700))
    _ = try control.connection.reload()
    #expect(try control.next(\.completion).text == "window \"home\" changed")
    #expect(try Self.notifications(of: daemon).count == 1)
    // A file that is refused is not taken for the one in force.
    try daemon.directory.write("touchroute.toml", "nonsense")
    _ = try control.connection.reload()
    _ = try control.next(\.failure)
    try daemon.directory.write("touchroute.toml", Self.configuration(700))
    _ = try control.connection.reload()
    #expect(try control.next(\.completion).text == "nothing changed")
  }

  @Test("what is likely not meant is warned of in the log, at the start and with a reload")
  func warnings() throws {
    let daemon = try DaemonProcess.started(Self.configuration(0))
    let large =
      "warning: window \"home\": frame: it is 0 by 480 points large, so no touch can hit it"
    try daemon.waitForLog("touchroute.toml:5:9: \(large)")
    try daemon.directory.write("touchroute.toml", Self.configuration(0, extra: "secure = true"))
    let control = try DaemonClient(daemon.controlSocket)
    _ = try control.connection.reload()
    #expect(try control.next(\.completion).text == "window \"old\" changed")
    try daemon.waitForLog("warning: window \"old\": secure: no [[access]] rule is about it")
  }

  @Test("a valid configuration is applied whole, and the answer says what changed (L6, R8)")
  func good() throws {
    let daemon = try DaemonProcess.started(Self.configuration(800))
    let home = try DaemonClient(daemon.socket)
    _ = try home.connection.attach(to: "home")
    let before = try home.next(\.geometry)
    let old = try DaemonClient(daemon.socket)
    _ = try old.connection.attach(to: "old")
    _ = try old.next(\.geometry)
    let control = try DaemonClient(daemon.controlSocket)

    try daemon.directory.write("touchroute.toml", Self.withoutOld)
    _ = try control.connection.reload()
    let done = try control.next(\.completion)
    #expect(done.text == "window \"nav\" added; window \"old\" removed; window \"home\" changed")
    #expect(done.generation == before.generation + 1)
    let after = try home.next(\.newLayout)
    #expect(after.frame.width == 400)
    #expect(after.generation == done.generation)
    #expect(try old.next(\.detachment).reason == .removed)
    try daemon.wait(for: "RELOADING=1\nMONOTONIC_USEC=")
    try daemon.wait(for: "READY=1")

    // The same again is nothing new.
    _ = try control.connection.reload()
    #expect(try control.next(\.completion).text == "nothing changed")
    #expect(home.pending().isEmpty)
  }

  @Test("an invalid one changes nothing, and every error is in the answer and in the log (L6)")
  func bad() throws {
    let daemon = try DaemonProcess.started(Self.configuration(800))
    let control = try DaemonClient(daemon.controlSocket)
    _ = try control.connection.attach(to: "home")
    _ = try control.next(\.geometry)
    try daemon.directory.write(
      "touchroute.toml", Self.configuration(800, extra: "colour = 3\nlevel = \"high\""))
    _ = try control.connection.reload()
    let failure = try control.next(\.failure)
    #expect(failure.code == .invalid)
    let lines = failure.text.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.first?.hasPrefix("\(daemon.configuration):8:1: ") == true)
    for line in lines { #expect(daemon.log.contains(line)) }
    #expect(lines.last?.hasSuffix(" stays in force") == true)
    _ = try control.connection.attach(to: "old")
    _ = try control.next(\.geometry)
  }

  @Test("SIGHUP reloads too: a good configuration is put in force, a bad one is not")
  func hangUp() throws {
    let daemon = try DaemonProcess.started(Self.configuration(800))
    let home = try DaemonClient(daemon.socket)
    _ = try home.connection.attach(to: "home")
    _ = try home.next(\.geometry)
    try daemon.directory.write("touchroute.toml", Self.configuration(640))
    kill(daemon.pid, SIGHUP)
    #expect(try home.next(\.newLayout).frame.width == 640)
    try daemon.waitForLog("the configuration was reloaded: window \"home\" changed")
    try daemon.directory.write("touchroute.toml", "[screen")
    kill(daemon.pid, SIGHUP)
    try daemon.waitForLog("the configuration was not reloaded")
    unlink(daemon.configuration)
    kill(daemon.pid, SIGHUP)
    try daemon.waitForLog("\(daemon.configuration): there is no such file")
    let ping = try home.connection.ping()
    _ = try home.next { $0 == .pong(ping) ? true : nil }
  }

  @Test("other screens are told to clients before the layouts that count them")
  func screens() throws {
    let daemon = try DaemonProcess.started(Self.configuration(800))
    let home = try DaemonClient(daemon.socket)
    _ = try home.connection.attach(to: "home")
    _ = try home.next(\.geometry)
    let screen = "[screen.aux]\nsize = [100, 100]\n"
    let text =
      screen
      + Self.configuration(700).replacing(
        "name = \"home\"", with: "name = \"home\"\nscreen = \"panel\"")
    try daemon.directory.write("touchroute.toml", text)
    kill(daemon.pid, SIGHUP)
    var order: [String] = []
    let layout = try home.next { event -> AttachmentGeometry? in
      if let welcome = event.greeting { order += welcome.screens.map(\.name) }
      return event.newLayout
    }
    #expect(order.sorted() == ["aux", "panel"])
    #expect(layout.screen.map { order[Int($0)] } == "panel")
  }
}
