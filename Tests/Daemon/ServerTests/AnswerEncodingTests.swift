import Wire
import CTouchroute
import Layout
import Routing
import Testing
import TouchModel

@testable import Server

@Suite("Answers on the wire")
struct AnswerEncodingTests {
  @Test("every request's number is the header's own")
  func requests() {
    let requests: [(Opcode, touchroute_request)] = [
      (.hello, TOUCHROUTE_HELLO), (.attach, TOUCHROUTE_ATTACH), (.detach, TOUCHROUTE_DETACH),
      (.accept, TOUCHROUTE_ACCEPT), (.decline, TOUCHROUTE_DECLINE), (.set, TOUCHROUTE_SET),
      (.describe, TOUCHROUTE_DESCRIBE), (.ping, TOUCHROUTE_PING),
      (.addGesture, TOUCHROUTE_ADD_GESTURE), (.removeGesture, TOUCHROUTE_REMOVE_GESTURE),
      (.changeViews, TOUCHROUTE_CHANGE_VIEWS), (.setScreen, TOUCHROUTE_SET_SCREEN),
      (.watchScreens, TOUCHROUTE_WATCH_SCREENS), (.watchIdle, TOUCHROUTE_WATCH_IDLE),
      (.unwatchIdle, TOUCHROUTE_UNWATCH_IDLE), (.inhibitIdle, TOUCHROUTE_INHIBIT_IDLE),
      (.lock, TOUCHROUTE_LOCK), (.unlock, TOUCHROUTE_UNLOCK),
      (.watchFeedback, TOUCHROUTE_WATCH_FEEDBACK),
      (.status, TOUCHROUTE_STATUS), (.observe, TOUCHROUTE_OBSERVE), (.reload, TOUCHROUTE_RELOAD),
      (.inject, TOUCHROUTE_INJECT), (.cancel, TOUCHROUTE_CANCEL),
      (.ungrab, TOUCHROUTE_UNGRAB),
    ]
    #expect(requests.count == Opcode.allCases.count)
    for (opcode, number) in requests { #expect(UInt32(opcode.rawValue) == number.rawValue) }
  }

  @Test("welcome brings the version, the limits and the screens")
  func welcome() throws {
    let world = try World()
    let client = try world.connect(.control)
    client.send(RequestBytes.hello(serial: 77, version: 9, name: "nav-app"))
    let message = try world.message(for: client)
    let welcome = message.load(touchroute_welcome.self)
    #expect(welcome.serial == 77)
    #expect(welcome.version == TOUCHROUTE_VERSION)
    #expect(welcome.max_request == 4096)
    #expect(welcome.max_attachments == 256)
    #expect(welcome.decision_timeout_ms == 250)
    #expect(welcome.unresponsive_after_ms == 2000)
    #expect(welcome.is_control == 1)
    #expect(welcome.screen_count == 2)
    let first = message.load(touchroute_screen.self, at: 40)
    #expect([first.width, first.height] == [800, 480])
    #expect(first.rotation == 90)
    #expect(message.string(at: 64, size: first.name_size) == "panel")
    let second = message.load(touchroute_screen.self, at: 72)
    #expect([second.width, second.height] == [1920, 120])
    #expect(message.string(at: 96, size: second.name_size) == "bar")
    #expect(message.bytes.count == 104)
  }

  @Test("other screens are told to those who knew the old ones, with serial 0")
  func screensChange() throws {
    let world = try World()
    let client = try world.greeted()
    let silent = try world.connect()
    world.server.greeting.screens.removeLast()
    world.server.endTurn()
    let welcome = try world.message(for: client).load(touchroute_welcome.self)
    #expect(welcome.serial == 0)
    #expect(welcome.screen_count == 1)
    #expect(silent.next() == nil)
  }

  @Test("attached has the geometry of the responder; an application has none")
  func attached() throws {
    let world = try World()
    let layout = try Layouts.home()
    var pipeline = TouchPipeline(layout: layout)
    world.onRequest = { token, request in
      guard case .attach(let attach) = request else { return }
      guard
        let attachment = try? pipeline.attach(
          attach, by: token.client, at: Timestamp(microseconds: 0))
      else { return world.server.answer(token, .noResponder, "none") }
      world.server.answer(token, attached: attachment, in: layout, generation: 5)
    }
    let client = try world.greeted()
    client.send(
      RequestBytes.attach(serial: 8, path: "home/toolbar", handles: 0b0111, passes: 0b0010))
    let attached = try world.message(for: client).load(touchroute_attached.self)
    #expect(attached.serial == 8)
    #expect(attached.attachment == 1)
    #expect(attached.generation == 5)
    #expect(attached.screen == 0)
    #expect(attached.view_count == 2)
    #expect(attached.frame.0 == 10 && attached.frame.1 == 20)
    #expect(attached.frame.2 == 800 && attached.frame.3 == 60)
    #expect(attached.bounds.2 == 800 && attached.bounds.3 == 60)
    #expect(attached.transform.0 == 1 && attached.transform.3 == 1)
    #expect(attached.transform.4 == -10 && attached.transform.5 == -20)
    #expect(pipeline.router.attachments[AttachmentID(1)]?.passes == .moved)

    client.send(RequestBytes.attach(serial: 9, path: "app:dashboard"))
    let application = try world.message(for: client).load(touchroute_attached.self)
    #expect(application.screen == TOUCHROUTE_NONE)
    #expect(application.view_count == 4)
    #expect(application.frame.2 == 0 && application.transform.0 == 0)

    client.send(RequestBytes.attach(serial: 10, path: "nowhere"))
    let error = try world.message(for: client).load(touchroute_error.self)
    #expect(error.serial == 10 && error.code == 3 && error.request == 2)
  }

  @Test("describe lists the views with their holders, counted among those of the path")
  func describe() throws {
    let world = try World()
    let layout = try Layouts.home()
    world.onRequest = { token, request in
      guard case .describe(let path, let first, let count) = request else { return }
      world.server.answer(
        token, viewsOf: path.isEmpty ? nil : layout.responder(at: path), first: first,
        count: count, in: layout, generation: 3, origin: { _ in .configured },
        gestures: { _, _ in [] }
      ) { responder in
        layout.path(of: responder).contains("@") ? token.client : nil
      }
    }
    let client = try world.greeted()
    client.send(RequestBytes.describe(serial: 4))
    let answer = try (0..<8).map { _ in try world.message(for: client) }
    var messages = answer.filter {
      [TOUCHROUTE_VIEW.rawValue, TOUCHROUTE_DONE.rawValue].contains(UInt32($0.opcode))
    }
    let views = messages.dropLast().map { $0.load(touchroute_view.self) }
    let paths = zip(messages, views).map { $0.string(at: 144, size: $1.path_size) }
    #expect(paths == ["home", "home/toolbar", "home/toolbar/back", "bar"])
    #expect(views.map(\.index) == [0, 1, 2, 3])
    #expect(views.map(\.parent) == [TOUCHROUTE_NONE, 0, 1, TOUCHROUTE_NONE])
    #expect(views.map(\.holder) == [0, 0, 0, 0])
    #expect(views.map { $0.controller_holder != 0 } == [false, true, false, false])
    #expect(messages[1].string(at: 144 + 16, size: views[1].controller_size) == "bar")
    #expect(views[2].flags == TOUCHROUTE_VIEW_HIDDEN.rawValue)
    #expect(views[2].alpha == 0.5)
    #expect(views[2].bounds_origin.0 == 3 && views[2].bounds_origin.1 == 4)
    #expect(views[2].transform.0 == 2)
    let details = answer.filter { UInt32($0.opcode) == TOUCHROUTE_VIEW_DETAILS.rawValue }
    #expect(details.map { $0.load(touchroute_view_details.self).index } == [0, 3])
    #expect(details.map { $0.load(touchroute_view_details.self).screen } == [0, 1])
    #expect(details.map { $0.string(at: 32, size: 9) } == ["dashboard", "dashboard"])
    let level = answer[6].load(touchroute_view_property.self)
    #expect(level.index == 3 && level.setter == TOUCHROUTE_SETTER_NONE.rawValue)
    #expect(level.value.property == TOUCHROUTE_PROPERTY_LEVEL.rawValue)
    #expect(messages[4].load(touchroute_done.self).total == 4)
    #expect(messages[4].load(touchroute_done.self).generation == 3)

    client.send(RequestBytes.describe(serial: 5, path: "home/toolbar", first: 1, count: 7))
    messages = try (0..<2).map { _ in try world.message(for: client) }
    let back = messages[0].load(touchroute_view.self)
    #expect(back.index == 1 && back.parent == 0)
    #expect(messages[1].load(touchroute_done.self).total == 2)

    client.send(RequestBytes.describe(serial: 6, path: "home", first: 4_000_000_000))
    #expect(try world.message(for: client).load(touchroute_done.self).total == 3)
  }

  @Test("a page of describe that has become long ends early, and the next goes on there")
  func longPages() throws {
    let world = try World()
    let layout = try Layouts.wide(500, nameLength: 255)
    world.onRequest = { token, request in
      guard case .describe(_, let first, let count) = request else { return }
      world.server.answer(
        token, viewsOf: nil, first: first, count: count, in: layout, generation: 1,
        origin: { _ in .configured }, gestures: { _, _ in [] }
      ) { _ in nil }
    }
    let client = try world.greeted()
    var next: UInt32 = 0
    var pages = 0
    while next < 501 {
      client.send(RequestBytes.describe(serial: 4, first: next))
      pages += 1
      while true {
        let message = try world.message(for: client)
        if message.opcode == TOUCHROUTE_DONE.rawValue { break }
        if message.opcode == TOUCHROUTE_VIEW_DETAILS.rawValue { continue }
        #expect(message.load(touchroute_view.self).index == next)
        next += 1
      }
    }
    #expect(next == 501)
    #expect(pages == 5)
  }
}
