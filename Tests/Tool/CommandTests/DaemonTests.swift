import CTouchroute
import DaemonSupport
import Foundation
import Glibc
import TestSupport
import Testing
import TouchClient
import TouchModel

/// The built daemon, driven over its sockets. There need not be a touchscreen: it waits for one.
@Suite("Daemon")
struct DaemonTests {
  @Test("It starts without a touchscreen, says so and waits")
  func start() throws {
    let daemon = try DaemonProcess(arguments: ["--seat", "seat-of-no-devices"])
    let text = try daemon.wait(for: "READY=1")
    #expect(text.contains("STATUS=screens: 2, windows: 2, views: 5, touchscreens: 0"))
    #expect(daemon.log.contains("no touchscreen on seat \"seat-of-no-devices\" yet: waiting"))
    var status = stat()
    #expect(lstat(daemon.socket, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o660)
  }

  @Test("hello, attach, describe and ping are answered; a responder that is held is refused (R2)")
  func requests() throws {
    let daemon = try DaemonProcess.started()
    let nav = try DaemonClient(daemon.socket, name: "nav-app")
    let welcome = try nav.next(\.greeting)
    #expect(welcome.screens.map(\.name) == ["panel", "door"])
    #expect(!welcome.isControl)
    _ = try nav.connection.attach(to: "home/toolbar")
    let geometry = try nav.next(\.geometry)
    #expect(geometry.viewCount == 2)
    #expect(geometry.frame == Rect(x: 0, y: 0, width: 800, height: 60))

    let other = try DaemonClient(daemon.socket, name: "other")
    _ = try other.connection.attach(to: "home/toolbar")
    let refusal = try other.next(\.failure)
    #expect(refusal.code == .held)
    let holder = "\"home/toolbar\" is held by pid \(getpid()) (nav-app), "
    #expect(refusal.text.hasPrefix(holder), "\(refusal.text)")
    _ = try other.connection.attach(to: "home/tolbar")
    #expect(try other.next(\.failure).text.contains("the nearest is \"home/toolbar\""))

    _ = try other.connection.describe("home")
    var views: [DescribedView] = []
    let done = try other.next { event in
      if let view = event.view { views.append(view) }
      return event.completion
    }
    #expect(done.total == 4)
    #expect(views.map(\.path) == ["home", "home/toolbar", "home/toolbar/back", "home/dial"])
    #expect(views.map(\.holder) == [nil, getpid(), nil, nil])
    let ping = try other.connection.ping()
    _ = try other.next { $0 == .pong(ping) ? true : nil }

    // Its own user's programs may take it over.
    _ = try other.connection.attach(to: "home/toolbar", options: .takeOver)
    _ = try other.next(\.geometry)
    #expect(try nav.next(\.detachment).reason == .takenOver)
  }

  @Test("The tool whose output is closed does not print into its socket")
  func closedOutput() throws {
    let daemon = try DaemonProcess.started()
    let result = try RunningProgram.run(
      URL(filePath: "/bin/sh"),
      [
        "-c", "exec \"$@\" <&- >&-", "sh", Command.tool.path, "tap", "900", "20", "--socket",
        daemon.controlSocket,
      ])
    #expect(result == .init(status: 2, output: "", errors: ""))
  }

  @Test(
    "what keeps the daemon from starting begins with its name",
    arguments: [
      (["--socket", "/proc/nonexistent/a.sock"], "touchrouted: "),
      (
        ["--config", "/proc/nonexistent/a.toml"],
        "touchrouted: /proc/nonexistent/a.toml: there is no such"
      ),
    ])
  func startErrors(_ arguments: [String], _ prefix: String) throws {
    let directory = try TemporaryDirectory()
    try directory.write("a.toml", panel)
    let path = directory.path
    let result = try RunningProgram.run(
      Repository.program("touchrouted"),
      ["--config", "\(path)/a.toml", "--socket", "\(path)/a", "--control-socket", "\(path)/b"]
        + arguments)
    #expect(result.status == 1)
    #expect(result.errors.hasPrefix(prefix), "\(result.errors)")
  }

  @Test("who leaves with messages unread has left, which is no failure")
  func leaves() throws {
    let daemon = try DaemonProcess.started()
    do {
      let client = try DaemonClient(daemon.controlSocket, name: "hasty")
      _ = try client.next(\.greeting)
      _ = try client.connection.status()
      // The answer lies in the socket when that is closed.
      var waiting = pollfd(fd: client.connection.descriptor, events: Int16(POLLIN), revents: 0)
      try #require(poll(&waiting, 1, 30_000) == 1)
    }
    try daemon.waitForLog("(hasty) disconnected: it left without reading the rest")
  }

  @Test("status on the control socket has the clients and what they hold; elsewhere it is refused")
  func status() throws {
    let daemon = try DaemonProcess.started()
    let nav = try DaemonClient(daemon.socket, name: "nav-app")
    _ = try nav.connection.attach(to: "app:dashboard", handles: [.began, .ended])
    _ = try nav.next(\.geometry)
    _ = try nav.connection.status()
    #expect(
      try nav.next(\.failure).text
        == "status is for the control socket, \(daemon.controlSocket); this one is for programs")

    let control = try DaemonClient(daemon.controlSocket, name: "tool")
    _ = try control.connection.status()
    var items: [StatusItem] = []
    let done = try control.next { event in
      if let item = event.item { items.append(item) }
      return event.completion
    }
    #expect(Int(done.total) == items.count)
    guard case .daemon(let state) = items.first else { throw DaemonClient.Silence() }
    #expect(state.pid == daemon.pid)
    #expect(state.version == Release.version)
    #expect(state.configuration == daemon.configuration)
    #expect(state.counters.count == Int(TOUCHROUTE_COUNTERS.rawValue))
    #expect(
      items.contains {
        if case .client(let client) = $0 { client.name == "nav-app" } else { false }
      })
    #expect(
      items.contains {
        guard case .attachment(let item) = $0 else { return false }
        return item.path == "app:dashboard" && item.handles == [.began, .ended]
      })
  }

  @Test("what is no protocol ends its own connection, and the daemon and others live on (F4)")
  func garbage() throws {
    let daemon = try DaemonProcess.started()
    let good = try DaemonClient(daemon.socket)
    _ = try good.connection.attach(to: "home")
    _ = try good.next(\.geometry)
    let noise: [[UInt8]] = [
      Array("GET / HTTP/1.1\r\n\r\n".utf8), [UInt8](repeating: 0xff, count: 100_000),
      [0xff, 0xff, 0xff, 0xff, 2, 0, 0, 0], [16, 0, 0, 0, 99, 0, 0, 0], [16, 0, 0], [],
    ]
    for bytes in noise {
      let socket = try UnixSocket.connected(to: daemon.socket)
      _ = bytes.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      close(socket)
    }
    try daemon.waitForLog("disconnected: a message of 542393671 bytes")
    try daemon.waitForLog("disconnected: there is no request 99")
    let ping = try good.connection.ping()
    _ = try good.next { $0 == .pong(ping) ? true : nil }
  }

  @Test("SIGTERM tells the clients and the service manager, and leaves no socket behind")
  func terminate() throws {
    let daemon = try DaemonProcess.started()
    let client = try DaemonClient(daemon.socket)
    _ = try client.next(\.greeting)
    kill(daemon.pid, SIGTERM)
    let rest = try client.rest()
    #expect(rest.compactMap(\.closing).map(\.reason) == [.stopping])
    try daemon.wait(for: "STOPPING=1")
    #expect(try daemon.waitForExit() == 0)
    #expect(!FileManager.default.fileExists(atPath: daemon.socket))
    #expect(!FileManager.default.fileExists(atPath: daemon.controlSocket))
  }

  @Test("a daemon that was killed leaves sockets that the next one replaces")
  func stale() throws {
    let directory = try TemporaryDirectory()
    let first = try DaemonProcess.started(in: directory)
    kill(first.pid, SIGKILL)
    #expect(try first.waitForExit() == -SIGKILL)
    #expect(FileManager.default.fileExists(atPath: first.socket))
    let second = try DaemonProcess.started(in: directory)
    _ = try DaemonClient(second.socket).next(\.greeting)
  }

  @Test("a second daemon on the same socket is refused, and the first one does not notice")
  func second() throws {
    let directory = try TemporaryDirectory()
    let first = try DaemonProcess.started(in: directory)
    let client = try DaemonClient(first.socket)
    _ = try client.next(\.greeting)
    let second = try DaemonProcess(in: directory)
    #expect(try second.waitForExit() == 1)
    #expect(second.log.contains("another process answers on \(first.socket): stop it first"))
    _ = try DaemonClient(first.socket).next(\.greeting)
    let ping = try client.connection.ping()
    _ = try client.next { $0 == .pong(ping) ? true : nil }
  }

  @Test("a bad configuration at the start is fatal, with every problem at its place")
  func badStart() throws {
    let daemon = try DaemonProcess(
      "[screen.panel]\nsize = [800]\n\n[[window]]\nname = \"home\"\nfrme = [0, 0, 1, 1]\n")
    #expect(try daemon.waitForExit() == 1)
    #expect(daemon.log.contains("touchrouted: \(daemon.configuration):2:"))
    #expect(daemon.log.contains("touchrouted: \(daemon.configuration):6:1: "))
    #expect(daemon.log.contains("did you mean \"frame\""))
  }

  @Test(
    "what it can't have is fatal at the start, is named, and no socket is left behind",
    arguments: [
      (["--device", "/dev/input/event-none"], "/dev/input/event-none"),
      (["--socket", "/nowhere/client.sock"], "the directory /nowhere of the socket"),
      (["--control-socket", "/etc/passwd"], "/etc/passwd exists and is no socket"),
    ])
  func unavailable(_ arguments: [String], _ words: String) throws {
    let daemon = try DaemonProcess(arguments: arguments)
    #expect(try daemon.waitForExit() == 1)
    #expect(daemon.log.contains(words), "\(daemon.log)")
    #expect(!FileManager.default.fileExists(atPath: daemon.socket))
    #expect(!FileManager.default.fileExists(atPath: daemon.controlSocket))
  }

  @Test("the service manager's watchdog is told that the loop turns")
  func watchdog() throws {
    let daemon = try DaemonProcess.started(prelude: "export WATCHDOG_USEC=200000")
    try daemon.wait(for: "WATCHDOG=1")
    try daemon.wait(for: "WATCHDOG=1")
  }

  @Test("without a descriptor left it tells who comes, sleeps, and serves again afterwards")
  func noDescriptorLeft() throws {
    // Beside what it inherits, which is what other tests have open in this process.
    let daemon = try DaemonProcess.started(
      prelude: "ulimit -n $(($(ls /proc/$$/fd | wc -l) + 29))")
    var clients: [Int32] = []
    for _ in 0..<160 { clients.append(try UnixSocket.connected(to: daemon.socket)) }
    try daemon.waitForLog("a connection was refused: Too many open files")
    // One that is busy with nothing never comes to rest, however long it is given.
    let rests = (0..<100).contains { _ in
      let before = daemon.ticks
      usleep(100_000)
      return daemon.ticks == before
    }
    #expect(rests, "it is busy with nothing")
    for client in clients { close(client) }
    try waitUntil("it serves again") {
      (try? DaemonClient(daemon.socket).next(\.greeting)) != nil
    }
  }

  @Test("sockets that the service manager passes are used, and left to it")
  func activation() throws {
    let directory = try TemporaryDirectory()
    var sockets: [Int32] = []
    for name in ["passed.sock", "passed-control.sock"] {
      sockets.append(try UnixSocket.listening(at: directory.file(name)))
    }
    defer { for socket in sockets { close(socket) } }
    let daemon = try DaemonProcess.started(
      in: directory,
      prelude: "export LISTEN_PID=$$ LISTEN_FDS=2 LISTEN_FDNAMES=client:control",
      passing: sockets)
    let client = try DaemonClient(daemon.directory.file("passed.sock"))
    #expect(try !client.next(\.greeting).isControl)
    let control = try DaemonClient(daemon.directory.file("passed-control.sock"))
    #expect(try control.next(\.greeting).isControl)
    #expect(!FileManager.default.fileExists(atPath: daemon.socket))
    kill(daemon.pid, SIGTERM)
    #expect(try daemon.waitForExit() == 0)
    #expect(FileManager.default.fileExists(atPath: daemon.directory.file("passed.sock")))
  }

  @Test("under the journal, log lines begin with their priority")
  func journal() throws {
    let directory = try TemporaryDirectory()
    let log = directory.url.appending(path: "log").path
    try Data().write(to: URL(filePath: log))
    var status = stat()
    try #require(stat(log, &status) == 0)
    let daemon = try DaemonProcess.started(
      in: directory,
      prelude: "export JOURNAL_STREAM=\(status.st_dev):\(status.st_ino)")
    let lines = daemon.log.split(separator: "\n")
    #expect(lines.allSatisfy { $0.hasPrefix("<5>") || $0.hasPrefix("<6>") }, "\(daemon.log)")
    #expect(lines.contains("<6>client socket: \(daemon.socket)"))
  }

  @Test("welcome tells how long a touch can be declined")
  func decisionTimeout() throws {
    let daemon = try DaemonProcess.started(panel + "[touch]\ndecision_timeout_ms = 300\n")
    let client = try DaemonClient(daemon.socket)
    #expect(try client.next(\.greeting).decisionTimeoutMilliseconds == 300)
  }
}
