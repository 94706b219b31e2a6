import Routing
import Testing
import TouchModel

extension TouchSequencer {
  /// Takes one event, and calls `emit` with every frame that is complete with it.
  fileprivate mutating func consume(_ event: DeviceEvent, emit: (TouchFrame) -> Void) {
    var next = 0
    while takeFrame(of: [event], from: &next) { emit(frame) }
  }
}

@Suite("TouchSequencer")
struct TouchSequencerTests {
  private let screen = ScreenIndex(0)
  private let device = DeviceID(1)

  /// The frames as text: `1000: ended 1 (5, 5), began 2 (7, 7)`.
  private func frames(
    _ events: [DeviceEvent], from sequencer: inout TouchSequencer
  ) -> [String] {
    var lines: [String] = []
    for event in events {
      sequencer.consume(event) { frame in
        let touches = frame.touches.map { touch in
          let reason = touch.cancelReason.map { " \($0)" } ?? ""
          let place = "(\(Int(touch.location.x)), \(Int(touch.location.y)))"
          return "\(touch.phase)\(reason) \(touch.id.rawValue) \(place)"
        }
        lines.append("\(frame.time.microseconds): \(touches.joined(separator: ", "))")
      }
    }
    return lines
  }

  private func frames(_ events: [DeviceEvent]) -> [String] {
    var sequencer = TouchSequencer()
    return frames(events, from: &sequencer)
  }

  private func down(_ slot: Int32, _ x: Double, _ y: Double, _ time: UInt64) -> DeviceEvent {
    .down(
      device, slot: slot, screen: screen, location: Point(x: x, y: y),
      time: Timestamp(microseconds: time))
  }

  private func motion(_ slot: Int32, _ x: Double, _ y: Double, _ time: UInt64) -> DeviceEvent {
    .motion(
      device, slot: slot, location: Point(x: x, y: y), time: Timestamp(microseconds: time))
  }

  private func up(_ slot: Int32, _ time: UInt64) -> DeviceEvent {
    .up(device, slot: slot, time: Timestamp(microseconds: time))
  }

  private func cancel(_ slot: Int32, _ reason: CancelReason, _ time: UInt64) -> DeviceEvent {
    .cancel(device, slot: slot, reason: reason, time: Timestamp(microseconds: time))
  }

  private func mark(_ time: UInt64) -> DeviceEvent {
    .frame(device, time: Timestamp(microseconds: time))
  }

  @Test("nothing is a touch before the frame mark, and then all of it is one frame (T2)")
  func frameMark() {
    #expect(frames([down(0, 1, 1, 10), down(1, 2, 2, 10)]) == [])
    #expect(
      frames([down(0, 1, 1, 10), down(1, 2, 2, 10), mark(10)])
        == ["10: began 1 (1, 1), began 2 (2, 2)"])
    #expect(frames([mark(10), mark(20)]) == [])
  }

  @Test(
    "within a frame lifts come first, then moves, then begans, in whatever order they came (T3)")
  func order() {
    let lines = frames([
      down(0, 1, 1, 10), down(1, 2, 2, 10), mark(10),
      down(2, 3, 3, 20), motion(1, 8, 8, 20), up(0, 20), mark(20),
    ])
    #expect(lines.last == "20: ended 1 (1, 1), moved 2 (8, 8), began 3 (3, 3)")
  }

  @Test("ended and cancelled bear the last known location (T4)")
  func lastKnownLocation() {
    let lines = frames([
      down(0, 1, 1, 10), down(1, 2, 2, 10), mark(10),
      motion(0, 5, 5, 20), mark(20),
      motion(1, 9, 9, 30), up(0, 30), cancel(1, .palm, 30), mark(30),
    ])
    #expect(lines.last == "30: ended 1 (5, 5), cancelled palm 2 (9, 9)")
  }

  @Test("an id is never used again, whatever device and slot (T1)")
  func ids() {
    var sequencer = TouchSequencer()
    var seen: Set<TouchID> = []
    for round in 0..<100 {
      let device = DeviceID(UInt32(round % 3))
      let time = Timestamp(microseconds: UInt64(round))
      let events: [DeviceEvent] = [
        .down(device, slot: 0, screen: screen, location: .zero, time: time),
        .frame(device, time: time), .up(device, slot: 0, time: time), .frame(device, time: time),
        .lost(device, reason: .deviceRemoved, time: time),
      ]
      for event in events {
        sequencer.consume(event) { frame in
          for touch in frame.touches where touch.phase == .began {
            #expect(seen.insert(touch.id).inserted)
          }
        }
      }
    }
    #expect(seen.count == 100)
  }

  @Test("a second began on a live slot, and what is not live, is dropped and counted (T6)")
  func strays() {
    var sequencer = TouchSequencer()
    let lines = frames(
      [
        motion(0, 1, 1, 5), up(3, 5), cancel(3, .palm, 5), mark(5),
        down(0, 1, 1, 10), down(0, 9, 9, 10), mark(10),
        down(0, 7, 7, 20), motion(1, 7, 7, 20), mark(20),
        up(0, 30), up(0, 30), motion(0, 4, 4, 30), mark(30),
      ], from: &sequencer)
    #expect(lines == ["10: began 1 (1, 1)", "30: ended 1 (1, 1)"])
    #expect(sequencer.strayEventCount == 8)
    #expect(sequencer.frameCount == 4)
  }

  @Test("slot -1 of a single-touch device is a slot like any other, and so is a huge one (T6)")
  func oddSlots() {
    let lines = frames([
      down(-1, 1, 1, 10), down(.max, 2, 2, 10), mark(10), motion(-1, 3, 3, 20), mark(20),
      up(.max, 30), up(-1, 30), mark(30),
    ])
    #expect(
      lines == [
        "10: began 1 (1, 1), began 2 (2, 2)", "20: moved 1 (3, 3)",
        "30: ended 1 (3, 3), ended 2 (2, 2)",
      ])
  }

  @Test("a touch that comes and goes between two marks begins before it ends (T5)")
  func tapInOneFrame() {
    let lines = frames([down(0, 1, 1, 10), motion(0, 2, 2, 10), up(0, 12), mark(12)])
    #expect(lines == ["12: began 1 (2, 2)", "12: ended 1 (2, 2)"])
    let cancelled = frames([down(0, 1, 1, 10), cancel(0, .palm, 10), mark(10)])
    #expect(cancelled == ["10: began 1 (1, 1)", "10: cancelled palm 1 (1, 1)"])
  }

  @Test("a slot released and used again between two marks is two touches (T1, T5)")
  func slotReuse() {
    let lines = frames([
      down(0, 1, 1, 10), mark(10), up(0, 20), down(0, 5, 5, 20), mark(20),
      up(0, 30), down(0, 6, 6, 30), up(0, 30), down(0, 7, 7, 30), down(1, 8, 8, 30), mark(30),
    ])
    #expect(
      lines == [
        "10: began 1 (1, 1)", "20: ended 1 (1, 1), began 2 (5, 5)",
        "30: ended 2 (5, 5), began 3 (6, 6), began 4 (8, 8)",
        "30: ended 3 (6, 6), began 5 (7, 7)",
      ])
  }

  @Test("of several motions in a frame the last counts (T2)")
  func lastMotionWins() {
    let lines = frames([
      down(0, 1, 1, 10), mark(10), motion(0, 2, 2, 20), motion(0, 3, 3, 21), mark(21),
    ])
    #expect(lines.last == "21: moved 1 (3, 3)")
  }

  @Test("a lost device cancels what lives of it, once, and nothing of another (T7)")
  func lost() {
    var sequencer = TouchSequencer()
    let other = DeviceID(2)
    let at = Timestamp(microseconds: 10)
    let setup: [DeviceEvent] = [
      down(0, 1, 1, 10), down(1, 2, 2, 10), mark(10),
      .down(other, slot: 0, screen: screen, location: .zero, time: at), .frame(other, time: at),
    ]
    _ = frames(setup, from: &sequencer)
    let lost = DeviceEvent.lost(
      device, reason: .deviceRemoved, time: Timestamp(microseconds: 40))
    let lines = frames(
      [motion(0, 5, 5, 30), up(1, 30), down(2, 9, 9, 30), lost, lost, up(0, 50), mark(50)],
      from: &sequencer)
    #expect(lines == ["40: cancelled deviceRemoved 1 (5, 5), ended 2 (2, 2)"])
    #expect(sequencer.strayEventCount == 1)
    let rest = frames(
      [.up(other, slot: 0, time: at), .frame(other, time: at)], from: &sequencer)
    #expect(rest == ["10: ended 3 (0, 0)"])
  }

  @Test("fingers that were down before the device came are nothing until pressed anew (T7)")
  func alreadyDown() {
    let lines = frames([
      motion(0, 5, 5, 10), mark(10), up(0, 20), mark(20), down(0, 6, 6, 30), mark(30),
    ])
    #expect(lines == ["30: began 1 (6, 6)"])
  }

  @Test("a contact on another screen is refused while the device's contacts live (T11)")
  func screenChange() {
    var sequencer = TouchSequencer()
    var screens: [ScreenIndex] = []
    let other = ScreenIndex(1)
    let at = Timestamp(microseconds: 10)
    let onOther = DeviceEvent.down(device, slot: 1, screen: other, location: .zero, time: at)
    for event in [down(0, 1, 1, 10), onOther, mark(10), up(0, 20), mark(20), onOther, mark(30)] {
      sequencer.consume(event) { screens.append($0.screen) }
    }
    #expect(screens == [screen, screen, other])
    #expect(sequencer.strayEventCount == 1)
  }

  @Test("a device's clock that goes back does not take its touches with it (T5)")
  func clockGoesBack() {
    let lines = frames([
      down(0, 1, 1, 100), mark(100), motion(0, 2, 2, 40), mark(40), up(0, 120), mark(120),
    ])
    #expect(
      lines == ["100: began 1 (1, 1)", "100: moved 1 (2, 2)", "120: ended 1 (2, 2)"])
  }

  @Test("there are no more contacts of a device than the limit (F5)")
  func contactLimit() {
    var sequencer = TouchSequencer()
    var began = 0
    for slot in 0..<Int32(TouchSequencer.contactLimit + 5) {
      sequencer.consume(down(slot, 1, 1, 10)) { _ in }
    }
    sequencer.consume(mark(10)) { began += $0.touches.count }
    #expect(began == TouchSequencer.contactLimit)
    #expect(sequencer.strayEventCount == 5)
  }
}
