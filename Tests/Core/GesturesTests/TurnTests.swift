import Foundation
import TestSupport
import Testing
import TouchModel

@testable import Gestures

@Suite("How far fingers turn")
struct TurnTests {
  /// How far fingers turn in a frame that takes them from some places to others, in degrees.
  private func turn(from old: [Point], to new: [Point]) -> Double {
    var touches = TrackedTouches(of: DeviceID(1))
    var fingers = FingerSet()
    for (index, place) in old.enumerated() {
      if let finger = touches.add(TouchID(UInt64(index + 1)), at: place) { fingers.insert(finger) }
    }
    for (index, place) in new.enumerated() { touches.move(TouchID(UInt64(index + 1)), to: place) }
    return touches.measure(fingers, withTurns: true).turn
  }

  /// Points turned clockwise about the origin, and moved.
  private func turned(_ places: [Point], by degrees: Double, movedBy way: Point = .zero) -> [Point]
  {
    let (sine, cosine) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
    return places.map {
      Point(x: $0.x * cosine - $0.y * sine + way.x, y: $0.x * sine + $0.y * cosine + way.y)
    }
  }

  private let row = [Point(x: 100, y: 200), Point(x: 200, y: 200), Point(x: 300, y: 200)]

  @Test("G16: three fingers that rest in a row, with half a point of noise, begin no rotation")
  func restingRows() {
    for seed in Seeds.fresh(20) {
      var generator = SeededGenerator(seed: seed)
      func noise() -> Double { Double.random(in: -0.5...0.5, using: &generator) }
      func line(_ slot: Int, _ word: String) -> String {
        "\(word) \(slot) \(100 + 80 * Double(slot) + noise()) \(200 + noise());"
      }
      var script = (0..<3).map { line($0, "began") }.joined() + "frame;"
      for _ in 0..<200 {
        script += "wait 8;" + (0..<3).map { line($0, "moved") }.joined() + "frame;"
      }
      #expect(play(Named("turn", .rotation(.init())), script: script) == [], "seed \(seed)")
    }
  }

  @Test("G16: a finger near the centroid that moves by a hair turns next to nothing")
  func nearTheCentroid() {
    var (old, new) = (row, row)
    old[1] = Point(x: 200.1, y: 200)
    new[1] = Point(x: 199.9, y: 200.1)
    #expect(turn(from: old, to: new).magnitude < 0.1)
  }

  @Test("G16: fingers that turn together turn so far, wherever one of them lies")
  func together() {
    for places in [row, [Point(x: -50, y: 3), Point(x: 40, y: 90), Point(x: 1, y: -1)]] {
      for degrees in [-170.0, -90, -1, 0, 30, 179] {
        let new = turned(places, by: degrees, movedBy: Point(x: 12, y: -7))
        #expect((turn(from: places, to: new) - degrees).magnitude < 1e-9, "\(degrees)")
      }
    }
  }

  @Test("G16: two fingers turn as the line through them does")
  func twoFingers() {
    for seed in Seeds.fresh(1000) {
      var generator = SeededGenerator(seed: seed)
      func place() -> Point {
        Point(
          x: .random(in: 0...800, using: &generator), y: .random(in: 0...480, using: &generator))
      }
      let (old, new) = ([place(), place()], [place(), place()])
      func angle(_ ends: [Point]) -> Double {
        atan2(ends[1].y - ends[0].y, ends[1].x - ends[0].x) * 180 / .pi
      }
      let line = remainder(angle(new) - angle(old), 360)
      #expect((turn(from: old, to: new) - line).magnitude < 1e-9, "seed \(seed): \(old) \(new)")
    }
  }

  @Test("G16: half a turn of three fingers is clockwise, whatever is rounded")
  func halfTurns() {
    for step in 0..<90 {
      let old = turned(row, by: Double(step) * 4)
      let new = turned(old, by: 180)
      #expect(turn(from: old, to: new) == 180, "\(step)")
    }
  }

  @Test("G16: where no rotation fits better than another, fingers do not turn")
  func noRotation() {
    let triangle = [0.0, 120, 240].map { turned([Point(x: 90, y: 0)], by: $0)[0] }
    let swapped = [triangle[0], triangle[2], triangle[1]]
    #expect(turn(from: triangle, to: swapped) == 0)
    let met = Array(repeating: Point(x: 1.0 / 3, y: 1.0 / 7), count: 3)
    #expect(turn(from: triangle, to: met) == 0)
    #expect(turn(from: met, to: triangle) == 0)
    let almost = met.enumerated().map { Point(x: $1.x + Double($0) * 1e-13, y: $1.y) }
    #expect(turn(from: met, to: almost) == 0)
    #expect(turn(from: almost, to: turned(almost, by: 90)) == 0)
  }
}
