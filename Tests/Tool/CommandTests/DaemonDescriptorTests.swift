import DaemonSupport
import Foundation
import Glibc
import TestSupport
import Testing
import TouchClient

/// The built daemon and a program that passes it descriptors whose last close waits for 300 s.
@Suite("Daemon and passed descriptors")
struct DaemonDescriptorTests {
  private static let program =
    Repository.root.appending(path: "Tests/Whole/ServiceTests/Programs/pass_descriptors.py").path

  /// The program, once it has connected; it waits for the daemon's pid.
  private static func start(_ socket: String) throws -> (ChildProcess, FileHandle) {
    let (input, output) = (Pipe(), Pipe())
    let process = try ChildProcess(
      URL(filePath: "/usr/bin/env"), ["python3", "-B", program, socket, "300"],
      input: input.fileHandleForReading.fileDescriptor,
      output: output.fileHandleForWriting.fileDescriptor)
    try output.fileHandleForWriting.close()
    var words = Data()
    while !words.contains(10) {
      let more = output.fileHandleForReading.availableData
      try #require(!more.isEmpty, "it ended")
      words += more
    }
    return (process, input.fileHandleForWriting)
  }

  @Test("Who passes descriptors that wait to be closed is disconnected, and delays nobody (F1, F4)")
  func lingering() throws {
    // Connections that are made before the daemon has the socket may pass descriptors on every
    // kernel.
    let directory = try TemporaryDirectory()
    let path = directory.file("passed.sock")
    let listener = try UnixSocket.listening(at: path)
    defer { close(listener) }
    let (hostile, input) = try Self.start(path)
    let daemon = try DaemonProcess.started(
      in: directory,
      prelude: "export LISTEN_PID=$$ LISTEN_FDS=1 LISTEN_FDNAMES=client", passing: [listener])
    let client = try DaemonClient(path, name: "other")
    _ = try client.next(\.greeting)
    try input.write(contentsOf: Data("\(daemon.pid)\n".utf8))
    repeat {
      let ping = try client.connection.ping()
      _ = try client.next { $0 == .pong(ping) ? true : nil }
    } while hostile.isRunning
    #expect(hostile.waitForExit() == 0)
    try daemon.waitForLog("a descriptor was passed")
    kill(daemon.pid, SIGTERM)
    #expect(try daemon.waitForExit() == 0)
  }
}
