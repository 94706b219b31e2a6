import Configuration
import Gestures
import Layout
import Measuring
import Routing
import TouchModel

/// What one unit of work costs of those that limits bound: a view that a lookup asks in vain, an
/// edge of a polygon, a recognizer that a touch is offered to. Rules H8, G2 and F5.
enum WorstCosts {
  static func time() throws {
    try timeViews()
    try timeRecognizers()
  }

  /// Views that all hold a point in their bounds, and do not have it.
  private static func timeViews() throws {
    print(
      "\na lookup that asks views in vain: us, ns for each view, ns for each point of a polygon\n")
    show(["views", "points", "us", "a view", "a point"])
    let kinds: [(String, Int)] = [
      ("shape = \"ellipse\"", 0),
      ("shape = \"ellipse\"\ntransform = { rotate = 0.01 }", 0),
      ("inside = \"children\"\nshape = \"ellipse\"", 0),
      (polygon(4), 4), (polygon(64), 64), (polygon(1024), 1024),
    ]
    for (keys, points) in kinds {
      let count = points > 64 ? 256 : 4096
      var text = window
      for number in 0..<count {
        text += "[[view]]\npath = \"home/v\(number)\"\nframe = [0, 0, 1000, 1000]\n\(keys)\n"
      }
      let tester = HitTester(try Configuration.parse([(file: "views.toml", text: text)]).layout)
      let times = (0..<51).map { _ in
        let start = processorTime()
        let found = tester.hitTest(Point(x: 3, y: 4), on: ScreenIndex(0))
        let time = processorTime() - start
        precondition(found == ViewIndex(0), "the window alone has the point")
        return time
      }
      let time = median(times)
      show([
        "\(count)", "\(points)", fixed(time / 1000, 1), fixed(time / Double(count), 1),
        points == 0 ? "" : fixed(time / Double(count * points), 2),
      ])
    }
  }

  /// A comb whose teeth all pass the height of the point, to the right of it.
  private static func polygon(_ count: Int) -> String {
    let points = (0..<count).map { number in
      let x = 10 + 980 * Double(number) / Double(count)
      return "[\(x), \(number % 2 == 0 ? 0 : 999)]"
    }
    return "shape = { polygon = [\(points.joined(separator: ", "))] }"
  }

  private static let window = """
    [screen.panel]
    size = [1000, 1000]
    [[window]]
    name = "home"
    frame = [0, 0, 1000, 1000]

    """

  /// Recognizers of as many views as there are fingers, each of whose touches is offered to some.
  private static func timeRecognizers() throws {
    print("\nten fingers on ten views, each of which has recognizers: us a frame\n")
    show(["each", "down", "move", "win", "lift"])
    for kind in ["pan", "tap"] {
      for count in [0, 8, 16, 32, 64, 128] {
        var text = window
        for view in 0..<10 {
          text += "[[view]]\npath = \"home/v\(view)\"\nframe = [\(view * 100), 0, 100, 1000]\n"
          for number in 0..<count {
            text += "[[gesture]]\nview = \"home/v\(view)\"\nname = \"g\(number)\"\n"
            text += "kind = \"\(kind)\"\n"
          }
        }
        let configuration = try Configuration.parse([(file: "gestures.toml", text: text)])
        var pipeline = TouchPipeline(
          layout: configuration.layout, gestures: configuration.gestures)
        _ = try pipeline.attach(
          AttachRequest(path: "home", handlesGestures: true),
          by: ClientID(slot: 0, generation: 1), at: Timestamp(microseconds: 0))
        show(["\(count)"] + timeFrames(&pipeline) + ["  " + kind])
      }
    }
  }

  private static func timeFrames(_ pipeline: inout TouchPipeline) -> [String] {
    var times: [[Double]] = Array(repeating: [], count: 4)
    for round in 1...41 {
      let start = UInt64(round) * 10_000_000
      for (step, y) in [100.0, 102, 140, -1].enumerated() {
        let events = frame(y, at: start + UInt64(step) * 8_000, isFirst: step == 0)
        let began = processorTime()
        pipeline.consume(events)
        times[step].append(processorTime() - began)
        pipeline.finishDeliveries()
      }
      pipeline.advance(to: Timestamp(microseconds: start + 9_000_000))
      pipeline.finishDeliveries()
    }
    return times.map { fixed(median($0) / 1000, 1) }
  }

  private static func frame(
    _ y: Double, at time: UInt64, isFirst: Bool
  ) -> ReusableArray<DeviceEvent> {
    let (device, stamp) = (DeviceID(1), Timestamp(microseconds: time))
    var events: ReusableArray<DeviceEvent> = []
    for slot in 0..<10 as Range<Int32> {
      let location = Point(x: 50 + Double(slot) * 100, y: y)
      if isFirst {
        events.append(
          .down(device, slot: slot, screen: ScreenIndex(0), location: location, time: stamp))
      } else if y < 0 {
        events.append(.up(device, slot: slot, time: stamp))
      } else {
        events.append(.motion(device, slot: slot, location: location, time: stamp))
      }
    }
    events.append(.frame(device, time: stamp))
    return events
  }
}
