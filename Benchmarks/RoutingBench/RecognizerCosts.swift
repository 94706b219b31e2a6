import CAllocationCount
import Configuration
import Gestures
import Layout
import Measuring
import Routing
import TouchModel

/// What eight recognizers on the chain add to a frame of ten moving fingers, from the events to the
/// deliveries, and what they allocate. Rule G15.
enum RecognizerCosts {
  /// What the recognizers do meanwhile.
  private enum Case: String, CaseIterable {
    case none = "no recognizer"
    case possible = "eight, all possible"
    case begun = "eight, five of which have begun"
  }

  /// Of kinds that take ten fingers, in two views; nothing fails another, nor takes touches away.
  private static let kinds: [(kind: String, keys: String)] = [
    ("pan", "touches = [1, 10]"), ("pan", "touches = [2, 10]\ndirection = \"vertical\""),
    ("pinch", "touches = [2, 10]"), ("pinch", "touches = [3, 10]"),
    ("rotation", "touches = [2, 10]"), ("rotation", "touches = [3, 10]"),
    ("tap", "touches = 10\nduration_ms = 60000\nslop = 1000"),
    ("long_press", "touches = 10\nduration_ms = 60000\nslop = 1000"),
  ]

  static func time() throws {
    print("\nten-finger frames with recognizers, sequencer to deliveries: us a frame\n")
    try compare(Case.allCases, measure)
    print("\nframes of taps with recognizers, sequencer to deliveries: us a frame\n")
    try compare([.none, .possible], measureTaps)
  }

  private static func compare(
    _ cases: [Case], _ measure: (Case) throws -> (time: Double, allocations: UInt)
  ) throws {
    show(["us", "more", "mallocs"])
    var first = 0.0
    for situation in cases {
      let (time, allocations) = try measure(situation)
      if situation == .none { first = time }
      show([
        fixed(time / 1000, 2), fixed((time - first) / 1000, 2), "\(allocations)",
        "  " + situation.rawValue,
      ])
    }
  }

  /// What it takes to add a recognizer and to take it away again, and to move a view that has one,
  /// beside so many others of other views. Rule F1.
  static func timeChanges() throws {
    print("\na recognizer more and one less, and a view that moves, beside others: us\n")
    show(["others", "more", "less", "moved"])
    for count in [0, 250, 4_000] {
      var text = text(hasRecognizers: false)
      for number in 0..<count {
        let view = "home/v\(number / 10)"
        if number % 10 == 0 { text += "[[view]]\npath = \"\(view)\"\nframe = [0, 0, 10, 10]\n" }
        text += "[[gesture]]\nview = \"\(view)\"\nname = \"g\(number)\"\nkind = \"pan\"\n"
      }
      let configuration = try Configuration.parse([(file: "gestures.toml", text: text)])
      var pipeline = TouchPipeline(layout: configuration.layout, gestures: configuration.gestures)
      let now = Timestamp(microseconds: 1_000_000)
      var editor = LayoutEditor(
        configuration.layout, of: configuration.layoutDescription,
        limits: configuration.limits.layout)
      var times: [[Double]] = [[], [], []]
      for round in 0..<101 {
        let spec = RecognizerSpec(.view("home/map"), "more", RecognizerDescription(.pan(.init())))
        times[0].append(time { pipeline.put(spec, at: now) })
        pipeline.finishDeliveries()
        guard let id = pipeline.router.recognizers.id(of: spec.path) else { continue }
        times[1].append(time { pipeline.remove(id, at: now) })
        pipeline.finishDeliveries()
        let move = ViewChange("home/map", .boundsOrigin(Point(x: Double(round % 2), y: 0)))
        _ = editor.apply([[move]])
        times[2].append(time { pipeline.replaceLayout(editor.layout, at: now) })
        pipeline.finishDeliveries()
      }
      show(["\(count)"] + times.map { fixed(median($0) / 1000, 1) })
    }
  }

  private static func time(_ change: () -> Void) -> Double {
    let start = processorTime()
    change()
    return processorTime() - start
  }

  private static func measureTaps(_ situation: Case) throws -> (time: Double, allocations: UInt) {
    var pipeline = try pipeline(situation)
    var now: UInt64 = 1_000_000
    return timed(frames: 500) { step in
      now += 40_000
      return frame(step % 2 == 0 ? .down : .up, step: 0, reach: 0, at: now, fingers: 1)
    } play: {
      pipeline.play($0)
    }
  }

  private static func pipeline(_ situation: Case) throws -> TouchPipeline {
    let configuration = try Configuration.parse([
      (file: "gestures.toml", text: text(hasRecognizers: situation != .none))
    ])
    var pipeline = TouchPipeline(layout: configuration.layout, gestures: configuration.gestures)
    _ = try pipeline.attach(
      AttachRequest(path: "home", handlesGestures: true), by: ClientID(slot: 0, generation: 1),
      at: Timestamp(microseconds: 0))
    return pipeline
  }

  private static func measure(_ situation: Case) throws -> (time: Double, allocations: UInt) {
    var pipeline = try pipeline(situation)
    var now: UInt64 = 1_000_000
    // Wide circles turn and pinch and pan; small ones stay within every slop.
    let reach = situation == .begun ? 60.0 : 1.0
    pipeline.play(frame(.down, step: 0, reach: reach, at: now))
    return timed(frames: 500) { step in
      now += 8_000
      return frame(.move, step: step, reach: reach, at: now)
    } play: {
      pipeline.play($0)
    }
  }

  /// Nanoseconds a frame, the median of rounds, and what all rounds but the first allocate.
  private static func timed(
    frames count: Int, _ frame: (Int) -> ReusableArray<DeviceEvent>,
    play: (ReusableArray<DeviceEvent>) -> Void
  ) -> (time: Double, allocations: UInt) {
    var times: [Double] = []
    times.reserveCapacity(20)
    var allocations: UInt = 0
    for round in 0...20 {
      let frames = (0..<count).map(frame)
      let before = allocation_count()
      let start = processorTime()
      for events in frames { play(events) }
      if round > 0 {
        times.append((processorTime() - start) / Double(count))
        allocations += allocation_count() - before
      }
    }
    return (median(times), allocations)
  }

  private enum Happening {
    case down
    case move
    case up
  }

  private static func frame(
    _ happening: Happening, step: Int, reach: Double, at time: UInt64, fingers: Int32 = 10
  ) -> ReusableArray<DeviceEvent> {
    let device = DeviceID(1)
    let stamp = Timestamp(microseconds: time)
    var events: ReusableArray<DeviceEvent> = []
    for slot in 0..<fingers {
      let phase = Double(step % 50) / 50
      let location = Point(
        x: 300 + Double(slot) * 20 + reach * phase * (slot % 2 == 0 ? 1 : 0.2),
        y: 300 + Double(slot % 3) * 30 + reach * (1 - phase))
      switch happening {
      case .down:
        events.append(
          .down(device, slot: slot, screen: ScreenIndex(0), location: location, time: stamp))
      case .move: events.append(.motion(device, slot: slot, location: location, time: stamp))
      case .up: events.append(.up(device, slot: slot, time: stamp))
      }
    }
    events.append(.frame(device, time: stamp))
    return events
  }

  private static func text(hasRecognizers: Bool) -> String {
    var text = """
      [screen.panel]
      size = [1000, 1000]
      [[window]]
      name = "home"
      frame = [0, 0, 1000, 1000]
      [[view]]
      path = "home/map"
      frame = [0, 0, 1000, 1000]

      """
    guard hasRecognizers else { return text }
    let names = kinds.indices.map { "home\($0 % 2 == 0 ? "/map" : "")#g\($0)" }
    for (index, kind) in kinds.enumerated() {
      let others = names.filter { $0 != names[index] }.map { "\"\($0)\"" }
      text += """
        [[gesture]]
        view = "\(names[index].prefix { $0 != "#" })"
        name = "g\(index)"
        kind = "\(kind.kind)"
        \(kind.keys)
        simultaneous = [\(others.joined(separator: ", "))]
        cancels_touches = false

        """
    }
    return text
  }
}

extension TouchPipeline {
  fileprivate mutating func play(_ events: ReusableArray<DeviceEvent>) {
    consume(events)
    finishDeliveries()
  }
}
