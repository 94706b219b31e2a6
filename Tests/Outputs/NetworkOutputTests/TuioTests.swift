import DaemonSupport
import Foundation
import TestSupport
import Testing
import TouchClient
import TouchModel

/// `touchroute output tuio` with the built daemon and injected fingers, and who receives it.
@Suite("touchroute output tuio", .serialized)
struct TuioTests {
  private let fingers: InjectedFingers

  init() throws {
    fingers = try InjectedFingers(rightHalf)
  }

  private func output(
    _ arguments: String..., telling manager: NotifySocket? = nil
  ) throws -> RunningProgram {
    try RunningProgram(
      Repository.program("touchroute"), ["output", "tuio"] + arguments,
      environment: [
        "TOUCHROUTE_SOCKET": fingers.daemon.socket, "NOTIFY_SOCKET": manager?.path ?? "",
      ])
  }

  @Test(
    "a receiver hears of a finger, where it is in the window, and of its end",
    .timeLimit(.minutes(10)))
  func cursors() async throws {
    let receiver = try UDPReceiver()
    let output = try output("home", "--to", "127.0.0.1:\(receiver.port)", "--source", "table")
    try await fingers.waitForHolder()
    try await fingers.inject(.began(Point(x: 500, y: 120)), .moved(Point(x: 900, y: 240)), .ended)
    let bundles = try receiver.wait { $0.last?.alive == [] && $0.contains { $0.alive == [1] } }
    let places = bundles.filter { $0.frame > 0 }.flatMap(\.cursors).map { $0.floats.prefix(2) }
    #expect(places == [[0.25, 0.25], [1, 0.5]])
    #expect(bundles.allSatisfy { $0.source.hasPrefix("table@") })
    #expect(bundles.map(\.frame).filter { $0 > 0 } == [1, 2, 3])
    output.signal(SIGTERM)
    #expect(output.finish().status == 0)
  }

  @Test(
    "all is said again each second, so that a lost datagram leaves no finger",
    .timeLimit(.minutes(10)))
  func repeats() async throws {
    let receiver = try UDPReceiver()
    let output = try output("home", "--to", "127.0.0.1:\(receiver.port)")
    try await fingers.waitForHolder()
    try await fingers.inject(.began(Point(x: 600, y: 240)))
    let down = try receiver.wait { $0.count { $0.frame == -1 && $0.alive == [1] } >= 2 }
    #expect(down.last?.cursors.map { $0.floats.prefix(2) } == [[0.5, 0.5]])
    try await fingers.inject(.ended)
    let up = try receiver.wait { bundles in
      let since = bundles.drop { $0.alive != [1] }
      return since.last?.alive == [] && since.count { $0.frame == -1 && $0.alive == [] } >= 2
    }
    #expect(up.last?.cursors == [])
    output.kill()
  }

  @Test(
    "a daemon that dies in the middle of a touch, and an end of the output, lift it (R9)",
    .timeLimit(.minutes(10)))
  func ends() async throws {
    let receiver = try UDPReceiver()
    let output = try output("home", "--to", "[::ffff:127.0.0.1]:\(receiver.port)")
    try await fingers.waitForHolder()
    try await fingers.inject(.began(Point(x: 600, y: 240)))
    _ = try receiver.wait { $0.last?.alive == [1] }
    fingers.daemon.kill()
    let bundles = try receiver.wait { $0.last?.alive == [] }
    // It was out of the surface before.
    #expect(bundles.contains { $0.cursors.contains { $0.floats.prefix(2) == [0.5, -0.02] } })
    try fingers.restart()
    try await fingers.waitForHolder()
    try await fingers.inject(.began(Point(x: 600, y: 240)))
    _ = try receiver.wait { $0.last?.alive == [2] }
    output.signal(SIGTERM)
    #expect(output.finish().status == 0)
    _ = try receiver.wait { $0.last?.alive == [] }
  }

  @Test("who is not there is told of once, and it goes on", .timeLimit(.minutes(10)))
  func unreachable() async throws {
    let port = try UDPReceiver().port  // closed again at once
    let output = try output("home", "--to", "127.0.0.1:\(port)")
    try await fingers.waitForHolder()
    for _ in 0..<3 { try await fingers.inject(.began(Point(x: 600, y: 240)), .ended) }
    try waitUntil("it says so") { !output.errors.isEmpty }
    let receiver = try UDPReceiver(port: port)
    try await fingers.inject(.began(Point(x: 600, y: 240)))
    _ = try receiver.wait { !($0.last?.alive ?? []).isEmpty }
    try waitUntil("it says that it is well") { output.errors.contains("takes what is sent again") }
    #expect(
      output.errors == """
        touchroute: 127.0.0.1 port \(port) does not take what is sent (Connection refused); it goes on
        touchroute: 127.0.0.1 port \(port) takes what is sent again

        """)
    output.kill()
  }

  @Test(
    "a daemon that is not there is said to be waited for, once, and said to have come (R9)",
    .timeLimit(.minutes(10)))
  func waiting() async throws {
    fingers.daemon.kill()
    let receiver = try UDPReceiver()
    let output = try output("home", "--to", "127.0.0.1:\(receiver.port)")
    try waitUntil("it says so") { output.errors.hasSuffix("\n") }
    let said = output.errors
    #expect(said.hasPrefix("touchroute: touchrouted is waited for: "), "\(said)")
    #expect(said.contains(" at \(fingers.daemon.socket): is touchrouted running? ("), "\(said)")
    try fingers.restart()
    try await fingers.waitForHolder()
    try waitUntil("it says that too") { output.errors.contains("touchrouted is there") }
    #expect(output.errors == said + "touchroute: touchrouted is there\n")
    output.signal(SIGTERM)
    #expect(output.finish().status == 0)
  }

  @Test(
    "a daemon that takes connections and drops them is said to be waited for once (R9)",
    .timeLimit(.minutes(10)))
  func dropped() async throws {
    fingers.daemon.kill()
    unlink(fingers.daemon.socket)
    let listener = try UnixSocket.listening(at: fingers.daemon.socket)
    defer { close(listener) }
    let output = try output("home", "--to", "127.0.0.1")
    for _ in 0..<4 {
      let connection = accept(listener, nil, nil)
      #expect(connection >= 0)
      close(connection)
    }
    // The fourth time it has heard of three ends at least.
    #expect(output.errors.components(separatedBy: "waited for").count == 2, "\(output.errors)")
    output.signal(SIGTERM)
    #expect(output.finish().status == 0)
  }

  @Test("what can't be is a sentence, and status 1", .timeLimit(.minutes(10)))
  func refused() async throws {
    let holder = try DaemonClient(fingers.daemon.socket, name: "other")
    _ = try holder.connection.attach(to: "home")
    _ = try holder.next { $0.geometry }
    let held = try output("home", "--to", "127.0.0.1").finish()
    #expect(held.status == 1)
    #expect(held.errors.contains("\"home\" is held by pid"), "\(held.errors)")
    #expect(held.errors.hasSuffix("(--take-over or --wait)\n"), "\(held.errors)")
    let nowhere = try output("nowhere", "--to", "127.0.0.1").finish()
    #expect(nowhere.status == 1)
    #expect(nowhere.errors.contains("\"nowhere\""), "\(nowhere.errors)")
    let nobody = try output("home", "--to", "no-such-host.invalid").finish()
    #expect(nobody.status == 1)
    #expect(nobody.errors.hasPrefix("touchroute: no-such-host.invalid can't be found: "))
    let waiting = try output("home", "--wait", "--to", "127.0.0.1")
    try waitUntil("it waits") { waiting.errors.contains("waiting for home: ") }
    waiting.kill()
  }

  @Test(
    "the service manager is told once it is attached, or stands in line", .timeLimit(.minutes(10)))
  func readiness() async throws {
    let manager = try NotifySocket(path: fingers.daemon.directory.file("output.sock"))
    _ = try output("nowhere", "--wait", "--to", "127.0.0.1", telling: manager).finish()
    #expect(manager.next(seconds: 0) == nil, "it never got anywhere")
    let output = try output("home", "--to", "127.0.0.1", telling: manager)
    #expect(manager.next(seconds: 30)?.text == "READY=1")
    let next = try self.output("home", "--wait", "--to", "127.0.0.1", telling: manager)
    #expect(manager.next(seconds: 30)?.text == "READY=1")
    #expect(next.errors.contains("waiting for home: "), "\(next.errors)")
    output.signal(SIGTERM)
    #expect(output.finish().status == 0)
    try await fingers.waitForHolder()
    next.signal(SIGTERM)
    #expect(next.finish().status == 0)
    #expect(manager.next(seconds: 0) == nil, "once is enough")
  }
}
