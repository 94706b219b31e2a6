import DaemonSupport
import Foundation
import TestSupport
import Testing
import TouchClient
import TouchModel

@Suite("A program that goes home")
struct HomeProgramTests {
  @Test("Python: it is on its first page once nobody touches its window (D7)")
  func home() async throws {
    let (python, arguments) = try Program.python("home.py")
    let daemon = try DaemonProcess.started(twoWindows, arguments: DaemonProcess.withoutDevices)
    let home = try Program.start(python, arguments + ["right", "1.5"], with: daemon)
    let control = try TouchSession(path: daemon.controlSocket, name: "control")
    try await wait(home) { try await control.describe("right").first?.holder != nil }
    try await control.inject([InjectedContact(.began(Point(x: 500, y: 240)))])
    try await control.inject([InjectedContact(.ended)])
    try await wait(home) { home.lines == ["page 2", "page 1"] }
  }

  private func wait(_ home: RunningProgram, for condition: () async throws -> Bool) async throws {
    for _ in 0..<3000 {
      if try await condition() { return }
      try await Task.sleep(for: .milliseconds(10))
    }
    throw Missing("30 s, and only \(home.lines): \(home.errors)")
  }

  @Test("what docs/integrating.md shows of it is in it")
  func shown() throws {
    func text(_ path: String) throws -> String {
      try String(contentsOf: Repository.root.appending(path: path), encoding: .utf8)
    }
    let block = try #require(
      text("docs/integrating.md").components(separatedBy: "```python\n").dropFirst().first)
    let lines = block.components(separatedBy: "```")[0].split(separator: "\n")
    #expect(lines.count == 4)
    let program = try text("examples/python/home.py")
    var rest = Substring(program)
    for line in lines {
      let found = try #require(rest.range(of: line), "\(line)")
      rest = rest[found.upperBound...]
    }
  }
}
