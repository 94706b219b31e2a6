import Wire
import CTouchroute
import Gestures
import Glibc
import Layout
import Routing
import Testing
import TouchModel

@testable import Server

@Suite("Handover")
struct HandoverTests {
  private static var sample: Handover {
    var handover = Handover(
      nextTouch: 1 << 40,
      numbers: Router.Numbers(sequence: 812, attachment: 9, generation: 4, recognizer: 7))
    let changes: [(ViewChange, LayoutSetter)] = [
      (ViewChange("home", .hidden(true)), .administrator(0)),
      (ViewChange("home/a", .alpha(0.1)), .named(2, within: 0)),
      (ViewChange("home/a", .interaction(false)), .attachment(3)),
      (ViewChange("home/a", .configured), .attachment(8)),
      (
        ViewChange("home/a", .frame(Rect(x: 1, y: -2.5, width: 1e-7, height: 0.1))),
        .administrator(0)
      ),
      (ViewChange("home/a", .boundsOrigin(Point(x: 0, y: 1_000_000))), .named(1, within: 2)),
      (
        ViewChange(
          "home/b", .transform(AffineTransform(a: 0.1, b: 2, c: 3, d: 4, tx: 5, ty: 6))),
        .attachment(.max)
      ),
      (ViewChange("home/b", .order(3)), .administrator(0)),
      (
        ViewChange("home/b", .outset(Outset(top: 1, left: -2, bottom: 0.5, right: 4))),
        .attachment(1)
      ),
      (ViewChange("home/b", .shape(.ellipse)), .attachment(1)),
      (ViewChange("home/b", .shape(.rounded(radius: 1e-9))), .attachment(2)),
      (
        ViewChange(
          "home/b",
          .shape(.polygon([Point(x: 0, y: 1), Point(x: -2.5, y: 3), Point(x: 4, y: 5)]))),
        .administrator(0)
      ),
      (ViewChange("home/b", .inside(.never)), .administrator(0)),
      (ViewChange("home/b", .inside(.children([]))), .attachment(7)),
      (ViewChange("home/b", .inside(.children(["-", "a.b"]))), .attachment(8)),
      (ViewChange("home/b", .hit(.itself)), .attachment(8)),
      (ViewChange("home/b", .hit(.redirect("5/x"))), .attachment(8)),
      (ViewChange("home/b", .hit(.first("-"))), .attachment(8)),
      (ViewChange("home/b", .secure(true)), .attachment(8)),
      (ViewChange("home/b", .exclusiveTouch(true)), .attachment(8)),
      (ViewChange("home/b", .multipleTouch(false)), .attachment(8)),
      (ViewChange("home/b", .label(" Two  words: 1 ")), .attachment(8)),
      (ViewChange("home/b", .label("")), .attachment(7)),
      // To Swift these are one character with what is before them.
      (ViewChange("home/b", .label("\u{301}:\u{200d}")), .attachment(7)),
      (ViewChange("home/b", .label("\u{200d}: \u{20dd}")), .attachment(7)),
      (ViewChange("home", .level(-1_000_000)), .administrator(0)),
      (ViewChange("home/b#scroll", .enabled(false)), .attachment(8)),
    ]
    handover.changes = changes.map { SetChange($0, by: $1) }
    var row = ViewProperties(frame: FrameDescription(Rect(x: 1, y: 0.1, width: 480, height: 40)))
    row.controller = "-"
    row.shape = .polygon([Point(x: 0, y: 1), Point(x: -2.5, y: 3), Point(x: 4, y: 5)])
    row.hit = .redirect("icon")
    row.inside = .children([])
    row.secure = true
    row.label = "Row  no. 1"
    let icon = ViewProperties(frame: FrameDescription(Rect(x: 1, y: 1, width: 8, height: 8)))
    handover.views = [("home/list/1", row), ("home/list/1/icon", icon)].map { path, properties in
      AddedView(LayoutDescription.View(path: path, properties: properties), by: .attachment(8))
    }
    handover.clients = [
      Handover.Client(
        cookie: .max, socket: .client, name: "nav app\nwith a line", version: 1,
        observing: .nothing, received: [0, 255, 16],
        unsent: [16, 0, 0, 0, 5, 1, 0, 0] + Array(0...7) + [8, 0, 0, 0, 5, 1, 0, 0], sent: 5,
        slot: 12, setter: 2,
        attachments: [
          Handover.Hold(
            id: AttachmentID(2), request: AttachRequest(path: "home"),
            believed: [
              HolderNotice(
                window: AttachmentID(2), path: "home/pin@pad", isHeld: true,
                holder: HolderNotice.Holder(
                  pid: 812, uid: .max, name: "keys of côté", handles: .all, passes: [.ended])),
              HolderNotice(
                window: AttachmentID(2), path: "home/list", isHeld: true,
                holder: HolderNotice.Holder(
                  pid: 1, uid: 0, name: "x", handles: [.began], passes: [])),
            ]),
          Handover.Hold(
            id: AttachmentID(3),
            request: AttachRequest(path: "home/toolbar@bar", handles: .all, passes: [.moved])),
          Handover.Hold(
            id: AttachmentID(8),
            request: AttachRequest(path: "app:dashboard", wantsHistory: true, waits: true)),
          Handover.Hold(
            id: AttachmentID(7), request: AttachRequest(path: "menu", waits: true),
            isWaiting: true),
        ]),
      Handover.Client(
        cookie: 7, socket: .control, name: "", version: 0, observing: .nothing, received: [],
        unsent: [], sent: 0),
    ]
    handover.usedAttachments = [1000: 67_108_864, 0: 5]
    handover.usedGestures = [1000: 1, .max: 3]
    handover.screens = [
      Handover.ScreenState(name: "panel", state: .dark),
      Handover.ScreenState(name: "door.2", state: .waking),
    ]
    handover.clients[0].blanks = ["door.2", "panel"]
    handover.clients[0].watchesScreens = true
    handover.clients[0].locks = ["panel"]
    handover.clients[0].feedbackScreens = ["door.2", "panel"]
    handover.locks = [
      Handover.Lock(
        screen: "panel",
        request: TouchLocks.Request(
          milliseconds: 12_000, exceptions: ["home/a", "menu"], exit: .holdCorners))
    ]
    handover.clients[0].watches = [
      Handover.IdleWatch(
        number: 3, request: IdleWatches.Request(scope: .seat, milliseconds: 1_000), isIdle: true),
      Handover.IdleWatch(
        number: 9,
        request: IdleWatches.Request(
          scope: .window("home"), milliseconds: 86_400_000, ignoresInhibitors: true),
        isIdle: false),
      Handover.IdleWatch(
        number: 10,
        request: IdleWatches.Request(
          scope: .screen("panel"), milliseconds: 60_000, ignoresInjected: true), isIdle: false),
    ]
    handover.clients[0].inhibiting = [AttachmentID(2)]
    return handover
  }

  /// A request to add a tap of the name `t` to the view `home`.
  private static var gesture: [UInt8] {
    var add = touchroute_add_gesture()
    add.serial = 4
    add.attachment = 99
    add.kind = UInt8(TOUCHROUTE_GESTURE_TAP.rawValue)
    (add.duration_ms, add.interval_ms, add.gather_ms) = (.max, .max, .max)
    (add.slop, add.distance, add.margin, add.slop_degrees) = (12, -1, -1, -1)
    (add.name_size, add.view_size) = (1, 4)
    let strings = "t" + String(repeating: "\0", count: 7) + "home"
    return RequestBytes.message(TOUCHROUTE_ADD_GESTURE.rawValue, add, strings)
  }

  @Test("A recognizer is read again with its number, for the attachment that it stands under (G1)")
  func gestures() throws {
    var handover = Self.sample
    let id = handover.clients[0].attachments[0].id
    let request = try #require(GestureRequest(message: Self.gesture, with: id))
    #expect(request.spec.path == "home#t" && request.attachment == id)
    handover.clients[0].attachments[0].gestures = [.init(number: 6, request: request)]
    #expect(Handover(text: handover.text) == handover)
    for (right, wrong) in [("gesture 6 ", "gesture 7 "), ("gesture 6 ", "gesture 6 00")] {
      #expect(Handover(text: handover.text.replacing(right, with: wrong)) == nil)
    }
    #expect(GestureRequest(message: Array(Self.gesture.dropLast(8)), with: id) == nil)
  }

  @Test("What is written is read again")
  func roundTrip() {
    #expect(Handover(text: Self.sample.text) == Self.sample)
  }

  @Test("A text of another version, or with anything wrong in it, is not read")
  func malformed() {
    let text = Self.sample.text
    #expect(Handover(text: "") == nil)
    #expect(Handover(text: text.replacing("handover 5", with: "handover 3")) == nil)
    let lines = text.split(separator: "\n").map(String.init)
    for (number, line) in lines.enumerated() {
      let words = line.split(separator: " ").map(String.init)
      for index in words.indices where index > 0 || number > 0 {
        // A path may be any word.
        if words[0] == "attachment", index == 5 { continue }
        if words[0] == "holder", index == 6 { continue }
        if words[0] == "set" || words[0] == "view", index == 3 { continue }
        // Screens and windows may have any name.
        if words[0] == "screen", index == 2 { continue }
        if ["blanks", "locks", "feedback"].contains(words[0]), index == 1 { continue }
        if words[0] == "lock", index >= 3 { continue }
        if words[0] == "idle", index == 5 { continue }
        // A text may be any words.
        if words[..<index].contains(where: { $0.hasPrefix(":") }) { continue }
        var changed = words
        changed[index] = "x"
        var all = lines
        all[number] = changed.joined(separator: " ")
        #expect(Handover(text: all.joined(separator: "\n")) == nil, "\(all[number])")
        changed = words
        changed.remove(at: index)
        all[number] = changed.joined(separator: " ")
        #expect(Handover(text: all.joined(separator: "\n")) == nil, "\(all[number])")
      }
    }
  }

  @Test(
    "What a queue could not go on with is not read: parts of messages, and a message that is sent",
    arguments: [
      ("0000000005010000", 0), ("0700000005010000", 0), ("0c00000005010000ffffffff", 0),
      ("1000000005010000", 0), ("08000000", 0), ("080000000501000008", 0),
      ("0800000005010000", 8), ("08000000050100000800000005010000", 9),
      ("0800010005010000" + String(repeating: "00", count: 65_536), 0),
    ])
  func unsentParts(unsent: String, sent: Int) {
    let lines = ["touchroute handover 5", "numbers 1 1 1 1 1"]
    func text(_ unsent: String, _ sent: Int) -> String {
      (lines + ["client 7 client 1 0 - \(sent) \(unsent) 61"]).joined(separator: "\n")
    }
    #expect(Handover(text: text("0800000005010000", 7)) != nil)
    #expect(Handover(text: text(unsent, sent)) == nil)
  }

  @Test("Numbers that are used up, or that two attachments have, are not read (T1)")
  func numbers() {
    func text(_ numbers: String, _ attachments: Int...) -> String {
      (["touchroute handover 5", "numbers \(numbers) 1", "client 7 client 1 0 - 0 - 61"]
        + attachments.map { "attachment \($0) 15 0 0 home" }).joined(separator: "\n")
    }
    #expect(Handover(text: text("1 1 5 1", 4, 3)) != nil)
    #expect(Handover(text: text("1 1 5 1", 4, 4)) == nil)
    #expect(Handover(text: text("1 1 5 1", 5)) == nil)
    #expect(Handover(text: text("\(UInt64.max) 1 5 1")) == nil)
    #expect(Handover(text: text("1 \(UInt64.max) 5 1")) == nil)
  }

  @Test("A client's name has at most as many bytes as hello may have")
  func names() {
    func handover(_ bytes: Int) -> Handover? {
      let name = String(repeating: "61", count: bytes)
      return Handover(
        text: "touchroute handover 5\nnumbers 1 1 5 1 1\nclient 7 client 1 0 - 0 - \(name)")
    }
    #expect(handover(255)?.clients.first?.name.count == 255)
    #expect(handover(256) == nil)
  }

  @Test("A queue goes on where another one has stopped, in the midst of a message")
  func unsent() throws {
    let pair = try SocketPair()
    Connection.setSendBuffer(pair.inner, bytes: 4096)
    let client = RawClient(pair.outer)
    let first = OutgoingQueue(limit: 1 << 20)
    for serial in 1...400 {
      let text = String(repeating: "x", count: serial)
      first.append(.error(serial: UInt32(serial), .malformed, request: 0, text: text))
    }
    var serials: [UInt32] = []
    var failure: Int32?
    while first.unsent.sent == 0 {
      failure = first.flush(to: pair.inner)?.failure
      try #require(failure == nil && !first.isEmpty)
      guard let message = client.next() else { continue }
      serials.append(message.load(touchroute_error.self).serial)
    }
    let rest = first.unsent
    #expect(rest.bytes.count > rest.sent)
    let second = OutgoingQueue(limit: 1 << 20)
    second.resume(rest.bytes, sent: rest.sent)
    second.append(.error(serial: 401, .malformed, request: 0, text: ""))
    while serials.last != 401 {
      failure = second.flush(to: pair.inner)?.failure
      try #require(failure == nil)
      while let message = client.next() {
        serials.append(message.load(touchroute_error.self).serial)
      }
    }
    #expect(serials == Array(1...401))
    close(pair.inner)
  }

  @Test("What a client had begun to ask is completed at the server that takes it over")
  func halfARequest() throws {
    let world = try World()
    let client = try world.greeted(name: "nav-app")
    let request = RequestBytes.attach(serial: 5, path: "home")
    client.send(Array(request.prefix(20)))
    let id = try #require(world.server.clientsToHandOver(limit: 9).clients.first)
    try world.turn { world.server.handover(of: id)?.received.count == 20 }
    let state = try #require(world.server.handover(of: id))
    let socket = try #require(world.server.clientsToHandOver(limit: 9).descriptors.first)
    let copy = dup(socket)
    world.server.letGo(of: id)

    let next = try World()
    let taken = try #require(next.server.takeOver(state, copy))
    client.send(Array(request.dropFirst(20)))
    try next.turn { !next.requests.isEmpty }
    #expect(next.requests.first?.token.client == taken)
    #expect(next.server.name(of: taken).contains("nav-app"))
  }
}
