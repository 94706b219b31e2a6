import Foundation
import Testing

/// The built daemon as a process, with a configuration of the test's own and no device.
final class Daemon {
  /// Where its programs connect.
  var socket: String { folder.url.appending(path: "touchroute.sock").path }
  /// Where those connect who observe and steer.
  var controlSocket: String { folder.url.appending(path: "control.sock").path }

  private let folder: TemporaryFolder
  private var process: Process?

  /// Starts the daemon; its sockets may not be there yet.
  init(configuration: String) throws {
    folder = try TemporaryFolder()
    try write(configuration)
    try start()
  }

  deinit { kill() }

  /// Replaces the configuration; the daemon does not read it by itself.
  func write(_ configuration: String) throws {
    let file = folder.url.appending(path: "touchroute.toml")
    try configuration.write(to: file, atomically: true, encoding: .utf8)
  }

  /// Starts it once more.
  func start() throws {
    let process = Process()
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: "touchrouted")
    // A seat of which there is no device, whatever the machine has.
    process.arguments = [
      "--config", folder.url.appending(path: "touchroute.toml").path, "--socket", socket,
      "--control-socket", controlSocket, "--seat", "seat-of-the-tests", "--log-level", "error",
    ]
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    self.process = process
  }

  /// Asks it to stop and waits until it has.
  func stop() {
    process?.terminate()
    process?.waitUntilExit()
    process = nil
  }

  /// Ends it without asking.
  func kill() {
    if let process { Foundation.kill(process.processIdentifier, SIGKILL) }
    process?.waitUntilExit()
    process = nil
  }

  /// The layout of most tests: a window with two views, one with a controller.
  static let layout = """
    [screen.panel]
    size = [800, 480]

    [[window]]
    name = "home"
    screen = "panel"
    frame = [100, 0, 700, 480]
    application = "dashboard"

    [[view]]
    path = "home/list"
    frame = [10, 20, 350, 400]
    controller = "scroller"

    [[view]]
    path = "home/button"
    frame = [400, 10, 100, 40]

    """
}
