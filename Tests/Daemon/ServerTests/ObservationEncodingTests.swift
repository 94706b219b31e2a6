import CTouchroute
import Layout
import Testing
import TouchModel

@testable import Routing
@testable import Server

@Suite("Observations on the wire")
struct ObservationEncodingTests {
  /// A pipeline whose frames are sent to observers as the daemon sends them.
  private static func observe(
    _ layout: Layout, touches: [Point], by clients: [String]
  ) throws -> (messages: [Message], client: ClientID) {
    var pipeline = TouchPipeline(layout: layout)
    pipeline.isObserved = true
    let client = ClientID(slot: 4, generation: 2)
    for path in clients {
      _ = try pipeline.attach(
        AttachRequest(path: path, handles: [.began], passes: []), by: client,
        at: Timestamp(microseconds: 0))
    }
    let time = Timestamp(microseconds: 5)
    var events = ReusableArray(
      touches.enumerated().map { slot, location in
        DeviceEvent.down(
          DeviceID(3), slot: Int32(slot), screen: ScreenIndex(0), location: location, time: time)
      })
    events.append(.frame(DeviceID(3), time: time))
    pipeline.consume(events)
    let queue = OutgoingQueue(limit: 1 << 24)
    let observations = pipeline.deliveries.observations
    for frame in observations.frames {
      let message = ObservedMessage(
        frame, from: frame.records.lowerBound, of: observations, in: layout
      ) { $0 == client ? 812 : -1 }
      for part in message.all { queue.append(part) }
    }
    return (Message.all(in: queue.bytes), client)
  }

  @Test("an observed frame has every touch, its path, and the chain of those that begin")
  func chain() throws {
    let touches = [Point(x: 400, y: 40), Point(x: 799, y: 5)]
    let (messages, _) = try Self.observe(
      try Layouts.home(), touches: touches, by: ["home/toolbar@bar", "app:dashboard"])
    let message = try #require(messages.first)
    let observed = message.load(touchroute_observed.self)
    #expect(observed.device == 3 && observed.time_us == 5 && observed.touch_count == 2)
    let first = message.load(touchroute_observed_touch.self, at: 32)
    #expect(first.phase == UInt8(TOUCHROUTE_PHASE_BEGAN.rawValue))
    #expect(first.screen_x == 400 && first.screen_y == 40)
    let second = message.load(touchroute_observed_touch.self, at: 80)
    #expect(second.discard_reason == UInt8(TOUCHROUTE_DISCARD_NO_WINDOW.rawValue))
    #expect(second.path_size == 0 && second.chain_count == 0)

    var offset = 32 + 2 * 48
    #expect(message.string(at: offset, size: first.path_size) == "home/toolbar")
    offset += padded(Int(first.path_size))
    var chain: [String] = []
    var outcomes: [UInt16] = []
    var pids: [Int32] = []
    for _ in 0..<first.chain_count {
      let entry = message.load(touchroute_chain_entry.self, at: offset)
      chain.append(message.string(at: offset + 16, size: entry.path_size))
      outcomes.append(entry.outcome)
      pids.append(entry.pid)
      offset += 16 + padded(Int(entry.path_size))
    }
    #expect(offset == message.bytes.count)
    #expect(first.chain_total == first.chain_count)
    #expect(chain == ["home/toolbar", "home/toolbar@bar", "home", "app:dashboard"])
    #expect(outcomes == [0, 1, 0, 2])
    #expect(pids == [0, 812, 0, 812])
  }

  @Test("a frame that no message holds goes on in others, and a chain is cut where it must be")
  func long() throws {
    var views: [LayoutDescription.View] = []
    var path = "home"
    for number in 0..<300 {
      path += "/\(number)"
      views.append(
        LayoutDescription.View(
          path: path, properties: ViewProperties(frame: Layouts.frame(0, 0, 800, 480))))
    }
    let layout = try Layout(
      LayoutDescription(
        screens: [Screen(name: "panel", size: Size(width: 800, height: 480))],
        windows: [
          LayoutDescription.Window(
            name: "home", screen: ScreenIndex(0),
            properties: ViewProperties(frame: Layouts.frame(0, 0, 800, 480)))
        ], views: views))
    let touches = [Point](repeating: Point(x: 9, y: 9), count: 2)
    let (messages, _) = try Self.observe(layout, touches: touches, by: ["home"])
    #expect(messages.map(\.hasMore) == [true, false])
    for message in messages {
      #expect(message.load(touchroute_observed.self).touch_count == 1)
      let touch = message.load(touchroute_observed_touch.self, at: 32)
      #expect(touch.chain_total == 301)
      #expect(touch.chain_count > 50 && touch.chain_count < 301)
    }
  }

  @Test("a touch of a secure view has no location (F7)")
  func secure() throws {
    var window = ViewProperties(frame: Layouts.frame(0, 0, 800, 480))
    window.secure = true
    let layout = try Layout(
      LayoutDescription(
        screens: [Screen(name: "panel", size: Size(width: 800, height: 480))],
        windows: [
          LayoutDescription.Window(name: "pin", screen: ScreenIndex(0), properties: window)
        ], views: []))
    let (messages, _) = try Self.observe(layout, touches: [Point(x: 1, y: 2)], by: ["pin"])
    let message = try #require(messages.first)
    let touch = message.load(touchroute_observed_touch.self, at: 32)
    #expect(touch.screen_x.isNaN && touch.screen_y.isNaN)
    #expect(touch.flags == UInt16(TOUCHROUTE_TOUCH_SECURE.rawValue))
  }
}
