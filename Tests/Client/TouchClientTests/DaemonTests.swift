import DaemonSupport
import Foundation
import TestSupport
import Testing
import TouchClient
import TouchModel

/// The client against the built daemon.
@Suite("The daemon")
struct DaemonTests {
  private func session(_ daemon: DaemonProcess, control: Bool = false) throws -> TouchSession {
    let path = control ? daemon.controlSocket : daemon.socket
    return try TouchSession(path: path, name: "tests", options: .reconnect)
  }

  @Test("attaching tells where each kind of responder is (R1)", .timeLimit(.minutes(10)))
  func attach() async throws {
    let daemon = try DaemonProcess(homeLayout, arguments: DaemonProcess.withoutDevices)
    let session = try session(daemon)
    let window = try await session.attach(to: "home")
    #expect(window.frame == Rect(x: 100, y: 0, width: 700, height: 480))
    #expect(window.bounds == Rect(x: 0, y: 0, width: 700, height: 480))
    #expect(window.transform == AffineTransform(translationX: -100, y: 0))
    #expect(window.viewCount == 3)
    #expect(window.screen == 0)
    let view = try await session.attach(to: "home/list", handles: [.began, .ended])
    #expect(view.frame == Rect(x: 110, y: 20, width: 350, height: 400))
    #expect(view.viewCount == 1)
    _ = try await session.attach(to: "home/list@scroller")
    let application = try await session.attach(to: "app:dashboard")
    #expect(application.screen == nil)
    #expect(application.viewCount == 3)
    try await session.detach(view.attachment)
    let again = try await session.attach(to: "home/list")
    #expect(again.attachment != view.attachment)
  }

  @Test(
    "nobody waits for an answer that a task which waits for touches has read",
    .timeLimit(.minutes(10)))
  func answersReadByOthers() async throws {
    let daemon = try DaemonProcess(homeLayout, arguments: DaemonProcess.withoutDevices)
    let session = try session(daemon)
    _ = try await session.attach(to: "home")
    try await withThrowingTaskGroup { tasks in
      tasks.addTask { for try await _ in session.events {} }
      // They keep tasks waiting for a thread, so that which of two comes first varies.
      for _ in 0..<4 {
        tasks.addTask {
          while !Task.isCancelled {
            usleep(100)
            await Task.yield()
          }
        }
      }
      for _ in 0..<2000 { try await session.ping() }
      tasks.cancelAll()
    }
  }

  @Test(
    "refusals say what is wrong: no such responder, held, not attached", .timeLimit(.minutes(10)))
  func refusals() async throws {
    let daemon = try DaemonProcess(homeLayout, arguments: DaemonProcess.withoutDevices)
    let first = try session(daemon)
    _ = try await first.attach(to: "home/button")
    let second = try session(daemon)
    let held = await #expect(throws: TouchClientError.self) {
      _ = try await second.attach(to: "home/button")
    }
    #expect(held?.kind == .refused(.held))
    #expect(held?.description.contains("is held by pid") == true)
    let missing = await #expect(throws: TouchClientError.self) {
      _ = try await second.attach(to: "home/buton")
    }
    #expect(missing?.kind == .refused(.noResponder))
    #expect(missing?.description.contains("home/button") == true)
    let control = await #expect(throws: TouchClientError.self) { _ = try await second.status() }
    #expect(control?.kind == .refused(.notAllowed))
  }

  @Test("taking over detaches the holder, who is told (R2)", .timeLimit(.minutes(10)))
  func takeOver() async throws {
    let daemon = try DaemonProcess(homeLayout, arguments: DaemonProcess.withoutDevices)
    let first = try session(daemon)
    let held = try await first.attach(to: "home")
    let second = try session(daemon)
    _ = try await second.attach(to: "home", options: .takeOver)
    for try await event in first.events {
      guard case .detached(let detachment) = event else { continue }
      #expect(detachment.attachment == held.attachment)
      #expect(detachment.reason == .takenOver)
      #expect(!detachment.text.isEmpty)
      break
    }
  }

  @Test("describe lists every view over several pages, with who holds it", .timeLimit(.minutes(10)))
  func describe() async throws {
    let views = (0..<300).map {
      "[[view]]\npath = \"home/v\($0)\"\nframe = [\($0), 0, 10, 10.5]\nhidden = \($0 % 2 == 1)\n"
    }
    let daemon = try DaemonProcess(
      homeLayout + views.joined(separator: "\n"), arguments: DaemonProcess.withoutDevices)
    let session = try session(daemon)
    _ = try await session.attach(to: "home/v7")
    let described = try await session.describe("home")
    #expect(described.count == 303)
    #expect(described.map(\.index) == (0..<303).map { UInt32($0) })
    #expect(described[0].parent == nil)
    #expect(described[1].controller == "scroller")
    let seventh = try #require(described.first { $0.path == "home/v7" })
    #expect(seventh.frame == Rect(x: 7, y: 0, width: 10, height: 10.5))
    #expect(seventh.flags == .hidden)
    #expect(seventh.parent == 0)
    #expect(seventh.holder != nil)
    #expect(try await session.describe().count == 303)
    #expect(try await session.describe("home/v7").count == 1)
  }

  @Test("status shows this client and what it holds", .timeLimit(.minutes(10)))
  func status() async throws {
    let daemon = try DaemonProcess(homeLayout, arguments: DaemonProcess.withoutDevices)
    let program = try session(daemon)
    _ = try await program.attach(to: "home", handles: [.began, .moved], passes: .moved)
    let control = try session(daemon, control: true)
    try await control.observe()
    var clients: [ClientStatus] = []
    var attachments: [AttachmentStatus] = []
    for item in try await control.status() {
      switch item {
      case .daemon(let status):
        #expect(status.windowCount == 1)
        #expect(status.viewCount == 3)
        #expect(status[.violations] == 0)
        #expect(status.configuration.hasSuffix("touchroute.toml"))
      case .client(let status): clients.append(status)
      case .attachment(let status): attachments.append(status)
      case .waiting: Issue.record("nobody waits")
      case .lock: Issue.record("no screen is locked")
      case .inhibitor: Issue.record("nobody inhibits idle")
      case .screen(let screen): #expect(screen.name == "panel" && screen.state == .on)
      case .device, .signal: Issue.record("the tests' seat has a device")
      }
    }
    #expect(Set(clients.map(\.flags)) == [[], [.control, .observer]])
    #expect(clients.allSatisfy { $0.name == "tests" })
    #expect(attachments.map(\.path) == ["home"])
    #expect(attachments.map(\.handles) == [[.began, .moved]])
    #expect(attachments.map(\.passes) == [.moved])
    try await control.observe(false)
    try await control.ping()
  }

  @Test(
    "a reload moves one view and takes another away: layout, detached (R8)",
    .timeLimit(.minutes(10))
  )
  func reload() async throws {
    let daemon = try DaemonProcess(homeLayout, arguments: DaemonProcess.withoutDevices)
    let program = try session(daemon)
    let list = try await program.attach(to: "home/list")
    let button = try await program.attach(to: "home/button")
    let control = try session(daemon, control: true)
    let remaining = homeLayout.components(separatedBy: "[[view]]").dropLast()
      .joined(separator: "[[view]]")
    try daemon.write(remaining.replacingOccurrences(of: "[10, 20, 350", with: "[10, 50, 350"))
    #expect(try await control.reload() != "")
    var moved: AttachmentGeometry?
    var gone: Detachment?
    for try await event in program.events {
      switch event {
      case .layout(let geometry): moved = geometry
      case .detached(let detachment): gone = detachment
      default: break
      }
      if moved != nil, gone != nil { break }
    }
    #expect(moved?.attachment == list.attachment)
    #expect(moved?.frame == Rect(x: 110, y: 50, width: 350, height: 400))
    #expect(moved?.generation ?? 0 > list.generation)
    #expect(gone?.attachment == button.attachment)
    #expect(gone?.reason == .removed)

    try daemon.write("[screen.panel]\nsize = 3\n")
    let refused = await #expect(throws: TouchClientError.self) { _ = try await control.reload() }
    #expect(refused?.kind == .refused(.invalid))
    #expect(refused?.description.contains("touchroute.toml:2:") == true)
  }

  @Test("a restart is survived: stopped politely, and killed", .timeLimit(.minutes(10)))
  func restart() async throws {
    let daemon = try DaemonProcess(homeLayout, arguments: DaemonProcess.withoutDevices)
    let session = try session(daemon)
    let held = try await session.attach(to: "home")
    for isPolite in [true, false] {
      if isPolite { try daemon.stop() } else { daemon.kill() }
      try daemon.start()
      var isClosing = false
      var isLost = false
      for try await event in session.events {
        switch event {
        case .closing(let notice): isClosing = notice.reason == .stopping
        case .lost: isLost = true
        default: break
        }
        if case .attached(let geometry) = event, isLost {
          #expect(geometry.attachment == held.attachment)
          break
        }
      }
      #expect(isClosing == isPolite)
    }
  }

  @Test(
    "after a crash recognizers come back in the order in which they were added (G5)",
    .timeLimit(.minutes(10)))
  func recognizersBack() async throws {
    let daemon = try DaemonProcess(homeLayout, arguments: DaemonProcess.withoutDevices)
    let session = try session(daemon)
    let home = try await session.attach(to: "home")
    let row = Subview("row", frame: Rect(x: 0, y: 0, width: 10, height: 10))
    try await session.changeViews([.add(row)], in: home.attachment)
    let held = try await session.attach(to: "home/row")
    let first = try await session.addGesture(.pan("first"), to: home.attachment)
    _ = try await session.addGesture(.tap("double", taps: 2), to: home.attachment)
    _ = try await session.addGesture(.tap("in"), to: held.attachment)
    try await session.removeGesture(first)
    // It gets the place of the first one in the library, and names the others.
    var last = GestureRecognizer.tap("single")
    last.after = ["home#double", "home/row#in"]
    _ = try await session.addGesture(last, to: home.attachment)
    daemon.kill()
    try daemon.start()
    try daemon.wait(for: "READY=1")
    let control = try self.session(daemon, control: true)
    for try await event in session.events {
      if case .attached(let geometry) = event, geometry.attachment == held.attachment { break }
    }
    var paths: [String] = []
    while paths.count < 3 { paths = try await control.describeGestures().map(\.path) }
    #expect(paths == ["home#double", "home#single", "home/row#in"])
  }
}
