import Gestures
import Layout
import Testing
import TouchModel

@testable import Routing

@Suite("Observations")
struct ObservationTests {
  private func world() throws -> RoutingWorld {
    let world = try RoutingWorld(RoutingWorld.layout())
    world.pipeline.isObserved = true
    return world
  }

  /// What observers were told since the last call: `began 1 home/toolbar unhandled`.
  private func observed(_ world: RoutingWorld) -> [String] {
    let layout = world.pipeline.router.layout
    let lines = world.observations.records.map { record in
      [
        "\(record.phase)", record.cancelReason.map { "\($0)" }, "\(record.id.rawValue)",
        record.target.map { layout.path(of: $0) }, record.discardReason.map { "\($0)" },
      ].compactMap(\.self).joined(separator: " ")
    }
    _ = world.said()
    return lines
  }

  @Test(
    "every touch that changed is observed, whoever gets it, with why nobody does (F7, H7, T8, R4)")
  func everyTouch() throws {
    let world = try world()
    try world.attach(0, "home")
    world.down(0, 1, 1)
    world.down(1, 1, 250)
    world.down(2, 410, 470)
    world.down(3, -1, 0)
    world.feed(.frame(world.device, time: world.time))
    #expect(
      observed(world) == [
        "began 1 home/toolbar", "began 2 nav unhandled", "began 3 noWindow",
        "began 4 outsideScreen",
      ])
    world.move(1, 2, 250)
    world.up(3)
    world.feed(.frame(world.device, time: world.time))
    #expect(observed(world) == ["moved 2 nav unhandled", "ended 4 outsideScreen"])
    world.pipeline.cancelAll(.requested, at: world.time)
    #expect(observed(world) == ["cancelled requested 1 home/toolbar"])
  }

  @Test("frames that are put behind others keep their touches and their chains (F7)")
  func together() throws {
    let world = try world()
    try world.attach(0, "home")
    let all = Observations()
    var expected: [[TouchID]] = []
    for x in [1.0, 300, 1] {
      world.down(0, x, 1)
      world.feed(.frame(world.device, time: world.time))
      all.append(contentsOf: world.observations)
      expected.append(world.observations.records.map(\.id))
      _ = world.said()
      world.up(0)
      world.feed(.frame(world.device, time: world.time))
      _ = world.said()
    }
    let touches = all.frames.map { frame in
      (frame.firstRecord..<frame.firstRecord + frame.recordCount).map { all.records[$0].id }
    }
    #expect(touches == expected && touches.count == 3)
    for frame in all.frames {
      #expect(!all.chain(of: all.records[frame.firstRecord], in: frame).isEmpty)
    }
  }

  @Test(
    "what the finger of a touch does that is over is for nobody, and is observed so (R7, R9, F7)")
  func over() throws {
    let world = try world()
    try world.attach(0, "home")
    world.down(0, 1, 1)
    world.down(1, 300, 1)
    world.feed(.frame(world.device, time: world.time))
    world.pipeline.cancel(TouchID(1), at: world.time)
    #expect(
      observed(world) == [
        "began 1 home/toolbar", "began 2 home/toolbar", "cancelled requested 1 home/toolbar",
      ])
    world.goAway(0)
    world.move(0, 2, 1)
    world.up(1)
    world.feed(.frame(world.device, time: world.time))
    #expect(observed(world) == ["moved 1 home/toolbar over", "ended 2 home/toolbar over"])
  }

  @Test("a began names the responders that were asked, and what happened at each (R4)")
  func chain() throws {
    let world = try world()
    try world.attach(0, "home/toolbar/back", handles: .ended)
    try world.attach(1, "home/toolbar@bar", handles: [.began, .ended], passes: .began)
    try world.attach(2, "home")
    try world.attach(3, "app:dashboard")
    world.down(0, 20, 20)
    world.feed(.frame(world.device, time: world.time))
    let record = try #require(world.observations.records.first)
    let layout = world.pipeline.router.layout
    let links = world.observedChains[0].map { link in
      "\(layout.path(of: link.responder)) \(link.client.map { "\($0.slot)" } ?? "-") "
        + "\(link.outcome) \(link.phases.rawValue)"
    }
    #expect(
      links == [
        "home/toolbar/back 0 delivered 4", "home/toolbar - noClient 0",
        "home/toolbar@bar 1 delivered 1", "home 2 delivered 11",
      ])
    #expect(record.screenLocation == Point(x: 20, y: 20))
  }

  /// What observers were told of recognizers since the last call: `possible 1 home#drag`.
  private func recognizers(_ world: RoutingWorld) -> [String] {
    let lines = world.pipeline.deliveries.observedGestures.map { gesture in
      let change = gesture.change.map { change in
        if case .failed = change { "failed" } else { "\(change)" }
      }
      let path = world.pipeline.router.recognizer(gesture.recognizer)?.path ?? "?"
      let nothing = gesture.isPassedBy ? "passed by" : "possible"
      return [change ?? nothing, gesture.touch.map { "\($0.rawValue)" }, path]
        .compactMap(\.self).joined(separator: " ")
    }
    _ = world.said()
    return lines
  }

  private func dragged() throws -> RoutingWorld {
    let world = try RoutingWorld(
      RoutingWorld.layout(),
      gestures: [
        RecognizerSpec(.view("home"), "tap", RecognizerDescription(.tap(.init()))),
        RecognizerSpec(.view("home"), "drag", RecognizerDescription(.pan(.init()))),
      ])
    world.pipeline.isObserved = true
    try world.attach(0, "home", gestures: true)
    return world
  }

  private func feedFrame(_ world: RoutingWorld) {
    world.feed(.frame(world.device, time: world.time))
  }

  @Test("a recognizer of which nobody would hear is observed as passed by each touch (G2, G13)")
  func passedBy() throws {
    let world = try dragged()
    let holder = try #require(world.pipeline.router.attachments.all.first)
    try world.pipeline.detach(holder.id, by: holder.client, at: world.time)
    try world.attach(1, "home")
    for slot in 0...1 {
      world.down(Int32(slot), 100, 200)
      feedFrame(world)
      let touch = slot + 1
      #expect(
        recognizers(world) == ["passed by \(touch) home#tap", "passed by \(touch) home#drag"])
    }
    let drag = try #require(world.pipeline.router.recognizers.id(of: "home#drag"))
    let isHeard = world.pipeline.router.isHeard(drag)
    let lack = world.pipeline.router.lackOfHearers(of: drag)
    #expect(!isHeard)
    #expect(lack == "no program that holds home or app:dashboard handles gestures")
    world.pipeline.isObserved = false
    world.down(2, 100, 200)
    feedFrame(world)
    #expect(recognizers(world).isEmpty)
  }

  @Test("a recognizer is observed from its first touch until it is possible again (G3, F7)")
  func recognizer() throws {
    let world = try dragged()
    world.down(0, 100, 200)
    feedFrame(world)
    #expect(recognizers(world) == ["possible 1 home#tap", "possible 1 home#drag"])
    world.down(1, 200, 200)
    feedFrame(world)
    #expect(recognizers(world) == ["failed 1 home#tap"])
    world.move(0, 140, 200)
    feedFrame(world)
    #expect(recognizers(world) == ["began 1 home#drag"])
    world.up(0)
    world.up(1)
    feedFrame(world)
    #expect(recognizers(world) == ["ended 1 home#drag", "possible home#tap", "possible home#drag"])
    world.down(0, 100, 200)
    feedFrame(world)
    #expect(recognizers(world) == ["possible 3 home#tap", "possible 3 home#drag"])
  }

  @Test("of a recognizer whose program goes, observers hear what becomes of it (G12, R7, F7)")
  func recognizerOfOneThatGoes() throws {
    let world = try dragged()
    world.down(0, 100, 200)
    feedFrame(world)
    world.move(0, 140, 200)
    feedFrame(world)
    _ = recognizers(world)
    world.goAway(0)
    #expect(recognizers(world) == ["cancelled(TouchModel.CancelReason.requested) 1 home#drag"])
    world.up(0)
    feedFrame(world)
    #expect(recognizers(world) == ["possible home#tap", "possible home#drag"])
  }

  @Test("who begins to observe in the middle of a gesture hears how it goes on (F7)")
  func recognizerInTheMiddle() throws {
    let world = try dragged()
    world.pipeline.isObserved = false
    world.down(0, 100, 200)
    feedFrame(world)
    #expect(recognizers(world) == [])
    world.pipeline.isObserved = true
    world.move(0, 140, 200)
    feedFrame(world)
    #expect(recognizers(world) == ["failed 1 home#tap", "began 1 home#drag"])
    world.pipeline.put(
      RecognizerSpec(.view("home"), "drag", RecognizerDescription(.pan(.init(.vertical)))),
      at: world.time)
    #expect(
      recognizers(world) == [
        "cancelled(TouchModel.CancelReason.requested) 1 home#drag", "possible home#drag",
      ])
  }

  @Test("nothing is observed where nobody observes (F7)")
  func unobserved() throws {
    let world = try world()
    world.pipeline.isObserved = false
    world.down(0, 1, 1)
    world.feed(.frame(world.device, time: world.time))
    #expect(world.observations.isEmpty)
  }

  @Test(
    "a touch of which one client's share alone is cancelled is not cancelled for observers (R2)")
  func sharedTouch() throws {
    let world = try world()
    try world.attach(0, "home/toolbar", passes: .all)
    try world.attach(1, "home")
    world.down(0, 100, 20)
    world.feed(.frame(world.device, time: world.time))
    _ = observed(world)
    try world.attach(2, "home/toolbar", takesOver: true)
    #expect(observed(world) == [])
    try world.attach(2, "home", takesOver: true)
    #expect(observed(world) == ["cancelled takenOver 1 home/toolbar"])
  }
}
