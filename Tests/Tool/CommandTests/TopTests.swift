import DaemonSupport
import Exchange
import Foundation
import Glibc
import Server
import TestSupport
import Testing
import TouchClient

@Suite("touchroute top")
struct TopTests {
  @Test("it shows touches, programs, queues and latencies, and goes on showing them")
  func picture() throws {
    let house = try House(panel + "[touch]\nunresponsive_after_ms = 60000\n")
    let program = try house.client("player", attachedTo: "home")
    let top = try TerminalCommand(["top", "--every", "0.1"], of: house)
    try top.wait { $0.contains { $0.hasPrefix("PROGRAMS ") && $0.contains(" SENT/S ") } }
    house.finger(.down(20, 470))
    try top.wait { $0.contains { $0.contains(" began ") && $0.hasSuffix(" player") } }
    try top.wait {
      $0.contains("touches   1 touch live, 0/s began, 0/s cancelled, 0/s for no program")
    }
    house.finger(.move(30, 470))
    try top.wait { picture in
      picture.contains { $0.contains(" moved ") && $0.contains("(30, 470)") }
    }
    let row = try #require(top.picture.first { $0.hasPrefix("  player ") })
    #expect(row.split(separator: " ").prefix(3) == ["player", "\(getpid())", "1"])
    #expect(row.hasSuffix("  home"))
    #expect(top.picture.contains { $0.hasPrefix("  Goodix ") && $0.contains(" panel ") })
    #expect(top.picture.count == 24 && top.picture.allSatisfy { $0.count <= 80 })
    house.finger(.up, .down(900, 20), .up)
    try top.wait {
      $0.contains { $0.contains(" ended ") && $0.contains("no program: it began ") }
    }
    withExtendedLifetime(program) {}
  }

  @Test(
    "what has no room on 80 by 24 is counted, and the programs that do not read come first (F3)")
  func crowded() throws {
    let house = try House(panel + "[touch]\nunresponsive_after_ms = 100\n")
    let stalled = try house.client("zz-stalled", attachedTo: "home")
    let others = try (0..<40).map { try DaemonClient(house.clientSocket, name: "program-\($0)") }
    let count = house.unresponsiveCount
    house.finger(.down(20, 470))
    try house.turn { house.unresponsiveCount > count }
    let top = try TerminalCommand(["top", "--every", "0.1"], of: house)
    try top.wait { $0.contains { $0.hasPrefix("  zz-stalled ") && $0.contains("unresponsive") } }
    try top.wait { $0.contains { $0.hasPrefix("  and ") && $0.hasSuffix(" more") } }
    #expect(top.picture.count == 24 && top.picture.allSatisfy { $0.count <= 80 })
    let first = top.picture.firstIndex { $0.hasPrefix("PROGRAMS") }.map { top.picture[$0 + 1] }
    #expect(first?.hasPrefix("  zz-stalled ") == true)
    withExtendedLifetime((stalled, others)) {}
  }

  /// How somebody or something ends it.
  enum End: CaseIterable {
    case key, interrupt, terminate, hangUp, quit, daemon

    /// Its exit status, or minus the signal that it dies of.
    var status: Int32 {
      switch self {
      case .key: 0
      case .interrupt: -SIGINT
      case .terminate: -SIGTERM
      case .hangUp: -SIGHUP
      case .quit: -SIGQUIT
      case .daemon: 1
      }
    }
  }

  @Test("nothing is left behind on the terminal, however it ends", arguments: End.allCases)
  func ending(_ end: End) throws {
    let house = try House()
    let top = try TerminalCommand(["top", "--every", "0.1"], of: house)
    try top.wait { $0.last == "q ends it" }
    #expect(!top.isAsBefore)
    switch end {
    case .key: top.type("xq")
    case .interrupt: top.type("\u{3}")
    case .terminate: top.process.signal(SIGTERM)
    case .hangUp: top.process.signal(SIGHUP)
    case .quit: top.type("\u{1c}")
    case .daemon: house.stop()
    }
    #expect(try top.waitForEnd() == end.status)
    #expect(top.isAsBefore, "\(top.transcript.debugDescription)")
    if end == .daemon {
      #expect(top.transcript.hasSuffix("\u{1b}[?1049ltouchroute: touchrouted is stopping\n"))
    }
  }

  @Test("while it is stopped the terminal is as before, and it shows itself again when it goes on")
  func stopped() throws {
    let house = try House()
    let top = try TerminalCommand(["top", "--every", "0.1"], of: house)
    try top.wait { $0.last == "q ends it" }
    top.type("\u{1a}")
    try top.turn { top.isAsBefore && Self.state(of: top.process.identifier) == "T" }
    let length = top.transcript.count
    top.process.signal(SIGCONT)
    try top.turn { top.transcript.count > length && !top.isAsBefore && top.picture.count == 24 }
    top.type("q")
    #expect(try top.waitForEnd() == 0)
    #expect(top.isAsBefore)
  }

  @Test("a terminal that is too small is told so, and a larger one has all of it")
  func sizes() throws {
    let house = try House()
    let top = try TerminalCommand(["top", "--every", "60"], of: house, columns: 79, rows: 24)
    try top.wait {
      $0 == ["the terminal has 79 by 24 characters, and this needs 80 by 24"]
    }
    try top.resize(columns: 20, rows: 3)
    try top.wait { $0 == ["the terminal has 20…"] }
    try top.resize(columns: 100, rows: 30)
    try top.wait { $0.count == 30 && $0.last == "q ends it" }
    top.type("q")
    #expect(try top.waitForEnd() == 0)
  }

  @Test("names of touchscreens steer no terminal, and are cut by the columns that they take (F4)")
  func names() throws {
    let house = try House()
    let devices = house.exchange.status.devices()
    house.exchange.status.devices = {
      devices.map { device in
        var device = device
        device.name = device.name == "Goodix" ? "\u{1b}]0;y\u{7}\r\nforged" : "触摸屏触摸屏触摸屏触摸屏触摸屏"
        return device
      }
    }
    let top = try TerminalCommand(["top"], of: house)
    try top.wait { $0.last == "q ends it" }
    #expect(top.picture.contains { $0.hasPrefix("  \\u001b]0;y\\u0007\\u000d\\…") })
    // 11 characters of two columns, and one for what is cut.
    #expect(top.picture.contains { $0.hasPrefix("  触摸屏触摸屏触摸屏触摸…  /dev/input/event8") })
    for line in top.picture { #expect(HostileDaemon.isHarmless(line), "\(line.debugDescription)") }
  }

  @Test("--once, a pipe and a terminal without control sequences get one picture, as plain text")
  func once() throws {
    let house = try House()
    let program = try house.client("player", attachedTo: "home")
    house.finger(.down(20, 470), .up)
    let piped = try house.start("top").waitForEnd()
    let once = try house.start("top", "--once").waitForEnd()
    for result in [piped, once] {
      #expect(result.status == 0 && result.errors == "")
      #expect(HostileDaemon.isHarmless(result.output))
      #expect(result.output.contains("\ntouches   0 touches live, 1 began, 0 cancelled, "))
      #expect(result.output.contains("\n  player "))
    }
    for (arguments, terminal) in [(["top", "--once"], "xterm"), (["top"], "dumb")] {
      let top = try TerminalCommand(arguments, of: house, type: terminal)
      #expect(try top.waitForEnd() == 0)
      #expect(!top.transcript.contains("\u{1b}") && top.transcript.contains("\n  player "))
    }
    withExtendedLifetime(program) {}
  }

  /// A process's state, as /proc has it.
  private static func state(of pid: Int32) -> String {
    let text = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
    return String(text.split(separator: ")").last?.split(separator: " ").first ?? "")
  }
}
