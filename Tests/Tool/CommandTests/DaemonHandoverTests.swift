import DaemonSupport
import Foundation
import Glibc
import TestSupport
import Testing
import TouchClient
import TouchModel

/// The built daemon, replaced by another one while its clients are connected.
@Suite("Daemon handover")
struct DaemonHandoverTests {
  @Test("A restart keeps views of programs, what is set of them, and who holds them (L7, R9)")
  func views() throws {
    let first = try DaemonProcess.started(prelude: DaemonProcess.keeping)
    let nav = try DaemonClient(first.socket, name: "nav-app")
    let toolbar = try nav.connection.attach(to: "home/toolbar")
    _ = try nav.next(\.geometry)
    try nav.connection.addViews(in: toolbar) {
      Subview("page", frame: Rect(x: 0, y: 0, width: 100, height: 50), controller: "pages") {
        Subview("key", frame: Rect(x: 1, y: 2, width: 3, height: 4), .shape(.rounded(radius: 0.1)))
      }
    }
    _ = try nav.next(\.completion)
    _ = try nav.connection.attach(to: "home/toolbar/page/key")
    let key = try nav.next(\.geometry).attachment
    _ = try nav.connection.attach(to: "home/toolbar/page@pages")
    _ = try nav.next(\.geometry)
    try nav.connection.changeViews([.change("page/key", [.alpha(0.25)])], in: toolbar)
    _ = try nav.next(\.completion)

    let kept = try first.stopKeeping()
    let second = try first.successor(with: kept)
    _ = try nav.next { $0.newLayout?.attachment == key ? true : nil }
    _ = try nav.connection.describe("home/toolbar/page")
    let page = try nav.next(\.view)
    #expect(page.frame == Rect(x: 0, y: 0, width: 100, height: 50))
    #expect(try nav.next(\.view).alpha == 0.25)
    // It goes on with them as before.
    try nav.connection.changeViews([.remove("page")], in: toolbar)
    #expect(try nav.next(\.detachment).reason == .removed)
    withExtendedLifetime(second) {}
  }

  @Test("A restart with a smaller window drops views that programs have added beyond it (L6, R9)")
  func smallerWindow() throws {
    func layout(_ width: Int) -> String {
      """
      [screen.panel]
      size = [800, 480]
      [[window]]
      name = "home"
      frame = [0, 0, \(width), 480]
      inside = "children"
      """
    }
    let first = try DaemonProcess.started(layout(400), prelude: DaemonProcess.keeping)
    let nav = try DaemonClient(first.socket, name: "nav-app")
    let home = try nav.connection.attach(to: "home")
    _ = try nav.next(\.geometry)
    try nav.connection.addViews(in: home) {
      Subview("far", frame: Rect(x: 300, y: 0, width: 100, height: 50))
    }
    _ = try nav.next(\.completion)
    let kept = try first.stopKeeping()
    let second = try first.successor(with: kept, layout(200))
    _ = try nav.next(\.newLayout)
    _ = try nav.connection.describe("home/far")
    #expect(try nav.next(\.failure).code == .noResponder)
    withExtendedLifetime(second) {}
  }

  @Test("A lock of a client that leaves during a restart ends, an administrator's stays (D9, S38)")
  func lockOfWhoLeaves() throws {
    let text = """
      [screen.panel]
      size = [800, 480]
      [[window]]
      name = "home"
      frame = [0, 0, 800, 480]
      [[access]]
      path = "screen:panel"
      users = ["\(getuid())"]
      """
    for isControl in [false, true] {
      let first = try DaemonProcess.started(text, prelude: DaemonProcess.keeping)
      var nav: DaemonClient? = try DaemonClient(
        isControl ? first.controlSocket : first.socket, name: "nav-app")
      _ = try nav?.connection.lock("panel", milliseconds: 3_600_000)
      _ = try nav?.next(\.completion)
      let kept = try first.stopKeeping()
      nav = nil
      let second = try first.successor(with: kept, text)
      let control = try DaemonClient(second.controlSocket, name: "control")
      _ = try control.connection.unlock("panel")
      let event = try control.next { $0.completion != nil || $0.failure != nil ? $0 : nil }
      #expect((event.completion != nil) == isControl, "\(event)")
      withExtendedLifetime(nav) {}
    }
  }

  @Test("To observers a client has one number over a restart, and they hear of the layout (F7, R9)")
  func observed() throws {
    func change(_ event: TouchEvent) -> ObservedChange? {
      if case .observedChange(let change) = event { change } else { nil }
    }
    let first = try DaemonProcess.started(prelude: DaemonProcess.keeping)
    let control = try DaemonClient(first.controlSocket, name: "control")
    _ = try control.connection.observeChanges()
    _ = try control.next(\.completion)
    // The slots of the first two are free later.
    var early: [DaemonClient] = try (0..<2).map { try DaemonClient(first.socket, name: "\($0)") }
    for client in early { _ = try client.next(\.greeting) }
    var nav: DaemonClient? = try DaemonClient(first.socket, name: "nav-app")
    _ = try nav?.connection.attach(to: "home/toolbar")
    let attached = try control.next { change($0).flatMap { $0.kind == .attached ? $0 : nil } }
    early.removeAll()
    for _ in 0..<2 { _ = try control.next { change($0)?.kind == .gone ? true : nil } }
    let kept = try first.stopKeeping()
    let second = try first.successor(with: kept)
    _ = try control.next { change($0)?.kind == .layout ? true : nil }
    _ = try nav?.next(\.newLayout)
    nav = nil
    let gone = try control.next { change($0).flatMap { $0.kind == .gone ? $0 : nil } }
    #expect(gone.client == attached.client)
    withExtendedLifetime(second) {}
  }

  @Test("A restart gives no user another share of the numbers (F5, S15, S16)")
  func shares() throws {
    let first = try DaemonProcess.started(prelude: DaemonProcess.keeping)
    let nav = try DaemonClient(first.socket, name: "nav-app")
    let toolbar = try nav.connection.attach(to: "home/toolbar")
    _ = try nav.next(\.geometry)
    _ = try nav.connection.addGesture(.pan("drag"), to: toolbar)
    _ = try nav.next(\.completion)
    let kept = try first.stopKeeping()
    // As though it had used up its share of both: a later line says what is so.
    let state = try #require(kept.named("handover").first)
    var text = [UInt8](repeating: 0, count: 65_536)
    let count = pread(state, &text, text.count, 0)
    let before = String(decoding: text.prefix(count), as: UTF8.self)
    #expect(before.contains("\nused \(getuid()) 1 1\n"))
    let used = "used \(getuid()) 67108864 33554432\n"
    try #require(pwrite(state, used, used.utf8.count, count) == used.utf8.count)
    let second = try first.successor(with: kept)
    _ = try nav.next(\.newLayout)
    _ = try nav.connection.attach(to: "home/dial")
    #expect(try nav.next(\.failure).text.contains("have attached 67108864 times"))
    _ = try nav.connection.addGesture(.pan("drag2"), to: toolbar)
    #expect(try nav.next(\.failure).text.contains("have added gestures 33554432 times"))
    withExtendedLifetime(second) {}
  }

  @Test("No label that a program gives its view has a restart lose the clients (R9, S54)")
  func labels() throws {
    let first = try DaemonProcess.started(prelude: DaemonProcess.keeping)
    let other = try DaemonClient(first.socket, name: "other")
    _ = try other.connection.attach(to: "home/dial")
    _ = try other.next(\.geometry)
    let nav = try DaemonClient(first.socket, name: "nav-app")
    let toolbar = try nav.connection.attach(to: "home/toolbar")
    _ = try nav.next(\.geometry)
    let labels = ["\u{301}", "\u{200d}", "\u{20dd}:\u{301}", "\u{1f1e9}", " \u{fe0f}", "set 5"]
    for (index, label) in labels.enumerated() {
      try nav.connection.addViews(in: toolbar) {
        Subview("row-\(index)", frame: Rect(x: 0, y: 0, width: 9, height: 9), .label(label))
      }
      _ = try nav.next(\.completion)
      _ = try nav.connection.set([ViewChange("home/toolbar", .label(label))])
      _ = try nav.next(\.completion)
    }
    let kept = try first.stopKeeping()
    let second = try first.successor(with: kept)
    _ = try other.next(\.newLayout)
    #expect(second.log.contains("2 clients of the daemon before are taken over"))
  }

  @Test("A daemon that is restarted keeps its clients, with their attachments and requests")
  func restart() throws {
    let first = try DaemonProcess.started(prelude: DaemonProcess.keeping)
    let nav = try DaemonClient(first.socket, name: "nav-app")
    _ = try nav.next(\.greeting)
    _ = try nav.connection.attach(to: "home/toolbar")
    let toolbar = try nav.next(\.geometry)
    let observer = try DaemonClient(first.controlSocket, name: "watcher")
    _ = try observer.next(\.greeting)
    _ = try observer.connection.observe(true)
    _ = try observer.next(\.completion)

    _ = try nav.connection.set([
      ViewChange("home/toolbar", .frame(Rect(x: 0, y: 0, width: 700, height: 50)))
    ])
    let generation = try nav.next(\.completion).generation
    #expect(generation == 2)

    let kept = try first.stopKeeping()
    #expect(kept.named("session").count == 2)
    #expect(kept.named("handover").count == 1)
    // Asked while there is no daemon at all.
    let ping = try nav.connection.ping()
    let second = try first.successor(with: kept)
    let layout = try nav.next(\.newLayout)
    #expect(layout.frame.width == 700)
    #expect(layout.generation > generation)
    _ = try nav.next { $0 == .pong(ping) ? true : nil }
    #expect(second.log.contains("2 clients of the daemon before are taken over"))

    // What it held it holds, by the number that it knows, and later numbers are others.
    let other = try DaemonClient(second.socket, name: "other")
    _ = try other.connection.attach(to: "home/toolbar")
    #expect(try other.next(\.failure).text.contains("is held by pid \(getpid()) (nav-app)"))
    _ = try other.connection.attach(to: "home/dial")
    #expect(try other.next(\.geometry).attachment.rawValue > toolbar.attachment.rawValue)
    _ = try nav.connection.detach(toolbar.attachment)
    _ = try nav.next(\.completion)
    _ = try observer.connection.status()
    let clients = try observer.next { event -> Bool? in
      if case .client(let client) = event.item, client.name == "watcher" {
        return client.flags.contains(.observer)
      }
      return nil
    }
    #expect(clients)
  }

  @Test("A program's recognizers go on over a restart, under their numbers (G1, G12)")
  func gestures() throws {
    let first = try DaemonProcess.started(prelude: DaemonProcess.keeping)
    let nav = try DaemonClient(first.socket, name: "nav-app")
    let toolbar = try nav.connection.attach(to: "home/toolbar", options: .gestures)
    let pan = try nav.connection.addGesture(.pan("drag"), to: toolbar)
    _ = try nav.next(\.completion)
    let kept = try first.stopKeeping()
    let second = try first.successor(with: kept)
    _ = try nav.next(\.newLayout)
    let injector = try DaemonClient(second.controlSocket, name: "finger")
    for change in [
      InjectedContact.Change.began(Point(x: 200, y: 30)), .moved(Point(x: 250, y: 30)),
    ] {
      _ = try injector.connection.inject([InjectedContact(change)])
      _ = try injector.next(\.completion)
    }
    let began = try nav.next { event -> Gesture? in
      if case .gesture(let gesture) = event { gesture } else { nil }
    }
    #expect(began.state == .began && began.recognizer == pan && began.attachment == toolbar)
    // A number is never given twice.
    try nav.connection.removeGesture(pan)
    _ = try nav.next(\.completion)
    let other = try nav.connection.addGesture(.tap("tap"), to: toolbar)
    #expect(try nav.next(\.completion).serial.rawValue == other.rawValue)
  }

  @Test("A program's recognizer goes on over a restart if what it names came later (G1, G7)")
  func namedGestureAddedAgain() throws {
    let first = try DaemonProcess.started(prelude: DaemonProcess.keeping)
    let nav = try DaemonClient(first.socket, name: "nav-app")
    let toolbar = try nav.connection.attach(to: "home/toolbar", options: .gestures)
    _ = try nav.next(\.geometry)
    var tap = GestureRecognizer.tap("tap")
    tap.after = ["home/toolbar#drag"]
    func add(_ gesture: GestureRecognizer) throws -> GestureID {
      defer { _ = try? nav.next(\.completion) }
      return try nav.connection.addGesture(gesture, to: toolbar)
    }
    let drag = try add(.pan("drag"))
    _ = try add(tap)
    try nav.connection.removeGesture(drag)
    _ = try nav.next(\.completion)
    _ = try add(.pan("drag"))
    let kept = try first.stopKeeping()
    let second = try first.successor(with: kept)
    _ = try nav.next(\.newLayout)
    for name in ["tap", "drag"] {
      _ = try nav.connection.addGesture(.tap(name), to: toolbar)
      let text = try nav.next(\.failure).text
      #expect(text == "gesture \"home/toolbar#\(name)\": it is there already")
    }
    withExtendedLifetime(second) {}
  }

  @Test("A program's recognizer takes no number of one that is configured since (G1, R9)")
  func configuredGesture() throws {
    let first = try DaemonProcess.started(prelude: DaemonProcess.keeping)
    let nav = try DaemonClient(first.socket, name: "nav-app")
    let toolbar = try nav.connection.attach(to: "home/toolbar", options: .gestures)
    _ = try nav.connection.addGesture(.pan("drag"), to: toolbar)
    _ = try nav.next(\.completion)
    let configured = "[[gesture]]\nview = \"home\"\nname = \"configured\"\nkind = \"pan\"\n"
    let second = try first.successor(with: try first.stopKeeping(), panel + configured)
    var tap = GestureRecognizer.tap("tap")
    tap.after = ["home#configured", "home/toolbar#drag"]
    _ = try nav.connection.addGesture(tap, to: toolbar)
    let answer = try nav.next { event in event.completion.map { _ in "" } ?? event.failure?.text }
    #expect(answer == "")
    #expect(!second.log.contains("is left out"))
  }

  @Test("What was set of recognizers holds over a restart, by whom it was set (L6, G1, R9)")
  func disabledGestures() throws {
    let first = try DaemonProcess.started(prelude: DaemonProcess.keeping)
    let nav = try DaemonClient(first.socket, name: "nav-app")
    let toolbar = try nav.connection.attach(to: "home/toolbar", options: .gestures)
    _ = try nav.next(\.geometry)
    for recognizer in [GestureRecognizer.pan("drag"), .pan("turn", .horizontal)] {
      let id = try nav.connection.addGesture(recognizer, to: toolbar)
      try nav.connection.enableGesture(id, false)
      for _ in 0..<2 { _ = try nav.next(\.completion) }
    }
    let control = try DaemonClient(first.controlSocket)
    _ = try control.connection.set([ViewChange("home/toolbar#drag", .enabled(false))])
    _ = try control.next(\.completion)
    let kept = try first.stopKeeping()
    let second = try first.successor(with: kept)
    _ = try nav.next(\.newLayout)
    let injector = try DaemonClient(second.controlSocket, name: "finger")
    func drag() throws -> [Gesture.State] {
      for change in [
        InjectedContact.Change.began(Point(x: 200, y: 30)), .moved(Point(x: 250, y: 30)), .ended,
      ] {
        _ = try injector.connection.inject([InjectedContact(change)])
        _ = try injector.next(\.completion)
      }
      return nav.pending().compactMap { event in
        if case .gesture(let gesture) = event { gesture.state } else { nil }
      }
    }
    #expect(try drag() == [])
    for path in ["home/toolbar#turn", "home/toolbar#drag"] {
      // What it set itself lies over what it was added with, and is taken back.
      try nav.connection.set([ViewChange(path, .configured)])
      _ = try nav.next(\.completion)
      #expect(try drag() == [.began, .ended])
    }
  }

  @Test(
    "What a rule's right has set holds over a restart, and goes with its client then (L6, R9)",
    .enabled(if: geteuid() == 0))
  func setByRule() throws {
    let text = panel + "[[access]]\npath = \"home/toolbar\"\nusers = [\"0\"]\n"
    let first = try DaemonProcess.started(text, prelude: DaemonProcess.keeping)
    var named: DaemonClient? = try DaemonClient(first.socket, name: "named")
    let watcher = try DaemonClient(first.controlSocket, name: "watcher")
    try named?.connection.set([ViewChange("home/toolbar", .alpha(0.25))])
    _ = try named?.next(\.completion)
    let kept = try first.stopKeeping()
    let second = try first.successor(with: kept, text)
    func isSet() throws -> Bool {
      _ = try watcher.connection.describe("home/toolbar")
      return try watcher.next(\.view).alpha == 0.25
    }
    #expect(try isSet())
    try named?.connection.set([ViewChange("home/toolbar", .interaction(false))])
    _ = try named?.next(\.completion)
    named = nil
    for _ in 0..<3000 {
      guard try isSet() else { break }
      usleep(10_000)
    }
    #expect(try !isSet())
    #expect(!second.log.contains("not possible any more"))
  }

  @Test("A program that waits keeps its place over a restart (R2, R9)")
  func line() throws {
    let first = try DaemonProcess.started(prelude: DaemonProcess.keeping)
    var old: DaemonClient? = try DaemonClient(first.socket, name: "old")
    _ = try old?.connection.attach(to: "home")
    _ = try old?.next(\.geometry)
    let new = try DaemonClient(first.socket, name: "new")
    _ = try new.connection.attach(to: "home", options: .wait)
    let place = try new.next(\.waiting)

    let kept = try first.stopKeeping()
    let second = try first.successor(with: kept)
    _ = try old?.next(\.newLayout)
    old = nil
    #expect(try new.next(\.geometry).attachment == place.attachment)
    #expect(second.log.contains("2 clients of the daemon before are taken over"))
  }

  @Test("A program that waits, and whose view a restart has lost, gets it once it is back (R2, R9)")
  func lostView() throws {
    let first = try DaemonProcess.started(prelude: DaemonProcess.keeping)
    let nav = try DaemonClient(first.socket, name: "nav-app")
    _ = try nav.connection.attach(to: "home/toolbar", options: .wait)
    let toolbar = try nav.next(\.geometry).attachment
    let kept = try first.stopKeeping()
    let second = try first.successor(with: kept, "[screen.panel]\nsize = [400, 240]\n")
    #expect(try nav.next(\.waiting).attachment == toolbar)
    try second.write(panel)
    second.signal(SIGHUP)
    #expect(try nav.next(\.geometry).attachment == toolbar)
  }

  @Test(
    "What was set is set again together, though one of it is not possible without the other (L6)")
  func setTogether() throws {
    let text =
      panel
        + """
        [[window]]
        name = "list"
        frame = [0, 0, 400, 400]
        [[view]]
        path = "list/row"
        frame = [0, 0, "100%-300", 40]

        """
    let first = try DaemonProcess.started(text, prelude: DaemonProcess.keeping)
    let control = try DaemonClient(first.controlSocket)
    _ = try control.next(\.greeting)
    _ = try control.connection.set([
      ViewChange("list/row", .frame(Rect(x: 0, y: 0, width: 50, height: 40))),
      ViewChange("list", .frame(Rect(x: 0, y: 0, width: 200, height: 400))),
    ])
    _ = try control.next(\.completion)
    let kept = try first.stopKeeping()
    let second = try first.successor(with: kept, text)
    _ = try control.connection.describe("list")
    #expect(try control.next(\.view).frame.width == 200)
    #expect(try control.next(\.view).frame.width == 50)
    #expect(!second.log.contains("not possible any more"))
  }

  @Test("A client hears where its responders are now, and of those that are gone (R8)")
  func otherConfiguration() throws {
    let first = try DaemonProcess.started(prelude: DaemonProcess.keeping)
    let nav = try DaemonClient(first.socket, name: "nav-app")
    _ = try nav.next(\.greeting)
    _ = try nav.connection.attach(to: "home")
    let home = try nav.next(\.geometry).attachment
    _ = try nav.connection.attach(to: "home/toolbar")
    let toolbar = try nav.next(\.geometry).attachment
    let kept = try first.stopKeeping()
    let smaller = """
      [screen.panel]
      size = [400, 240]
      [[window]]
      name = "home"
      """
    _ = try first.successor(with: kept, smaller)
    #expect(try nav.next(\.greeting).screens.map(\.size.width) == [400])
    let layout = try nav.next(\.newLayout)
    #expect(layout.attachment == home)
    #expect(layout.frame.width == 400)
    let end = try nav.next(\.detachment)
    #expect(end.attachment == toolbar)
    #expect(end.reason == .removed)
  }

  @Test("Clients of whom nothing can be read are disconnected, and the log says so")
  func unreadable() throws {
    let first = try DaemonProcess.started(prelude: DaemonProcess.keeping)
    let nav = try DaemonClient(first.socket, name: "nav-app")
    _ = try nav.next(\.greeting)
    let kept = try first.stopKeeping()
    let state = try #require(kept.named("handover").first)
    #expect(pwrite(state, "touchroute handover 9\n", 22, 0) == 22)
    let second = try DaemonProcess.started(
      in: first.directory, prelude: kept.prelude, passing: kept.all.map(\.descriptor))
    try second.waitForLog("what it left about them can't be read")
    // The test is the service manager, which is told to drop what it keeps.
    _ = try nav.rest { for socket in kept.named("session") { shutdown(socket, Int32(SHUT_RDWR)) } }
  }

  @Test("Without room for them clients are told that the daemon stops (R9)")
  func noRoom() throws {
    let daemon = try DaemonProcess.started()
    let nav = try DaemonClient(daemon.socket, name: "nav-app")
    _ = try nav.next(\.greeting)
    let kept = try daemon.stopKeeping()
    #expect(kept.all.isEmpty)
    #expect(try nav.next(\.closing).reason == .stopping)
  }
}
