import DaemonSupport
import Foundation
import TestSupport
import Testing
import TouchClient
import TouchModel

/// The examples that share a window, as processes, with the built daemon and injected fingers. The
/// test holds the window, and so gets what they decline.
@Suite("Programs that share a window", .serialized)
struct SharedWindowTests {
  private let daemon: DaemonProcess
  private let control: TouchSession
  private let window: TouchSession
  private let folder: TemporaryDirectory

  init() async throws {
    let layout = Repository.root.appending(path: "examples/shared-window.toml")
    daemon = try DaemonProcess(
      try String(contentsOf: layout, encoding: .utf8)
        // Long, so that a slow machine decides nothing.
        + "[touch]\ndecision_timeout_ms = 30000\nunresponsive_after_ms = 60000\n",
      arguments: DaemonProcess.withoutDevices)
    window = try TouchSession(path: daemon.socket, name: "window", options: .reconnect)
    folder = try TemporaryDirectory()
    _ = try await window.attach(to: "home")
    control = try TouchSession(path: daemon.controlSocket, name: "control")
  }

  /// One finger along a way, lifted at its end; the daemon has routed each frame when the next one
  /// comes.
  private func drag(_ places: (Double, Double)...) async throws {
    for (index, place) in places.enumerated() {
      let point = Point(x: place.0, y: place.1)
      try await control.inject([InjectedContact(index == 0 ? .began(point) : .moved(point))])
    }
    try await control.inject([InjectedContact(.ended)])
  }

  /// What the window's program gets, up to the end of a touch.
  private func declined() async throws -> [RoutedTouch] {
    var touches: [RoutedTouch] = []
    for try await frame in window.touches {
      touches += frame.touches
      if frame.touches.contains(where: { $0.phase == .ended }) { break }
    }
    return touches
  }

  private func view(_ path: String) async throws -> DescribedView {
    let views = try await control.describe(path)
    return try #require(views.first)
  }

  private func waitForLast(_ line: String, of child: RunningProgram) async throws {
    for _ in 0..<3000 {
      guard child.lines.last != line else { break }
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(child.lines.last == line, "\(child.lines)")
  }

  @Test(
    "C: a list scrolls, its rows are picked, and what goes sideways is the window's (R5)",
    .timeLimit(.minutes(10)))
  func list() async throws {
    let program = try Program.buildC("examples/c/list.c", in: folder)
    let list = try Program.start(program, [], with: daemon)
    try await waitForLast("attached", of: list)
    try await drag((100, 300), (100, 280), (101, 200))
    try await waitForLast("scrolled to 100", of: list)
    #expect(try await view("home/list").boundsOrigin == Point(x: 0, y: 100))
    try await drag((100, 34))
    try await waitForLast("row 3", of: list)  // 34 points down of what begins at 100
    try await drag((100, 300), (130, 301), (180, 302))
    try await waitForLast("declined", of: list)
    let touches = try await declined()
    #expect(touches.first?.phase == .began && touches.last?.phase == .ended)
    #expect(touches.map(\.screenLocation.x).prefix(2) == [100, 130])
    #expect(touches.first?.flags.contains(.replayed) == true)
    #expect(touches.first?.targetPath == "home/list")
  }

  @Test("C: what the list has set it sets again for the next daemon", .timeLimit(.minutes(10)))
  func restart() async throws {
    let program = try Program.buildC("examples/c/list.c", in: folder)
    let list = try Program.start(program, [], with: daemon)
    try await waitForLast("attached", of: list)
    try await drag((100, 300), (100, 280), (101, 200))
    try await waitForLast("scrolled to 100", of: list)
    daemon.kill()
    try daemon.start()
    try await waitForLast("attached", of: list)
    let other = try TouchSession(path: daemon.controlSocket, name: "control")
    var origin: Point?
    for _ in 0..<3000 {
      guard origin != Point(x: 0, y: 100) else { break }
      try await Task.sleep(for: .milliseconds(10))
      origin = try await other.describe("home/list").first?.boundsOrigin
    }
    #expect(origin == Point(x: 0, y: 100))
  }

  @Test(
    "Swift: a drawer is pulled, opens and closes, and what goes up is the window's (R5)",
    .timeLimit(.minutes(10)))
  func drawer() async throws {
    let drawer = try Program.start(Repository.program("drawer"), [], with: daemon)
    try await waitForLast("attached", of: drawer)
    try await drag((10, 100), (60, 100), (250, 100))
    try await waitForLast("open", of: drawer)
    #expect(try await view("home/drawer").frame == Rect(x: 0, y: 0, width: 320, height: 480))
    try await drag((300, 100))
    try await waitForLast("closed", of: drawer)
    #expect(try await view("home/drawer").frame.x == -296)
    try await drag((10, 100), (11, 150))
    try await waitForLast("declined", of: drawer)
    #expect(try await declined().map(\.targetPath).first == "home/drawer")
  }

  @Test(
    "Python: two fingers zoom a photo, and one that moves is the window's (R5)",
    .timeLimit(.minutes(10)))
  func photo() async throws {
    let (python, arguments) = try Program.python("photo.py")
    let photo = try Program.start(python, arguments, with: daemon)
    try await waitForLast("attached", of: photo)
    func contacts(_ left: InjectedContact.Change, _ right: InjectedContact.Change) async throws {
      try await control.inject([
        InjectedContact(slot: 0, left), InjectedContact(slot: 1, right),
      ])
    }
    try await contacts(.began(Point(x: 550, y: 240)), .began(Point(x: 650, y: 240)))
    try await contacts(.moved(Point(x: 525, y: 240)), .moved(Point(x: 675, y: 240)))
    try await contacts(.ended, .ended)
    try await waitForLast("zoomed to 1.50", of: photo)
    #expect(try await view("home/photo").transform == AffineTransform(scaleX: 1.5, y: 1.5))
    try await drag((600, 100), (600, 130))
    try await waitForLast("declined", of: photo)
    #expect(try await declined().map(\.targetPath).first == "home/photo")
  }
}
