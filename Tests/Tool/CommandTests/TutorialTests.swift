import Foundation
import Glibc
import TestSupport
import Testing

@Suite("docs/tutorial.md")
struct TutorialTests {
  @Test("Followed to the letter, every command and every program prints what the tutorial shows")
  func followed() throws {
    let steps = try Tutorial.steps()
    #expect(steps.count > 40)
    let reader = try TutorialReader()
    for step in steps { try reader.follow(step) }
  }
}

/// Somebody who follows the tutorial in a home of their own.
private final class TutorialReader {
  private let home: TemporaryDirectory
  private let panel: URL
  /// What was started and not waited for, the latest last.
  private var programs: [(command: String, program: RunningProgram)] = []

  init() throws {
    home = try TemporaryDirectory()
    panel = home.url.appending(path: "panel")
    let files = FileManager.default
    for folder in ["panel", "touchroute/.build"] {
      try files.createDirectory(
        at: home.url.appending(path: folder), withIntermediateDirectories: true)
    }
    for (link, target) in [
      ("touchroute/.build/debug", Command.tool.deletingLastPathComponent()),
      ("touchroute/.build/libtouchroute.so.0", URL(filePath: try PythonClient.library())),
      ("touchroute/clients", Repository.root.appending(path: "clients")),
    ] {
      try files.createSymbolicLink(
        at: home.url.appending(path: link), withDestinationURL: target)
    }
    for path in [home.url.path, panel.path] { #expect(chmod(path, 0o777) == 0) }
  }

  deinit {
    // The daemon last, so that no program complains.
    while programs.popLast() != nil {}
  }

  func follow(_ step: Tutorial.Step) throws {
    switch step {
    case .append(let text, let file): try append(text, to: file)
    case .interrupt: try end(try #require(programs.last).program, by: SIGINT)
    case .shown(let lines): try wait(for: lines, from: programs[...])
    case .command(let command, let lines):
      if command.hasPrefix("kill -9 ") {
        let listeners = programs.filter { $0.command.hasPrefix("touchroute listen") }
        try end(try #require(listeners.last).program, by: SIGKILL)
      } else if runsOn(command, lines) {
        try start(command, lines)
      } else {
        let result = try begin(command).finish()
        let printed = (result.errors + result.output).split(separator: "\n").map(String.init)
        #expect(
          printed.map(Tutorial.comparable) == lines.map(Tutorial.comparable), "$ \(command)")
      }
    }
  }

  private func append(_ text: String, to file: String) throws {
    let path = "panel/\(file)"
    let before = (try? String(contentsOfFile: home.file(path), encoding: .utf8)) ?? ""
    // On a busy machine a swipe may take longer than a hand's.
    let swipe = "kind = \"swipe\"\n"
    try home.write(path, before + text.replacing(swipe, with: swipe + "duration_ms = 60000\n"))
  }

  private func runsOn(_ command: String, _ lines: [String]) -> Bool {
    command.hasSuffix(" &") || command.hasPrefix("python3") || command.contains("monitor")
      || command.hasPrefix("touchroute listen") && lines.first?.hasPrefix("attached") == true
  }

  /// Starts what runs until it is ended, and waits until it does what it is for.
  private func start(_ command: String, _ lines: [String]) throws {
    programs.append((command, try begin(command)))
    if command.hasPrefix("touchrouted ") {
      try waitUntil("touchrouted is ready") {
        (try? String(contentsOfFile: home.file("panel/log"), encoding: .utf8))?
          .contains("ready: ") == true
      }
    } else if command.contains("monitor") {
      try waitUntil("it observes") {
        try begin("touchroute status").finish().output.contains("observer")
      }
    } else {
      // What one like it has printed before says nothing.
      try wait(for: lines, from: programs.suffix(1))
    }
  }

  /// Root is refused nothing, so what the tutorial shows is seen by another user.
  private func begin(_ command: String) throws -> RunningProgram {
    let user =
      getuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : ""
    let line = command.hasSuffix(" &") ? String(command.dropLast(2)) : command
    // Programs that this other user may run.
    let environment = [
      "HOME": home.url.path, "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
      "PYTHONDONTWRITEBYTECODE": "1",
    ]
    return try RunningProgram(
      URL(filePath: "/bin/sh"), ["-c", ". ./env.sh; exec \(user)\(line)"], in: panel,
      environment: environment)
  }

  private func end(_ program: RunningProgram, by signal: Int32) throws {
    program.signal(signal)
    #expect(program.finish().status == -signal)
  }

  /// Waits until one of some programs has printed these lines, one behind the other.
  private func wait(
    for lines: [String], from programs: ArraySlice<(command: String, program: RunningProgram)>
  ) throws {
    let wanted = lines.map(Tutorial.comparable)
    do {
      try waitUntil("the tutorial's lines") {
        programs.contains { $0.program.lines.map(Tutorial.comparable).contains(wanted) }
      }
    } catch {
      let printed = programs.map { "$ \($0.command)\n\($0.program.lines)\n\($0.program.errors)" }
      throw Missing("\(lines) is not in \(printed.joined(separator: "\n"))")
    }
  }
}
