import DaemonSupport
import Foundation
import Glibc
import TestSupport
import Testing

/// The tool beside a daemon that means it badly: what that says and names steers no terminal.
@Suite("touchroute and a hostile daemon")
struct HostileDaemonTests {
  /// Runs the tool until the daemon has ended it; what it wrote.
  private func run(
    _ manner: HostileDaemon.Manner, _ arguments: [String]
  ) throws -> RunningProgram.Result {
    let daemon = try HostileDaemon(manner)
    return try Command.run(arguments, environment: ["TOUCHROUTE_SOCKET": daemon.path])
  }

  @Test(
    "what a daemon refuses with is one line that steers nothing (F4)",
    arguments: [
      ["listen", "home"], ["listen", "--json", "home"], ["monitor"], ["tree"], ["status"],
      ["status", "--json"], ["metrics"], ["top"], ["reload"], ["set", "home", "hidden=true"],
      ["tap", "1", "1"],
      ["cancel"], ["hit-test", "1", "1"], ["screen"], ["screen", "panel", "dark"],
      ["lock", "--for", "5", "--screen", "panel"],
    ])
  func refused(_ arguments: [String]) throws {
    let result = try run(.refuses, arguments)
    #expect(result.status != 0)
    #expect(HostileDaemon.isHarmless(result.errors), "\(result.errors.debugDescription)")
    #expect(result.output == "")
  }

  @Test(
    "names and reasons of touches, holders and ends steer nothing (F4, S34)",
    arguments: [
      ["listen", "home"], ["listen", "--json", "home"], ["listen", "--gestures", "home"],
    ],
    [HostileDaemon.Manner.attaches, .waits])
  func listened(_ arguments: [String], _ manner: HostileDaemon.Manner) throws {
    let result = try run(manner, arguments)
    #expect(result.status == 1)
    for text in [result.output, result.errors] {
      #expect(HostileDaemon.isHarmless(text), "\(text.debugDescription)")
      #expect(text.contains("\\u001b]0;y"))
    }
  }

  @Test(
    "names of views, programs, devices and files steer nothing (F4)",
    arguments: [
      ["tree"], ["tree", "--json"], ["tree", "--svg"], ["status"], ["status", "--json"],
      ["top", "--once"],
    ])
  func described(_ arguments: [String]) throws {
    let result = try run(.describes, arguments)
    let text = result.output + result.errors
    #expect(HostileDaemon.isHarmless(text), "\(text.debugDescription)")
    #expect(text.contains("\\u001b]0;y"), "\(text.debugDescription)")
  }

  @Test("what a daemon says of touches steers no terminal of a command either (F4, S34)")
  func commands() throws {
    let folder = try TemporaryDirectory()
    let file = folder.file("told")
    let command = "printf \"%s\\n\" \"$TOUCHROUTE_PATH\" \"$@\" >> \(file)"
    _ = try run(.attaches, ["listen", "--gestures", "home", "--exec", command])
    try checkTold(file)
  }

  @Test("what a daemon says that was hit steers no terminal of a command either (D10, S34)")
  func hits() throws {
    let daemon = try HostileDaemon(.hits)
    let folder = try TemporaryDirectory()
    let file = folder.file("told")
    let command = "printf \"%s\\n\" \"$TOUCHROUTE_FEEDBACK\" \"$TOUCHROUTE_TARGET\" >> \(file)"
    let output = try RunningProgram(
      Repository.program("touchroute"), ["output", "feedback", "--run", "*=\(command)"],
      environment: ["TOUCHROUTE_SOCKET": daemon.path])
    try checkTold(file)
    withExtendedLifetime(output) {}
  }

  /// Waits for what a command has written, which is harmless.
  private func checkTold(_ file: String) throws {
    func text() -> String { (try? String(contentsOfFile: file, encoding: .utf8)) ?? "" }
    for _ in 0..<1_200 {
      guard !text().contains("0;y") else { break }
      usleep(50_000)
    }
    #expect(HostileDaemon.isHarmless(text()), "\(text().debugDescription)")
    #expect(text().contains("\\u001b]0;y"), "\(text().debugDescription)")
  }

  @Test(
    "the largest numbers that a daemon can say end no command before its answer (F4, S34)",
    arguments: [["metrics"], ["screen"]])
  func counted(_ arguments: [String]) throws {
    let result = try run(.describes, arguments)
    #expect(result.status == 0, "\(result)")
    #expect(HostileDaemon.isHarmless(result.output), "\(result.output.debugDescription)")
  }

  @Test("a layout that a daemon never ends to describe is not waited for (F4)")
  func endless() throws {
    let result = try run(.repeats, ["tree"])
    #expect(result.status == 1)
    #expect(
      result.errors
        == "touchroute: the daemon describes more views than it has counted\n")
  }

  @Test("gestures that a daemon never ends to describe are not waited for (F4)")
  func endlessGestures() throws {
    let result = try run(.multiplies, ["tree"])
    #expect(result.status == 1)
    #expect(result.errors == "touchroute: the daemon describes more gestures than any may have\n")
  }

  @Test("content further away than any daemon lets it be is drawn all the same (F4)")
  func strayed() throws {
    let result = try run(.strays, ["tree", "--svg"])
    #expect(result.status == 0, "\(result)")
    #expect(result.output.hasSuffix("</svg>\n"))
  }

  @Test("monitor prints what it can't name where a daemon never says who is there (F4)")
  func unnamed() throws {
    let result = try run(.floods, ["monitor"])
    #expect(result.status == 1)
    #expect(HostileDaemon.isHarmless(result.output))
    #expect(result.output.split(separator: "\n").count == 10_000)
  }

  @Test(
    "a finger comes down on no screen that is gone (F4)",
    arguments: [["tap", "1", "1"], ["pinch", "9", "9", "--scale", "2"]])
  func screenless(_ arguments: [String]) throws {
    let result = try run(.losesScreens, arguments)
    #expect(result.status == 1)
    #expect(result.errors == "touchroute: the layout has no screen\n")
  }

  @Test("recover goes on though an answer about an ill touchscreen breaks off (N11)")
  func brokenOff() throws {
    let folder = try TemporaryDirectory()
    let daemon = try HostileDaemon(.breaksOff)
    let result = try Command.run(
      ["recover", "0EEF:0001"],
      environment: [
        "TOUCHROUTE_SOCKET": daemon.path, "TOUCHROUTE_SYSFS": folder.url.path,
        "RUNTIME_DIRECTORY": folder.url.path,
      ])
    #expect(result.status == 1)
    #expect(HostileDaemon.isHarmless(result.errors), "\(result.errors.debugDescription)")
    #expect(!result.errors.contains("restarting"))
  }

  @Test(
    "a view that lies in itself is not followed (F4)",
    arguments: [["tree"], ["tap", HostileDaemon.words]])
  func knotted(_ arguments: [String]) throws {
    let result = try run(.knots, arguments)
    #expect(result.status == 1)
    #expect(
      result.errors == "touchroute: the daemon describes a view before its superview\n")
  }

  @Test("a name that would steer a terminal is not offered to a shell (F4)")
  func completed() throws {
    let daemon = try HostileDaemon(.describes)
    let result = try Command.run(
      ["---completion", "listen", "--", "positional@0", "2", "1", "touchroute", "listen", ""],
      environment: ["TOUCHROUTE_SOCKET": daemon.path, "SAP_SHELL": "bash"])
    #expect(HostileDaemon.isHarmless(result.output), "\(result.output.debugDescription)")
    #expect(!result.output.contains("forged"))
  }

  @Test("a configuration's file name steers nothing, nor makes up a line (F4)")
  func fileNames() throws {
    let folder = try TemporaryDirectory()
    let file = try folder.write("a\u{1b}]0;y\u{7}\nforged: b.toml", "mistake = 1\n")
    let checked = try Command.run(["check", file])
    #expect(checked.status == 1)
    #expect(HostileDaemon.isHarmless(checked.errors), "\(checked.errors.debugDescription)")
    let daemon = try RunningProgram.run(
      Repository.program("touchrouted"), ["--check", "--config", file])
    #expect(daemon.status == 1)
    #expect(HostileDaemon.isHarmless(daemon.errors), "\(daemon.errors.debugDescription)")
  }
}
