import Glibc
import TestSupport
import TouchClient
import TouchModel
import TouchScripts

/// The bytes of a script of `touchroute inject` or `test`. One that is refused is refused with a
/// line; the frames of one that is good are each taken or refused by the daemon.
struct InjectInput {
  private let input: [UInt8]

  /// Frames that are played; those behind are left out.
  private static let mostFrames = 32

  init(_ input: [UInt8]) { self.input = input }

  func play() throws {
    let daemon = try FuzzedDaemon(House.configuration())
    let file = try daemon.folder.write("script", input)
    // With the lines of `touchroute test`, and then as inject takes it.
    _ = try script(file, taking: [.programs, .screens, .expectations])
    guard let script = try script(file) else { return }
    try play(script.steps.map(\.step), to: daemon)
    try daemon.check()
  }

  /// Reads it; nil where it is refused.
  private func script(
    _ file: String, taking extras: InjectScript.Extras = []
  ) throws -> InjectScript? {
    do throws(ScriptError) { return try InjectScript(file: file, taking: extras) } catch {
      guard error.sentence.hasPrefix("\(file):") else {
        throw Finding("refused without a line: \(error.sentence)")
      }
      return nil
    }
  }

  private func play(_ steps: [InjectScript.Step], to daemon: FuzzedDaemon) throws {
    let injector = try TouchConnection(path: daemon.controlSocket, name: "injector")
    // Closed alone it would not hang up: a process that another test is just starting has it too.
    defer { shutdown(injector.descriptor, Int32(SHUT_RDWR)) }
    var frames = 0
    for step in steps {
      switch step {
      case .screen(let name):
        guard !name.isEmpty else { throw Finding("a screen without a name") }
      case .wait(let milliseconds):
        guard (0...3_600_000).contains(milliseconds) else {
          throw Finding("a pause of \(milliseconds) ms")
        }
      case .frame(let contacts):
        frames += 1
        if frames <= Self.mostFrames { try inject(contacts, by: injector, daemon) }
      case .accept, .decline, .power, .lock, .unlock, .expect:
        throw Finding("a line that inject does not take")
      }
    }
  }

  private func inject(
    _ contacts: [InjectedContact], by injector: TouchConnection, _ daemon: FuzzedDaemon
  ) throws {
    let serial: Serial
    do throws(TouchClientError) { serial = try injector.inject(contacts, screen: 0) } catch {
      guard error.kind == .request else { throw Finding("inject: \(error)") }
      return
    }
    var isAnswered = false
    for _ in 0..<8 {
      guard !isAnswered else { break }
      try daemon.settle()
      try injector.dispatch { isAnswered = isAnswered || $0.serial == serial }
    }
    guard isAnswered else { throw Finding("a frame was neither taken nor refused") }
  }
}
