import Foundation
import Testing
import TouchModel

@testable import Gestures

@Suite("What gestures measure")
struct ValueTests {
  private func values(
    of recognizer: Named, _ script: String
  ) -> [(change: GestureEvent.Change, values: GestureValues)] {
    let bench = GestureBench([recognizer])
    _ = bench.play(script)
    return bench.events.map { ($0.change, $0.values) }
  }

  @Test("G16: a finger that comes or goes makes no jump")
  func noJump() throws {
    let told = values(
      of: Named("pan", .pan()),
      "began 0 300 200;began 1 500 200;frame;moved 0 320 200;moved 1 520 200;frame;wait 50;"
        + "ended 1;frame;wait 50;moved 0 330 200;frame;wait 9;began 1 0 0;frame;ended 0;frame;"
        + "wait 9;moved 1 0 5;frame;ended 1;frame")
    try #require(told.count == 4)
    #expect(told.map(\.change) == [.began, .changed, .changed, .ended])
    #expect(told.map(\.values.translation.x) == [20, 30, 30, 30])
    #expect(told.map(\.values.translation.y) == [0, 0, 5, 5])
    #expect(told.map(\.values.touches) == [2, 1, 1, 2])
    #expect(told.map(\.values.location.x) == [420, 330, 0, 0])
  }

  @Test("G16: scale and rotation go on where a third finger comes")
  func scaleAndRotation() throws {
    let pinch = values(
      of: Named("pinch", .pinch(.init())),
      "began 0 100 100;began 1 200 100;frame;moved 0 50 100;moved 1 250 100;frame;"
        + "began 2 150 400;frame;moved 2 150 400;frame;ended 0;ended 1;ended 2;frame")
    #expect(pinch.map(\.values.scale) == [2, 2, 2])
    let turn = values(
      of: Named("turn", .rotation(.init())),
      "began 0 100 100;began 1 200 100;frame;moved 0 150 50;moved 1 150 150;frame;"
        + "began 2 150 400;frame;moved 2 150 400;frame;ended 0;ended 1;ended 2;frame")
    #expect(turn.map { $0.values.rotation.rounded() } == [90, 90, 90])
  }

  @Test("G16: rotation goes on beyond 360 degrees")
  func wholeTurns() throws {
    var script = "began 0 150 100;began 1 50 100;frame;"
    for _ in 0..<3 {
      script += "moved 0 100 150;moved 1 100 50;frame;moved 0 50 100;moved 1 150 100;frame;"
      script += "moved 0 100 50;moved 1 100 150;frame;moved 0 150 100;moved 1 50 100;frame;"
    }
    let told = values(of: Named("turn", .rotation(.init())), script)
    #expect(told.last?.values.rotation.rounded() == 1080)
  }

  @Test("G16: half a turn in one frame is clockwise, whatever is rounded")
  func halfTurns() throws {
    for step in 0..<90 {
      let angle = Double(step) * 4 * .pi / 180
      let (x, y) = (50 * cos(angle), 50 * sin(angle))
      let (one, other) = ("\(300 + x) \(200 + y)", "\(300 - x) \(200 - y)")
      let told = values(
        of: Named("turn", .rotation(.init())),
        "began 0 \(one);began 1 \(other);frame;moved 0 \(other);moved 1 \(one);frame")
      #expect(told.map { ($0.values.rotation * 1e6).rounded() / 1e6 } == [180], "\(step)")
    }
  }

  @Test("G16: a finger at the centroid turns neither as it comes nor as it leaves")
  func fingersThatMeet() throws {
    let told = values(
      of: Named("turn", .rotation(.init())),
      "began 0 100 100;began 1 200 100;frame;moved 0 150 100;moved 1 150 100;frame;"
        + "moved 0 150 50;moved 1 150 150;frame")
    #expect(told.isEmpty)
  }

  @Test("G16: values are those of the view, slops those of the screen")
  func turnedView() throws {
    // Turned by 90 degrees about (300, 200), and twice as large.
    let toView = AffineTransform(a: 0, b: -0.5, c: 0.5, d: 0, tx: 0, ty: 250)
    let bounds = Rect(x: 0, y: 0, width: 200, height: 200)
    let pan = Named("pan", .pan(.horizontal)).with {
      $0.orientation = Orientation(toView: toView, bounds: bounds)
    }
    let told = values(of: pan, "began 0 300 200;frame;moved 0 300 212;frame;ended 0;frame")
    #expect(told.map(\.values.translation.x) == [6, 6])
    #expect(told.map(\.values.location) == Array(repeating: Point(x: 106, y: 100), count: 2))
  }

  @Test("G16: in a mirrored view clockwise is the other way")
  func mirroredView() throws {
    let mirrored = Named("turn", .rotation(.init())).with {
      $0.orientation = Orientation(
        toView: AffineTransform(scaleX: -1, y: 1), bounds: Rect(x: 0, y: 0, width: 1, height: 1))
    }
    let script = "began 0 100 100;began 1 200 100;frame;moved 0 150 50;moved 1 150 150;frame"
    #expect(values(of: mirrored, script).map { $0.values.rotation.rounded() } == [-90])
  }

  @Test(
    "G16: velocity is within 5 % of the true one on a jittering drag, and 0 after a rest",
    arguments: [60.0, 120, 1000])
  func velocity(rate: Double) throws {
    var jitter = Jitter()
    var worst = 0.0
    for _ in 0..<50 {
      var tracker = VelocityTracker()
      var time = Timestamp(microseconds: 1_000_000)
      for index in 0..<Int(rate / 2) {
        let seconds = Double(index) / rate
        time = Timestamp(microseconds: 1_000_000 + UInt64(seconds * 1e6))
        tracker.add(1600 * seconds + jitter.next(), -1200 * seconds + jitter.next(), at: time)
      }
      let velocity = tracker.velocity(at: time)
      worst = max(worst, velocity.distance(to: Point(x: 1600, y: -1200)) / 2000)
      #expect(tracker.velocity(at: time.adding(milliseconds: 41)) == .zero)
    }
    #expect(worst < 0.05)
  }

  @Test(
    "G16: a pan tells how fast a jittering drag goes within 5 %, until its finger has rested 40 ms",
    arguments: [60.0, 120, 1000])
  func panVelocity(rate: Double) throws {
    var jitter = Jitter()
    var script = "began 0 0 600;frame;"
    for index in 1...Int(rate / 2) {
      let seconds = Double(index) / rate
      let (x, y) = (1600 * seconds + jitter.next(), 600 - 1200 * seconds + jitter.next())
      script += "wait \(1000 / rate);moved 0 \(x) \(y);frame;"
    }
    for rest in [40, 41] {
      let told = values(of: Named("pan", .pan()), script + "wait \(rest);ended 0;frame")
      #expect(told.first?.change == .began && told.last?.change == .ended)
      // Those of whole 100 ms, after as many samples as come in them.
      let velocities = told.dropLast().suffix(Int(rate * 0.4)).map(\.values.velocity)
      let worst = velocities.map { $0.distance(to: Point(x: 1600, y: -1200)) / 2000 }.max() ?? 1
      #expect(worst < 0.05)
      let last = try #require(told.last).values.velocity
      #expect(last == (rest == 40 ? velocities.last : .zero))
    }
  }

  @Test("G16: of two samples it is a line, of one nothing, and a gap of 40 ms begins anew")
  func fewSamples() {
    var tracker = VelocityTracker()
    func at(_ milliseconds: UInt64) -> Timestamp { Timestamp(microseconds: milliseconds * 1000) }
    tracker.add(0, 0, at: at(0))
    #expect(tracker.velocity(at: at(0)) == .zero)
    tracker.add(5, 0, at: at(10))
    tracker.add(10, -20, at: at(10))
    #expect(tracker.velocity(at: at(50)) == Point(x: 1000, y: -2000))
    tracker.add(90, 0, at: at(51))
    #expect(tracker.velocity(at: at(51)) == .zero)
  }

  @Test("G16: fingers lifted in one frame leave from where they all were")
  func liftedTogether() {
    let told = values(
      of: Named("pan", .pan()),
      "wait 5;began 0 100 100;began 1 200 100;frame;wait 9;moved 0 120 100;moved 1 220 100;frame;"
        + "wait 9;ended 0;ended 1;frame")
    #expect(told.map(\.change) == [.began, .ended])
    #expect(told.map(\.values.location.x) == [170, 170])
  }

  @Test("G16: fingers lifted in two frames of one time leave from where the last one was")
  func liftedOneByOne() {
    let told = values(
      of: Named("pan", .pan()),
      "wait 5;began 0 100 100;began 1 200 100;frame;wait 9;moved 0 120 100;moved 1 220 100;frame;"
        + "wait 9;ended 0;frame;ended 1;frame")
    #expect(told.map(\.change) == [.began, .ended])
    #expect(told.map(\.values.location.x) == [170, 220])
  }

  @Test("G16: a gesture that is cancelled says how many fingers are down")
  func cancelledTouches() {
    let told = values(
      of: Named("pan", .pan()),
      "began 0 100 100;began 1 200 100;frame;wait 9;moved 0 140 100;frame;wait 9;cancelled 1")
    #expect(told.map(\.change) == [.began, .cancelled(.palm)])
    #expect(told.map(\.values.touches) == [2, 1])
  }

  @Test("G16: a finger that lay on another one has not turned")
  func noTurnWithoutArm() {
    let told = values(
      of: Named("turn", .rotation(.init())),
      "began 0 200 300;began 1 200 300;frame;wait 9;moved 0 224 324;frame")
    #expect(told.isEmpty)
  }

  @Test("no change is told by a finger that comes, whatever others did before it (G3)")
  func noChangeByLanding() {
    let told = values(
      of: Named("pan", .pan(), fingers: FingerCount(2, 2)),
      "began 0 100 100;began 1 200 100;frame;wait 9;moved 0 140 100;frame;wait 9;ended 1;frame;"
        + "wait 9;moved 0 180 100;frame;wait 9;began 2 200 100;frame")
    #expect(told.map(\.change) == [.began])
  }

  @Test("G7: what waited does not begin with fewer fingers than it asks for")
  func waitsForItsFingers() {
    let zoom = Named("zoom", .pinch(.init())).with { $0.after = ["next"] }
    var told = play(
      Named("next", .swipe(.init(.right))).with { $0.slots = [1] }, zoom,
      script: "began 0 17 105;began 1 76 127;frame;wait 9;moved 0 2 88;frame;wait 9;ended 1;frame")
    told = told.filter { !$0.contains("next") }
    #expect(told == [])
  }
}

/// Numbers from -0.5 to 0.5, the same in each run.
private struct Jitter {
  private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

  mutating func next() -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Double(state >> 11) / Double(UInt64(1) << 53) - 0.5
  }
}
