import TestSupport
package import TouchClient

/// The built daemon without devices, whose fingers a test injects. A program that stops for long,
/// as under a debugger, is neither declined for nor unresponsive.
package final class InjectedFingers {
  package let daemon: DaemonProcess
  /// Who injects, over the control socket.
  package private(set) var control: TouchSession

  /// Starts the daemon, and waits until it is up.
  ///
  /// - Parameter layout: The text of its configuration, but for the section `[touch]`.
  package init(_ layout: String) throws {
    let patience = "\n[touch]\ndecision_timeout_ms = 30000\nunresponsive_after_ms = 60000\n"
    daemon = try DaemonProcess.started(layout + patience, arguments: DaemonProcess.withoutDevices)
    control = try TouchSession(path: daemon.controlSocket, name: "control")
  }

  /// Starts the daemon once more, after its end; further fingers are the new one's.
  package func restart() throws {
    try daemon.start()
    try daemon.wait(for: "READY=1")
    control = try TouchSession(path: daemon.controlSocket, name: "control")
  }

  /// Frames of one finger.
  package func inject(_ changes: InjectedContact.Change..., slot: Int32 = 0) async throws {
    for change in changes { try await control.inject([InjectedContact(slot: slot, change)]) }
  }

  /// Waits until somebody holds the responder; 30 seconds are the bound of failure.
  package func waitForHolder(of path: String = "home") async throws {
    for _ in 0..<3000 {
      if try await control.describe(path).first?.holder != nil { return }
      try await Task.sleep(for: .milliseconds(10))
    }
    throw Missing("nobody has attached to \(path); the daemon's log: \(daemon.log)")
  }
}
