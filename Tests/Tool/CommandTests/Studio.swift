import DaemonSupport
import Foundation
import TestSupport
import TouchClient
import TouchModel

/// A daemon, a record of it, and programs.
struct Studio {
  let daemon: DaemonProcess
  let recorder: RunningProgram
  let record: String

  init(_ configuration: String, _ options: [String] = []) throws {
    daemon = try DaemonProcess.started(configuration, arguments: DaemonProcess.withoutDevices)
    record = daemon.directory.file("record.jsonl")
    recorder = try RunningProgram(
      Command.tool, ["record", record] + options,
      environment: ["TOUCHROUTE_SOCKET": daemon.socket])
    if options.isEmpty { try wait { $0.contains("touchroute-record") } } else { try observed() }
  }

  /// What is written.
  var text: String { (try? String(contentsOfFile: record, encoding: .utf8)) ?? "" }

  func wait(until isThere: (String) -> Bool) throws {
    for _ in 0..<3000 {
      guard !isThere(text) else { break }
      usleep(10_000)
    }
    guard isThere(text) else { throw DaemonClient.Silence() }
  }

  /// Waits until somebody observes.
  private func observed() throws {
    for _ in 0..<3000 {
      if try run("status", "--json").output.contains("\"observer\"") { return }
      usleep(10_000)
    }
    throw DaemonClient.Silence()
  }

  func run(_ words: String...) throws -> Command.Result { try run(words) }

  func run(_ words: [String]) throws -> Command.Result {
    try Command.run(words, environment: ["TOUCHROUTE_SOCKET": daemon.socket])
  }

  func client(_ path: String, options: AttachOptions = []) throws -> DaemonClient {
    let client = try DaemonClient(daemon.socket, name: path)
    _ = try client.connection.attach(to: path, options: options)
    _ = try client.next(\.geometry)
    return client
  }

  /// Plays the record with a configuration.
  func compare(_ configuration: String, json: Bool = false) throws -> Command.Result {
    try daemon.directory.write("new.toml", configuration)
    return try run(
      ["play", "--dry", "--compare", "--config", daemon.directory.file("new.toml"), record]
        + (json ? ["--json"] : []))
  }
}

/// A touchscreen that a test makes up: each frame is routed when the call returns.
final class InjectedFrames {
  private let control: DaemonClient

  init(_ daemon: DaemonProcess) throws {
    control = try DaemonClient(daemon.controlSocket, name: "control")
  }

  func frame(_ contacts: [InjectedContact]) throws {
    _ = try control.connection.inject(contacts)
    let refusal = try control.next { event -> String?? in
      event.completion.map { _ in .some(nil) } ?? event.failure.map { .some($0.text) }
    }
    if let refusal { throw Refused(text: refusal) }
  }

  func set(_ changes: [ViewChange]) throws {
    _ = try control.connection.set(changes)
    _ = try control.next { $0.completion != nil || $0.failure != nil ? true : nil }
  }

  struct Refused: Error {
    let text: String
  }
}
