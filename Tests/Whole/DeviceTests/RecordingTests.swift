import Testing
import TouchInput
import TouchModel
import VirtualDevices

extension DeviceTests {
  @Suite("The seat: recordings of real touchscreens")
  struct RecordingTests {
    @Test("a recording gives well-formed events on the screen", arguments: Recording.touchscreens)
    func replay(_ recording: Recording) throws {
      var sheet = recording.sheet
      sheet.phys = "touchroute/recording"
      let touch = try VirtualTouchscreen(sheet)
      let fixture = try SeatFixture(.nodes([touch.node]))
      var checker = DeviceEventChecker()
      for frame in recording.recording.frames {
        try touch.send(frame.events)
        checker.check(fixture.take())
      }
      touch.unplug()
      try fixture.wait(for: "the removal") { $0.seat.devices.isEmpty }
      checker.check(fixture.take())
      #expect(checker.mistakes == [])
      #expect(checker.live.isEmpty, "every touch has ended")
      #expect(checker.downs > 0, "it is a recording of fingers")
    }

    @Test("all recordings can be read, and each has its device")
    func complete() {
      #expect(Recording.all.count == 29)
      #expect(Recording.touchscreens.count == 28)
    }

    @Test("a touchscreen that udev takes for a tablet is refused in words")
    func tablet() throws {
      let recording = try #require(Recording.all.first { $0.name == Recording.tablet })
      let touch = try VirtualTouchscreen(recording.sheet)
      let error = #expect(throws: TouchInputError.self) { try SeatFixture(.nodes([touch.node])) }
      #expect(error?.description.contains("is no touchscreen to udev") == true)
    }
  }
}

/// Holds a stream of device events to what the sequencer may assume.
struct DeviceEventChecker {
  private(set) var mistakes: [String] = []
  private(set) var live: Set<Int32> = []
  private(set) var downs = 0
  private var time = Timestamp(microseconds: 0)
  private var changedSinceFrame = false

  mutating func check(_ events: [DeviceEvent]) {
    for event in events { check(event) }
  }

  private mutating func check(_ event: DeviceEvent) {
    switch event {
    case .down(_, let slot, _, let location, let time):
      downs += 1
      if !live.insert(slot).inserted { mistake(event, "the slot is live") }
      inside(event, location)
      change(event, time)
    case .motion(_, let slot, let location, let time):
      if !live.contains(slot) { mistake(event, "the slot is not live") }
      inside(event, location)
      change(event, time)
    case .up(_, let slot, let time), .cancel(_, let slot, _, let time):
      if live.remove(slot) == nil { mistake(event, "the slot is not live") }
      change(event, time)
    case .frame(_, let time):
      if time < self.time { mistake(event, "its time is before the frame's changes") }
      changedSinceFrame = false
      self.time = time
    case .lost:
      if changedSinceFrame { mistake(event, "changes without a frame") }
    }
  }

  private mutating func change(_ event: DeviceEvent, _ time: Timestamp) {
    if time < self.time { mistake(event, "time runs backwards") }
    self.time = time
    changedSinceFrame = true
  }

  private mutating func inside(_ event: DeviceEvent, _ location: Point) {
    let screen = SeatFixture.screen.size
    let bounds = Rect(x: 0, y: 0, width: screen.width, height: screen.height)
    if !bounds.contains(location) { mistake(event, "outside of the screen") }
  }

  private mutating func mistake(_ event: DeviceEvent, _ what: String) {
    mistakes.append("\(event.summary): \(what)")
  }
}
