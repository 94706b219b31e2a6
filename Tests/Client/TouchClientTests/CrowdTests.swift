import DaemonSupport
import Foundation
import TestSupport
import Testing
import TouchClient
import TouchModel

/// What programs do to each other: nothing. The built daemon, programs that are processes, and in
/// each test fingers over the window of a program that behaves.
@Suite("Programs that stall, die, flood, and come in crowds", .serialized)
struct CrowdTests {
  @Test(
    "a program is stopped in the middle of a drag: it is passed by, the other is served (F3, S13)",
    .timeLimit(.minutes(10)))
  func stopped() throws {
    let drag = try Drag(timeout: 4000)
    let folder = try TemporaryDirectory()
    let program = try Program.buildC("examples/c/own_loop.c", in: folder)
    let left = try Program.start(program, ["left"], with: drag.daemon)
    try waitUntil("it is attached") { left.lines == ["left: 400 x 480 points"] }
    try drag.begin()
    let calm = try drag.move(frames: 120)
    left.signal(SIGSTOP)
    var stalled = try drag.move(frames: 120)
    try waitUntil("it is unresponsive") {
      stalled += try drag.move(frames: 10)
      return try drag.isUnresponsive(left.identifier)
    }
    stalled += try drag.move(frames: 60)
    try drag.end()
    // Its window is nobody's now.
    try drag.begin()
    try drag.end()
    #expect(try drag.count(.unresponsive) == 1)
    #expect(try drag.count(.discardedUnhandled) == 5)
    left.signal(SIGCONT)
    let downs = (1...5).map { "left: \($0) down" }
    let cancelled = (0..<5).reversed().map { "left: \($0) down (unresponsive)" }
    try waitUntil("its touches are cancelled") {
      Array(left.lines.dropFirst()) == downs + cancelled
    }
    try waitUntil("it has read everything") { try !drag.isUnresponsive(left.identifier) }
    try drag.begin()
    try drag.end()
    let ups = (0..<5).reversed().map { "left: \($0) down" }
    try waitUntil("it is served again") {
      Array(left.lines.dropFirst()) == downs + cancelled + downs + ups
    }
    drag.report("while another program is stopped", stalled, against: calm)
    try drag.finish()
  }

  @Test(
    "a program is killed with five fingers on it, and five on another's window (R7, S32)",
    .timeLimit(.minutes(10)))
  func killed() throws {
    let drag = try Drag()
    let folder = try TemporaryDirectory()
    let program = try Program.buildC("examples/c/hello.c", in: folder)
    let left = try Program.start(program, ["left"], with: drag.daemon)
    try waitUntil("it is attached") { try drag.attachments().count == 2 }
    try drag.begin()
    let calm = try drag.move(frames: 60)
    left.kill()
    let after = try drag.move(frames: 60)
    try waitUntil("it is gone") { try drag.attachments().count == 1 }
    try drag.end()
    #expect(try drag.count(.orphaned) == 5)
    drag.report("after another program was killed", after, against: calm)
    try drag.finish()
  }

  @Test(
    "floods of requests, deaf programs, garbage, and programs that vanish meanwhile (F1, F4)",
    .timeLimit(.minutes(10)))
  func floods() throws {
    let drag = try Drag()
    let folder = try TemporaryDirectory()
    let flood = try Program.buildC("Tests/Client/TouchClientTests/Programs/flood.c", in: folder)
    try drag.begin()
    let calm = try drag.move(frames: 60)
    let children = try ["asks", "deaf", "garbage", "vanishes"].map {
      try Program.start(flood, [drag.daemon.socket, $0], with: drag.daemon)
    }
    let noisy = try drag.move(frames: 120)
    #expect(!children.contains { !$0.isRunning })
    for child in children { child.kill() }
    try waitUntil("none of them is left") { try drag.clients().count == 2 }
    try drag.end()
    drag.report("under floods", noisy, against: calm)
    try drag.finish()
  }

  @Test(
    "a hundred programs connect, attach and are killed, one after the other (R7)",
    .timeLimit(.minutes(10)))
  func vanishing() throws {
    let drag = try Drag()
    let folder = try TemporaryDirectory()
    let program = try Program.buildC("examples/c/hello.c", in: folder)
    try drag.begin()
    let calm = try drag.move(frames: 60)
    var after: [UInt64] = []
    for _ in 0..<100 {
      let child = try Program.start(program, ["left"], with: drag.daemon)
      after += try drag.move(frames: 1)
      child.kill()
    }
    try waitUntil("all are gone") { try drag.clients().count == 2 }
    try drag.end()
    drag.report("while programs come and are killed", after, against: calm)
    try drag.finish()
  }

  @Test(
    "two hundred programs at once, each with the touches of its own window alone (T12)",
    .timeLimit(.minutes(10)))
  func crowd() throws {
    let small = (0..<200).reduce("") { text, window in
      text + "[[window]]\nname = \"w\(window)\"\napplication = \"crowd\"\nlevel = 1\n"
        + "frame = [\(window % 20 * 20), \(window / 20 * 48), 20, 48]\n"
    }
    let drag = try Drag(windows: small)
    let folder = try TemporaryDirectory()
    let program = try Program.buildC("examples/c/hello.c", in: folder)
    let children = try (0..<200).map {
      try Program.start(program, ["w\($0)"], with: drag.daemon)
    }
    try waitUntil("all are attached") { try drag.attachments().count == 201 }
    func contacts(_ first: Int, _ change: (Point) -> InjectedContact.Change) -> [InjectedContact] {
      (0..<10).map { slot in
        let window = first + slot
        let place = Point(x: Double(window % 20 * 20 + 9), y: Double(window / 20 * 48 + 7))
        return InjectedContact(slot: Int32(slot), change(place))
      }
    }
    for first in stride(from: 0, to: 200, by: 10) {
      try drag.inject(contacts(first) { .began($0) })
      try drag.inject(contacts(first) { _ in .ended })
    }
    for (index, child) in children.enumerated() {
      try waitUntil("program \(index) has its touch") { child.lines.count >= 2 }
      #expect(child.lines == ["began w\(index) 9.0 7.0", "ended w\(index) 9.0 7.0"])
    }
    #expect(try drag.count(.delivered) == 200)
    for child in children { child.kill() }
    try waitUntil("all are gone") { try drag.clients().count == 2 }
    try drag.finish()
  }
}
