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
  /// A daemon with the layout of an example, in which a slow machine decides nothing.
  private static func daemon(
    _ name: String, replacing text: String = "", with other: String = ""
  ) throws -> DaemonProcess {
    let path = Repository.root.appending(path: "examples/gestures/\(name).toml")
    let layout = try String(contentsOf: path, encoding: .utf8)
    return try DaemonProcess(
      (text.isEmpty ? layout : layout.replacing(text, with: other))
        + "[touch]\ndecision_timeout_ms = 30000\nunresponsive_after_ms = 60000\n",
      arguments: DaemonProcess.withoutDevices)
  }

  private func waitForLast(_ line: String, of child: RunningProgram) async throws {
    for _ in 0..<3000 {
      guard child.lines.last != line else { break }
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(child.lines.last == line, "\(child.lines)")
  }

  @Test(
    "Python: a slider goes with its finger, and back where that is cancelled (R5)",
    .timeLimit(.minutes(10)))
  func slider() async throws {
    let (python, arguments) = try Program.python("slider.py")
    let daemon = try Self.daemon("control")
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

  @Test(
    "C: pages are turned over a list, whose program loses the finger at once (G9)",
    .timeLimit(.minutes(10)))
  func pager() async throws {
    let folder = try TemporaryDirectory()
    let daemon = try Self.daemon("pager")
    let program = try Program.buildC("examples/c/pager.c", in: folder)
    let pager = try Program.start(program, [], with: daemon)
    try await waitForLast("attached", of: pager)
    let list = try TouchSession(path: daemon.socket, name: "list")
    _ = try await list.attach(to: "home/list", options: .gestures)
    let control = try TouchSession(path: daemon.controlSocket, name: "control")
    func drag(_ places: (Double, Double)...) async throws {
      for (index, place) in places.enumerated() {
        let point = Point(x: place.0, y: place.1)
        try await control.inject([InjectedContact(index == 0 ? .began(point) : .moved(point))])
      }
      try await control.inject([InjectedContact(.ended)])
    }
    // More than half a page to the left.
    try await drag((700, 240), (600, 241), (200, 242))
    try await waitForLast("page 2", of: pager)
    var told: [String] = []
    for try await event in list.events {
      if case .touches(let frame) = event { told += frame.touches.map { "\($0.phase)" } }
      if told.count == 2 { break }
    }
    #expect(told == ["began", "cancelled"])
    // And one that scrolls.
    try await drag((400, 240), (401, 300))
    var states: [String] = []
    for try await gesture in list.gestures {
      states.append("\(gesture.path) \(gesture.state)")
      if gesture.state == .ended { break }
    }
    #expect(states == ["home/list#scroll began", "home/list#scroll ended"])
    #expect(pager.lines == ["attached", "page 2"])
  }

  @Test(
    "Python: a double tap zooms, a tap opens, and an open photo has no double tap (G2, G7)",
    .timeLimit(.minutes(10)))
  func viewer() async throws {
    let (python, arguments) = try Program.python("viewer.py")
    // So long that on a slow machine a tap is a tap, and a second one comes in time.
    let daemon = try Self.daemon(
      "double-tap", replacing: "kind = \"tap\"",
      with: "kind = \"tap\"\nduration_ms = 60000\ninterval_ms = 10000")
    let viewer = try Program.start(python, arguments, with: daemon)
    try await waitForLast("attached", of: viewer)
    let control = try TouchSession(path: daemon.controlSocket, name: "control")
    func tap(_ count: Int) async throws {
      for _ in 0..<count {
        try await control.inject([InjectedContact(.began(Point(x: 400, y: 240)))])
        try await control.inject([InjectedContact(.ended)])
      }
    }
    try await tap(2)
    try await waitForLast("zoomed", of: viewer)
    try await tap(1)
    try await waitForLast("opened", of: viewer)
    while try await control.describeGestures().contains(where: {
      $0.path == "photo#zoom" && $0.isEnabled
    }) {}
    try await tap(1)
    try await waitForLast("closed", of: viewer)
    #expect(viewer.lines == ["attached", "zoomed", "opened", "closed"])
  }

  @Test(
    "Swift: a map is moved, zoomed and turned by two fingers at once (G6, G16)",
    .timeLimit(.minutes(10)))
  func map() async throws {
    let daemon = try Self.daemon("map")
    let map = try Program.start(Repository.program("map"), [], with: daemon)
    try await waitForLast("attached", of: map)
    let control = try TouchSession(path: daemon.controlSocket, name: "control")
    func right(_ x: Double, _ y: Double) -> InjectedContact {
      InjectedContact(slot: 1, .moved(Point(x: x, y: y)))
    }
    try await control.inject([
      InjectedContact(.began(Point(x: 300, y: 240))),
      InjectedContact(slot: 1, .began(Point(x: 400, y: 240))),
    ])
    try await control.inject([right(450, 240)])
    try await control.inject([right(450, 300)])
    try await control.inject([InjectedContact(.ended), InjectedContact(slot: 1, .ended)])
    try await waitForLast("turned 22", of: map)
    #expect(map.lines == ["attached", "at 25, 30", "scale 162 %", "turned 22"])
    // One that is cut short leaves all as it was.
    try await control.inject([InjectedContact(.began(Point(x: 300, y: 240)))])
    try await control.inject([InjectedContact(.moved(Point(x: 400, y: 240)))])
    try await control.inject([InjectedContact(.cancelled)])
    try await waitForLast("at 25, 30", of: map)
  }

  @Test(
    "Python: a menu opens over another's icon, and the program adds what closes it (G1, G9)",
    .timeLimit(.minutes(10)))
  func menu() async throws {
    let (python, arguments) = try Program.python("menu.py")
    let daemon = try Self.daemon("menu")
    let menu = try Program.start(python, arguments, with: daemon)
    try await waitForLast("ready", of: menu)
    let icon = try TouchSession(path: daemon.socket, name: "icon")
    _ = try await icon.attach(to: "desk/mail")
    let control = try TouchSession(path: daemon.controlSocket, name: "control")
    try await control.inject([InjectedContact(.began(Point(x: 80, y: 80)))])
    var told: [String] = []
    for try await frame in icon.touches {
      told += frame.touches.map { "\($0.phase) \($0.cancelReason.map { "\($0)" } ?? "")" }
      if frame.touches.contains(where: { $0.phase == .cancelled }) { break }
    }
    #expect(told == ["began ", "cancelled gesture"])
    try await waitForLast("menu at 80, 80", of: menu)
    try await control.inject([InjectedContact(.ended)])
    try await control.inject([
      InjectedContact(slot: 1, .began(Point(x: 300, y: 300))),
      InjectedContact(slot: 2, .began(Point(x: 360, y: 300))),
    ])
    try await control.inject([InjectedContact(slot: 1, .ended), InjectedContact(slot: 2, .ended)])
    try await waitForLast("closed", of: menu)
    #expect(menu.lines == ["attached", "ready", "menu at 80, 80", "closed"])
  }
}
