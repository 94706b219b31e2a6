import DaemonSupport
import Foundation
import TestSupport
import Testing
import TouchClient
import TouchModel

/// The programs of the layouts in examples/gestures, as processes, with the built daemon and
/// injected fingers.
@Suite("Programs of examples/gestures", .serialized)
struct GestureProgramTests {
  private let daemon: DaemonProcess

  /// A daemon with the layout of an example, in which a slow machine decides nothing.
  private static func daemon(_ name: String) throws -> DaemonProcess {
    let layout = Repository.root.appending(path: "examples/gestures/\(name).toml")
    return try DaemonProcess(
      try String(contentsOf: layout, encoding: .utf8)
        + "[touch]\ndecision_timeout_ms = 30000\nunresponsive_after_ms = 60000\n",
      arguments: DaemonProcess.withoutDevices)
  }

  init() throws { daemon = try Self.daemon("control") }

  private func waitForLast(_ line: String, of child: RunningProgram) async throws {
    for _ in 0..<3000 where child.lines.last != line {
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(child.lines.last == line, "\(child.lines)")
  }

  @Test(
    "Python: a slider goes with its finger, and back where that is cancelled (R5)",
    .timeLimit(.minutes(2)))
  func slider() async throws {
    let (python, arguments) = try Program.python("slider.py")
    let slider = try Program.start(python, arguments, with: daemon)
    try await waitForLast("attached", of: slider)
    let control = try TouchSession(path: daemon.controlSocket, name: "control")
    // It lies from 100 to 700.
    try await control.inject([InjectedContact(.began(Point(x: 130, y: 240)))])
    try await control.inject([InjectedContact(.moved(Point(x: 400, y: 100)))])
    // Further fingers are none of its own.
    try await control.inject([InjectedContact(slot: 1, .began(Point(x: 160, y: 240)))])
    try await control.inject([InjectedContact(slot: 1, .ended)])
    try await control.inject([InjectedContact(.ended)])
    try await waitForLast("set to 0.50", of: slider)
    try await control.inject([InjectedContact(.began(Point(x: 650, y: 240)))])
    try await control.inject([InjectedContact(.cancelled)])
    try await waitForLast("still at 0.50", of: slider)
  }
}
