import Wire
import Layout
import Routing
import TestSupport
import Testing
import TouchModel

@Suite("Router's requests")
struct RouterRequestTests {
  private func error(
    _ body: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
  ) -> RoutingError? {
    do {
      try body()
    } catch let error as RoutingError {
      return error
    } catch {
      Issue.record("an error of another kind: \(error)", sourceLocation: sourceLocation)
    }
    return nil
  }

  @Test("the bytes of paths are counted for whoever holds them, as they come and go (F5)")
  func pathBytes() throws {
    let paths = [
      "home", "home/toolbar", "home/toolbar@bar", "home/toolbar/back", "nav/map", "media",
    ]
    for seed in Seeds.fresh(100) {
      var random = SeededGenerator(seed: seed)
      let world = try RoutingWorld(RoutingWorld.layout())
      for _ in 0..<60 {
        let client = UInt32.random(in: 0..<3, using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0: world.goAway(client)
        case 1:
          if let held = world.pipeline.router.attachments.all.randomElement(using: &random) {
            try world.pipeline.detach(held.id, by: held.client, at: world.time)
          }
        case 2:
          let isLess = Bool.random(using: &random)
          let layout = try RoutingWorld.layout { if isLess { $0.views.removeLast(2) } }
          world.pipeline.replaceLayout(layout, at: world.time)
        default:
          let path = paths[Int.random(in: 0..<paths.count, using: &random)]
          let takesOver = Bool.random(using: &random)
          _ = error { try world.attach(client, path, takesOver: takesOver) }
        }
        let attachments = world.pipeline.router.attachments
        var counted: [UInt32: Int] = [:]
        for attachment in attachments.all {
          let path = world.pipeline.router.layout.path(of: attachment.responder)
          counted[attachment.client.slot, default: 0] += path.utf8.count
        }
        for slot in UInt32(0)..<3 {
          let bytes = attachments.pathBytes[RoutingWorld.client(slot)]
          #expect(bytes == counted[slot, default: 0], "seed \(seed)")
        }
        #expect(attachments.pathBytes.all == counted.values.reduce(0, +), "seed \(seed)")
      }
    }
  }

  @Test("one client at a time holds a responder, and a second is told who does (R2)")
  func oneHolder() throws {
    let world = try RoutingWorld(RoutingWorld.layout())
    try world.attach(0, "home")
    let refused = error { try world.attach(1, "home") }
    #expect(refused?.code == .held)
    #expect(
      refused?.description { _ in "pid 812 (nav-app), user kiosk" }
        == "\"home\" is held by pid 812 (nav-app), user kiosk; ask to take it over, or wait until "
        + "it is free")
    let own = error { try world.attach(0, "home") }
    #expect(
      own?.description
        == "this connection holds \"home\" already: it attached there before; detach that first")
    let layout = world.pipeline.router.layout
    let home = try #require(layout.responder(at: "home"))
    #expect(world.pipeline.router.attachments[holderOf: home]?.client == RoutingWorld.client(0))
    try world.attach(1, "home/toolbar")
    #expect(world.pipeline.router.attachments.all.map(\.client.slot) == [0, 1])
  }

  @Test("a path that the layout does not have is refused with the nearest one (R2)")
  func noResponder() throws {
    let world = try RoutingWorld(RoutingWorld.layout())
    let misspelt = error { try world.attach(0, "home/tolbar") }
    #expect(misspelt?.code == .noResponder)
    #expect(
      misspelt?.description
        == "no responder is named \"home/tolbar\"; the nearest is \"home/toolbar\"")
    #expect(
      error { try world.attach(0, "elsewhere") }?.description
        == "no responder is named \"elsewhere\"; `touchroute tree`, run as root, lists them all")
  }

  @Test("an attachment handles something and passes nothing else (R3)")
  func invalidPhases() throws {
    let world = try RoutingWorld(RoutingWorld.layout())
    #expect(error { try world.attach(0, "home", handles: []) }?.code == .invalid)
    #expect(
      error { try world.attach(0, "home", handles: TouchPhases(rawValue: 0x11)) }?.code == .invalid)
    #expect(
      error { try world.attach(0, "home", handles: .began, passes: .moved) }?.code == .invalid)
    #expect(world.pipeline.router.attachments.all.isEmpty)
  }

  @Test("attachments of a client are limited, and the error names the limit (F5)")
  func attachmentLimit() throws {
    var options = RouterOptions()
    options.maximumAttachmentsPerClient = 2
    let world = try RoutingWorld(RoutingWorld.layout(), options: options)
    try world.attach(0, "home")
    try world.attach(0, "nav")
    let refused = error { try world.attach(0, "media") }
    #expect(refused?.code == .limit)
    #expect(
      refused?.description
        == "the limit of 2 attachments of one client is reached; detach one first, or raise "
        + "limits.attachments"
    )
    try world.attach(1, "media")
    try world.attach(0, "nav", takesOver: true)
    #expect(world.pipeline.router.attachments.all.count == 3)
  }

  @Test(
    "taking over cancels what the holder has, and tells it; the new one gets new touches (R2, R6)")
  func takeOver() throws {
    let world = try RoutingWorld(RoutingWorld.layout())
    try world.attach(0, "nav")
    world.down(0, 1, 250)
    _ = world.frame()
    try world.attach(1, "nav", takesOver: true)
    #expect(world.said() == ["0: cancelled takenOver 1 a1 (1, 10)", "0: detached a1 takenOver"])
    world.move(0, 5, 250)
    world.down(1, 9, 250)
    #expect(world.frame() == ["1: began 2 a2 (9, 10)"])
    world.up(0)
    #expect(world.frame() == [])
  }

  @Test("who attaches in the middle of a touch gets nothing of it (R6)")
  func attachInTheMiddle() throws {
    let world = try RoutingWorld(RoutingWorld.layout())
    try world.attach(0, "home")
    world.down(0, 20, 20)
    _ = world.frame()
    try world.attach(1, "home/toolbar/back")
    world.move(0, 21, 20)
    #expect(world.frame() == ["0: moved 1 a1 (13, 12)"])
    world.up(0)
    #expect(world.frame() == ["0: ended 1 a1 (13, 12)"])
    #expect(world.tap(20, 20).first == "1: began 2 a2 (12, 12)")
  }

  @Test("detaching ends the attachment's touches as requested, and nobody else's (T5)")
  func detach() throws {
    let world = try RoutingWorld(RoutingWorld.layout())
    let attachment = try world.attach(0, "home/toolbar", passes: .all)
    try world.attach(1, "home")
    world.down(0, 100, 20)
    _ = world.frame()
    try world.pipeline.detach(
      attachment.id, by: RoutingWorld.client(0), at: world.time)
    #expect(world.said() == ["0: cancelled requested 1 a1 (100, 20)"])
    world.up(0)
    #expect(world.frame() == ["1: ended 1 a2 (100, 20)"])
    #expect(world.pipeline.router.counters[.cancelled] == 0)
    let again = error {
      try world.pipeline.detach(
        attachment.id, by: RoutingWorld.client(0), at: world.time)
    }
    #expect(again == .notAttached(attachment.id))
    let others = error {
      try world.pipeline.detach(
        AttachmentID(2), by: RoutingWorld.client(0), at: world.time)
    }
    #expect(
      others?.description == "this connection has no such attachment: it may have ended meanwhile")
  }

  @Test("a client that goes away leaves its touches dead, and the next falls back (R7)")
  func clientWentAway() throws {
    let world = try RoutingWorld(RoutingWorld.layout())
    try world.attach(0, "home/toolbar")
    try world.attach(1, "home")
    world.down(0, 100, 20)
    _ = world.frame()
    world.goAway(0)
    #expect(world.pipeline.router.counters[.orphaned] == 1)
    #expect(world.pipeline.router.liveTouchCount == 0)
    world.move(0, 101, 20)
    #expect(world.frame() == [])
    world.up(0)
    #expect(world.frame() == [])
    #expect(world.tap(100, 20) == ["1: began 2 a2 (100, 20)", "1: ended 2 a2 (100, 20)"])
    #expect(world.pipeline.router.pendingTouchCount == 0)
    let counters = world.pipeline.router.counters
    #expect(counters[.began] == counters[.ended] + counters[.cancelled] + counters[.orphaned])
  }

  @Test("a touch that another still has outlives a client that goes away (R7)")
  func sharedTouchOutlivesAClient() throws {
    let world = try RoutingWorld(RoutingWorld.layout())
    try world.attach(0, "home/toolbar", passes: .all)
    try world.attach(1, "home")
    world.down(0, 100, 20)
    _ = world.frame()
    world.goAway(0)
    #expect(world.pipeline.router.counters[.orphaned] == 0)
    world.up(0)
    #expect(world.frame() == ["1: ended 1 a2 (100, 20)"])
  }

  @Test("accepting a touch that one does not have is counted and does nothing (R5)")
  func unknownTouch() throws {
    let world = try RoutingWorld(RoutingWorld.layout())
    try world.attach(0, "home")
    world.down(0, 1, 1)
    _ = world.frame()
    world.accept(1, through: 1, by: 0)
    #expect(world.pipeline.router.counters[.unknownTouches] == 0)
    world.accept(1, through: 1, by: 1)
    world.accept(1, through: 2, by: 0)
    world.accept(2, through: 1, by: 0)
    #expect(world.pipeline.router.counters[.unknownTouches] == 3)
  }

  @Test("status counts live touches by client, attachment and device (R2)")
  func status() throws {
    let world = try RoutingWorld(RoutingWorld.layout())
    let toolbar = try world.attach(0, "home/toolbar", passes: .all)
    let home = try world.attach(0, "home")
    world.down(0, 100, 20)
    world.down(1, 100, 200)
    _ = world.frame()
    #expect(world.pipeline.router.liveTouchCount(of: RoutingWorld.client(0)) == 2)
    #expect(world.pipeline.router.liveTouchCount(of: toolbar.id) == 1)
    #expect(world.pipeline.router.liveTouchCount(of: home.id) == 2)
    #expect(world.pipeline.router.liveTouchCount == 2)
    #expect(world.pipeline.router.attachments[toolbar.id]?.passes == .all)
  }
}
