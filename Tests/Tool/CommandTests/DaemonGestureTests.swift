import CTouchroute
import DaemonSupport
import Foundation
import TestSupport
import Testing
import TouchClient
import TouchModel

/// Gestures through the built daemon and real sockets, with injected fingers.
@Suite("Gestures of the daemon")
struct DaemonGestureTests {
  /// A pager over a list, of which the list is another program's.
  private static let pager = """
    [screen.panel]
    size = [800, 480]
    [[window]]
    name = "home"
    [[view]]
    path = "home/list"
    frame = [0, 40, 800, 400]
    [[gesture]]
    view = "home"
    name = "pages"
    kind = "pan"
    direction = "horizontal"

    """

  private func client(
    _ daemon: DaemonProcess, _ path: String, _ options: AttachOptions = []
  ) throws -> (client: DaemonClient, attachment: AttachmentID) {
    let client = try DaemonClient(daemon.socket, name: path.replacing("/", with: "-"))
    let attachment = try client.connection.attach(to: path, options: options)
    _ = try client.next(\.geometry)
    return (client, attachment)
  }

  private func inject(_ injector: DaemonClient, _ change: InjectedContact.Change) throws {
    _ = try injector.connection.inject([InjectedContact(change)])
    _ = try injector.next(\.completion)
  }

  private func gesture(_ event: TouchEvent) -> Gesture? {
    if case .gesture(let gesture) = event { gesture } else { nil }
  }

  @Test("a configured pan goes to the nearest who handles gestures; others lose it (G9, G13)")
  func configured() throws {
    let daemon = try DaemonProcess.started(Self.pager, arguments: DaemonProcess.withoutDevices)
    let home = try client(daemon, "home", .gestures)
    let list = try client(daemon, "home/list")
    let injector = try DaemonClient(daemon.controlSocket, name: "finger")
    try inject(injector, .began(Point(x: 100, y: 100)))
    #expect(try list.client.next(\.frame).touches.map(\.phase) == [.began])
    try inject(injector, .moved(Point(x: 130, y: 101)))
    let cancelled = try #require(try list.client.next(\.frame).touches.first)
    #expect(cancelled.phase == .cancelled && cancelled.cancelReason == .gesture)
    let began = try home.client.next(gesture)
    #expect(began.attachment == home.attachment && began.recognizer == nil)
    #expect(began.path == "home#pages" && began.kind == .pan && began.state == .began)
    #expect(began.location == Point(x: 130, y: 101))
    #expect(began.translation == Point(x: 30, y: 1) && began.touches == 1)
    try inject(injector, .ended)
    #expect(try home.client.next(gesture).state == .ended)
    #expect(list.client.pending().compactMap(\.frame) == [])
  }

  @Test("a program adds recognizers to what it holds, and they go when it says so (G1)")
  func added() throws {
    let daemon = try DaemonProcess.started(Self.pager, arguments: DaemonProcess.withoutDevices)
    let list = try client(daemon, "home/list", .gestures)
    let connection = list.client.connection
    var double = GestureRecognizer.tap("double", taps: 2)
    double.slop = 20
    let scroll = try connection.addGesture(.pan("scroll", .vertical), to: list.attachment)
    try connection.addGesture(double, to: list.attachment)
    _ = try list.client.next(\.completion)
    _ = try list.client.next(\.completion)
    let injector = try DaemonClient(daemon.controlSocket, name: "finger")
    for change in [InjectedContact.Change.began(Point(x: 9, y: 90)), .moved(Point(x: 9, y: 120))] {
      try inject(injector, change)
    }
    let began = try list.client.next(gesture)
    #expect(began.recognizer == scroll && began.path == "home/list#scroll")
    #expect(began.location == Point(x: 9, y: 80))
    // One that is disabled in the middle of its gesture ends first, and takes no further finger.
    let end = try connection.enableGesture(scroll, false)
    #expect(try list.client.next(gesture).cancelReason == .requested)
    #expect(try list.client.next(\.completion).serial == end)
    try inject(injector, .ended)
    for change in [InjectedContact.Change.began(Point(x: 9, y: 90)), .moved(Point(x: 9, y: 120))] {
      try inject(injector, change)
    }
    try connection.enableGesture(scroll)
    _ = try list.client.next(\.completion)
    try inject(injector, .ended)
    #expect(list.client.pending().compactMap(gesture) == [])
    for change in [InjectedContact.Change.began(Point(x: 9, y: 90)), .moved(Point(x: 9, y: 120))] {
      try inject(injector, change)
    }
    #expect(try list.client.next(gesture).state == .began)
    // What is taken away in the middle of its gesture ends it first.
    let removal = try connection.removeGesture(scroll)
    #expect(try list.client.next(gesture).cancelReason == .targetRemoved)
    #expect(try list.client.next(\.completion).serial == removal)
    try inject(injector, .ended)
    for _ in 0..<2 {
      try inject(injector, .began(Point(x: 50, y: 100)))
      try inject(injector, .ended)
    }
    let tap = try list.client.next(gesture)
    #expect(tap.state == .recognized && tap.kind == .tap && tap.taps == 2)
  }

  @Test(
    "what a program may not add is refused in words (G1, G7, F5, F6)",
    arguments: [
      ("pages", "home", "", "this attachment holds neither that view nor one that it lies in"),
      ("a b", "home/list", "", "no name"),
      ("scroll", "home/lits", "", "the nearest is \"home/list\""),
      ("scroll", "home/list", "home/list#x", "there is no gesture \"home/list#x\""),
      ("scroll", "home/list", "home/list#scroll", "after runs in a circle"),
    ])
  func refused(_ name: String, _ view: String, _ after: String, _ words: String) throws {
    let daemon = try DaemonProcess.started(
      Self.pager + "[limits]\ngestures_per_client = 1\n", arguments: DaemonProcess.withoutDevices)
    let list = try client(daemon, "home/list", .gestures)
    var recognizer = GestureRecognizer.pan(name)
    recognizer.view = view
    recognizer.after = after.isEmpty ? [] : [after]
    try list.client.connection.addGesture(recognizer, to: list.attachment)
    let text = try list.client.next(\.failure).text
    #expect(text.contains(words), "\(text)")
    let connection = list.client.connection
    try connection.addGesture(.pinch("zoom"), to: list.attachment)
    _ = try list.client.next(\.completion)
    try connection.addGesture(.rotation("turn"), to: list.attachment)
    let limit = try list.client.next(\.failure)
    #expect(limit.code == .limit && limit.text.contains("limits.gestures_per_client"))
  }

  @Test("describe tells the recognizers in force, whose they are and whether enabled (G1, G2)")
  func described() async throws {
    let back =
      "[[gesture]]\nscreen = \"panel\"\nname = \"back\"\nkind = \"edge_pan\"\n"
      + "edge = \"left\"\nto = \"home\"\npriority = true\n"
    let daemon = try DaemonProcess.started(
      Self.pager + back + "[limits]\ngestures_per_touch = 128\n",
      arguments: DaemonProcess.withoutDevices)
    let session = try TouchSession(path: daemon.socket, name: "list")
    let list = try await session.attach(to: "home/list", options: .gestures)
    var twice = GestureRecognizer.tap("twice", taps: 2)
    twice.after = ["home#pages"]
    twice.responder = "home/list"
    twice.options = [.passesEnded]
    let id = try await session.addGesture(twice, to: list.attachment)
    try await session.enableGesture(id, false)
    let all = try await session.describeGestures()
    #expect(all.map(\.path) == ["home#pages", "home/list#twice", "screen:panel#back"])
    #expect(all.map(\.program) == [nil, ProcessInfo.processInfo.processIdentifier, nil])
    #expect(all.map(\.isEnabled) == [true, false, true])
    #expect(all.map(\.view) == [0, 1, nil] && all.map(\.screen) == [nil, nil, 0])
    #expect(all[2].recognizer.options == .hasPriority && all[2].recognizer.margin == 20)
    twice.view = "home/list"
    (twice.touches, twice.slop, twice.distance) = (1...1, 18, 45)
    (twice.durationMilliseconds, twice.intervalMilliseconds) = (750, 350)
    twice.gatherMilliseconds = 150
    twice.options = [.passesEnded, .disabled]
    #expect(all[1].recognizer == twice)
    let below = try await session.describeGestures("home/list")
    #expect(below.map(\.path) == ["home/list#twice"] && below.map(\.view) == [0])
    for number in 0..<127 {
      try await session.addGesture(.tap("tap\(number)"), to: list.attachment)
    }
    #expect(try await session.describeGestures().map(\.index) == Array(2..<132))
    #expect(try await session.describe().count == 2)
  }

  @Test("an async program iterates over its gestures (G12, G16)")
  func session() async throws {
    let daemon = try DaemonProcess.started(Self.pager, arguments: DaemonProcess.withoutDevices)
    let session = try TouchSession(path: daemon.socket, name: "list")
    let list = try await session.attach(to: "home/list", options: .gestures)
    try await session.addGesture(.swipe("next", .left), to: list.attachment)
    let injector = try DaemonClient(daemon.controlSocket, name: "finger")
    try inject(injector, .began(Point(x: 300, y: 100)))
    for x in [280.0, 250, 220] { try inject(injector, .moved(Point(x: x, y: 100))) }
    for try await gesture in session.gestures {
      #expect(gesture.state == .recognized && gesture.direction == .left)
      #expect(gesture.path == "home/list#next")
      break
    }
  }

  @Test("after a new start of the daemon recognizers are there again by themselves (G1)")
  func reconnection() throws {
    let daemon = try DaemonProcess.started(Self.pager, arguments: DaemonProcess.withoutDevices)
    let connection = try TouchConnection(path: daemon.socket, name: "list", options: .reconnect)
    let attachment = try connection.attach(to: "home/list", options: .gestures)
    let scroll = try connection.addGesture(.pan("scroll", .vertical), to: attachment)
    func wait<Value>(_ pick: (TouchEvent) -> Value?) throws -> Value {
      var found: Value?
      for _ in 0..<3000 {
        try connection.dispatch(timeoutMilliseconds: 10) { found = found ?? pick($0) }
        if let found { return found }
      }
      throw DaemonClient.Silence()
    }
    /// Nothing tells that what was added is there again: it is once what comes behind it is.
    func waitUntilAddedAgain() throws {
      _ = try wait(\.geometry)
      let ping = try connection.ping()
      _ = try wait { $0 == .pong(ping) ? true : nil }
    }
    _ = try wait(\.completion)
    var injector = try DaemonClient(daemon.controlSocket, name: "finger")
    try inject(injector, .began(Point(x: 9, y: 90)))
    try inject(injector, .moved(Point(x: 9, y: 120)))
    #expect(try wait(gesture).state == .began)
    daemon.kill()
    let lost = try wait(gesture)
    #expect(lost.state == .cancelled && lost.cancelReason == .connectionLost)
    try daemon.start()
    try daemon.wait(for: "READY=1")
    try waitUntilAddedAgain()
    injector = try DaemonClient(daemon.controlSocket, name: "finger")
    try inject(injector, .began(Point(x: 9, y: 90)))
    try inject(injector, .moved(Point(x: 9, y: 120)))
    let again = try wait(gesture)
    #expect(again.state == .began && again.recognizer == scroll)
    // One that was disabled is added so again.
    #expect(try connection.enableGesture(scroll, false) != nil)
    _ = try wait(\.completion)
    daemon.kill()
    while (try? connection.enableGesture(scroll, false)) != .some(nil) {
      try connection.dispatch(timeoutMilliseconds: 10) { _ in }
    }
    try daemon.start()
    try daemon.wait(for: "READY=1")
    try waitUntilAddedAgain()
    injector = try DaemonClient(daemon.controlSocket, name: "finger")
    try inject(injector, .began(Point(x: 9, y: 90)))
    try inject(injector, .moved(Point(x: 9, y: 120)))
    _ = try connection.ping()
    let isGesture = try wait { event -> Bool? in
      if case .pong = event { false } else { gesture(event).map { _ in true } }
    }
    #expect(!isGesture)
  }
}
