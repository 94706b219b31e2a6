import Glibc
import TestSupport
import Testing
import TouchModel

@testable import Examination

@Suite("Calibration by presses")
struct CalibrationTests {
  private static let size = Size(width: 800, height: 480)

  /// Presses on crosses of a device whose coordinates have to go through a map.
  ///
  /// - Parameter error: How far the finger is from the cross, in points: the standard deviation of
  ///   each axis.
  private static func presses(
    through map: AffineTransform, count: Int, error: Double, _ random: inout SeededGenerator
  ) throws -> [AffineFit.Pair] {
    let inverse = try #require(map.inverted())
    return CrossList.places(count).map { place in
      let finger = Point(
        x: place.x + random.normal() * error / size.width,
        y: place.y + random.normal() * error / size.height)
      return AffineFit.Pair(pressed: inverse.apply(finger), wanted: place)
    }
  }

  /// A map as a digitizer's: any way to mount it, turned by a little, of another size, elsewhere.
  private static func map(_ random: inout SeededGenerator) -> AffineTransform {
    let angle = Double.random(in: -0.15...0.15, using: &random)
    let (sine, cosine) = (sin(angle), cos(angle))
    let small = AffineTransform(
      a: cosine * .random(in: 0.8...1.25, using: &random), b: sine,
      c: -sine + .random(in: -0.05...0.05, using: &random),
      d: cosine * .random(in: 0.8...1.25, using: &random),
      tx: .random(in: -0.1...0.1, using: &random), ty: .random(in: -0.1...0.1, using: &random))
    return random.pick(Orientation.allCases).transform.concatenating(small)
  }

  /// How far a map's places are from another's at the corners of the device, in points, at most.
  private static func error(_ found: AffineTransform, _ map: AffineTransform) -> Double {
    let corners = [(0.0, 0.0), (1, 0), (0, 1), (1, 1)].map { Point(x: $0.0, y: $0.1) }
    let inverse = map.inverted() ?? .identity
    return corners.map { corner in
      let place = found.apply(inverse.apply(corner))
      let (x, y) = ((place.x - corner.x) * size.width, (place.y - corner.y) * size.height)
      return (x * x + y * y).squareRoot()
    }.max() ?? 0
  }

  @Test("without an error the map is found to a thousandth of a point, whatever it is")
  func exact() throws {
    let seed = Seeds.fresh()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let map = Self.map(&random)
      let count = Int.random(in: CrossList.counts, using: &random)
      let pairs = try Self.presses(through: map, count: count, error: 0, &random)
      let found = try AffineFit(pairs).transform
      #expect(Self.error(found, map) < 0.001, "seed \(seed)")
    }
  }

  @Test("with a finger's errors the map is as near as the errors allow, and nearer by more crosses")
  func noisy() throws {
    let seed = Seeds.fresh()
    var random = SeededGenerator(seed: seed)
    var means: [Double] = []
    for count in [5, 9, 25] {
      var sum = 0.0
      for _ in 0..<400 {
        let map = Self.map(&random)
        let pairs = try Self.presses(through: map, count: count, error: 3, &random)
        let error = Self.error(try AffineFit(pairs).transform, map)
        // Ten standard deviations of the corner of five crosses.
        #expect(error < 60, "seed \(seed)")
        sum += error
      }
      means.append(sum / 400)
    }
    #expect(means[0] < 12 && means[1] < means[0] && means[2] < means[1], "\(means), seed \(seed)")
  }

  @Test("a matrix is proposed where one is needed, and its residual is that of the errors")
  func matrix() throws {
    let seed = Seeds.fresh()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let map = AffineTransform(
        a: .random(in: 1.1...1.3, using: &random), b: 0.02, c: -0.03,
        d: .random(in: 0.7...0.9, using: &random), tx: 0.05, ty: -0.04)
      let pairs = try Self.presses(through: map, count: 9, error: 1.5, &random)
      let calibration = try Calibration(pairs, present: .identity, size: Self.size)
      guard case .matrix(let numbers) = calibration.remedy else {
        Issue.record("\(calibration.remedy), seed \(seed)")
        continue
      }
      #expect(numbers == calibration.matrix)
      let found = AffineTransform(
        a: numbers[0], b: numbers[3], c: numbers[1], d: numbers[4], tx: numbers[2], ty: numbers[5])
      #expect(Self.error(found, map) < 15, "seed \(seed)")
      #expect(calibration.before.rms > 30 && calibration.after.rms < 6, "seed \(seed)")
    }
  }

  @Test(
    "each way to mount a digitizer is found as that, by a finger that is 3 points off",
    arguments: Orientation.allCases)
  func orientations(_ way: Orientation) throws {
    let seed = Seeds.fresh()
    var random = SeededGenerator(seed: seed)
    let map = way.transform
    for error in [0, 1.5, 3] {
      let pairs = try Self.presses(through: map, count: 5, error: error, &random)
      let calibration = try Calibration(pairs, present: .identity, size: Self.size)
      let isRight = way == Orientation()
      // Five presses whose errors agree by chance look like a map of their own.
      if error > 0, case .matrix = calibration.remedy { continue }
      #expect(
        calibration.remedy == (isRight ? .none : .orientation(way)), "error \(error), seed \(seed)")
    }
    // What is in force already is right.
    let pairs = try Self.presses(through: map, count: 5, error: 0, &random)
    #expect(try Calibration(pairs, present: map, size: Self.size).remedy == .none)
  }

  @Test("a turn is that of the configuration's key rotation, and a mirror image is none")
  func turns() {
    #expect(
      Orientation.allCases.compactMap(\.rotation).sorted { $0.rawValue < $1.rawValue }
        == Screen.Rotation.allCases)
    for way in Orientation.allCases {
      #expect((way.transform.determinant > 0) == (way.rotation != nil), "\(way)")
    }
    // A quarter turn brings the panel's top edge to its viewer's right.
    let quarter = Orientation.allCases.first { $0.rotation == .quarter }
    #expect(quarter?.transform.apply(Point(x: 0.25, y: 0)) == Point(x: 1, y: 0.25))
    #expect(Screen.Rotation.threeQuarters.followed(by: .half) == .quarter)
  }

  @Test("presses at one place, on one line, or that do not fit are refused")
  func refused() throws {
    func failure(_ pairs: [AffineFit.Pair]) -> Calibration.Failure? {
      do throws(Calibration.Failure) {
        _ = try Calibration(pairs, present: .identity, size: Self.size)
        return nil
      } catch { return error }
    }
    let places = CrossList.places(5)
    let seed = Seeds.fresh()
    var random = SeededGenerator(seed: seed)
    let one = places.map {
      AffineFit.Pair(
        pressed: Point(x: 0.4 + random.normal() * 0.002, y: 0.6 + random.normal() * 0.002),
        wanted: $0)
    }
    guard case .fit(.onePlace(let place)) = failure(one) else {
      Issue.record("\(String(describing: failure(one))), seed \(seed)")
      return
    }
    #expect(place.distance(to: Point(x: 0.4, y: 0.6)) < 0.01)
    let line = places.map { AffineFit.Pair(pressed: Point(x: $0.x, y: $0.x / 2), wanted: $0) }
    #expect(failure(line) == .fit(.oneLine))
    let dead = places.map { AffineFit.Pair(pressed: Point(x: 0.5, y: $0.y), wanted: $0) }
    #expect(failure(dead) == .fit(.oneLine))
    #expect(failure(Array(one.prefix(2))) == .fit(.tooFew))
    // One press beside its cross, and which: with more crosses it is known.
    var wrong = CrossList.places(9).map { AffineFit.Pair(pressed: $0, wanted: $0) }
    wrong[3].pressed.x += 0.3
    guard case .badFit(let residual, let limit, let worst) = failure(wrong) else {
      Issue.record("a press 240 points off fits")
      return
    }
    #expect(worst == 3 && residual > limit && limit < 15)
    // All of them in the wrong order.
    let order = [4, 2, 0, 1, 3]
    let mixed = places.indices.map {
      AffineFit.Pair(pressed: places[order[$0]], wanted: places[$0])
    }
    guard case .badFit(_, _, nil) = failure(mixed) else {
      Issue.record("\(String(describing: failure(mixed)))")
      return
    }
  }

  @Test("a remedy is written as the keys of a [[device]]")
  func keys() {
    func lines(
      _ remedy: Calibration.Remedy, mounted: Screen.Rotation = .none, hasMatrix: Bool = false
    ) -> [String] {
      CalibrationKeys(remedy, mounted: mounted, hasMatrix: hasMatrix).lines
    }
    #expect(lines(.none) == [])
    #expect(
      lines(.matrix([1.25, 0, -0.0000001, 1.0 / 3, -1, 0.5]))
        == ["calibration = [1.25, 0, 0, 0.333333, -1, 0.5]"])
    let quarter = Orientation(invertsY: true, swaps: true)
    #expect(lines(.orientation(quarter)) == ["rotation = 90"])
    for (remedy, isTurn) in [
      (Calibration.Remedy.orientation(quarter), true), (.matrix([1, 0, 0, 0, 2, 0]), false),
      (.orientation(Orientation(invertsX: true)), false),
    ] {
      // A matrix and a mirror image come before the rotation, which stays.
      let keys = CalibrationKeys(remedy, mounted: .half, hasMatrix: false)
      #expect(keys.replaced.contains("rotation") == isTurn)
    }
    #expect(lines(.orientation(quarter), mounted: .threeQuarters) == ["rotation = 0"])
    #expect(
      lines(.orientation(quarter), hasMatrix: true)
        == ["calibration = [1, 0, 0, 0, 1, 0]", "rotation = 90"])
    #expect(
      lines(.orientation(Orientation(invertsX: true, invertsY: true, swaps: true)))
        == ["invert_x = true", "invert_y = true", "swap_xy = true"])
    #expect(
      CalibrationKeys(.orientation(quarter), mounted: .none, hasMatrix: false).rule(
        for: DeviceRule.Match(name: "Bad [Panel] \"7\"", vendor: 0xeef, product: 1), screen: "door")
        == [
          "[[device]]", #"match = { name = "Bad \\[Panel\\] \"7\"", id = "0eef:0001" }"#,
          "screen = \"door\"", "rotation = 90",
        ])
  }

  @Test("a press is where one finger rested; strokes, two fingers and palms are none")
  func presses() {
    let device = DeviceID(1)
    let time = Timestamp(microseconds: 1)
    func outcomes(_ events: [DeviceEvent]) -> [PressCollector.Outcome] {
      var collector = PressCollector(tolerance: 0.03)
      return events.compactMap { collector.take($0) }
    }
    func down(_ slot: Int32, _ x: Double, _ y: Double) -> DeviceEvent {
      .down(device, slot: slot, screen: ScreenIndex(0), location: Point(x: x, y: y), time: time)
    }
    func move(_ slot: Int32, _ x: Double, _ y: Double) -> DeviceEvent {
      .motion(device, slot: slot, location: Point(x: x, y: y), time: time)
    }
    func up(_ slot: Int32) -> DeviceEvent { .up(device, slot: slot, time: time) }
    #expect(
      outcomes([down(0, 0.5, 0.5), move(0, 0.51, 0.5), move(0, 0.51, 0.52), up(0)])
        == [.press(Point(x: 0.51, y: 0.5))])
    #expect(outcomes([down(0, 0.5, 0.5), move(0, 0.6, 0.5), up(0)]) == [.stroke])
    #expect(
      outcomes([down(0, 0.5, 0.5), down(1, 0.7, 0.5), up(0), up(1), down(0, 0.1, 0.1), up(0)])
        == [.severalFingers, .press(Point(x: 0.1, y: 0.1))])
    #expect(
      outcomes([
        down(0, 0.5, 0.5), .cancel(device, slot: 0, reason: .palm, time: time),
        .lost(device, reason: .deviceRemoved, time: time),
      ]) == [.cancelled, .lost])
  }
}

extension SeededGenerator {
  /// Of the normal distribution.
  fileprivate mutating func normal() -> Double {
    let radius = (-2 * log(Double.random(in: 0.000_000_001...1, using: &self))).squareRoot()
    return radius * cos(2 * .pi * .random(in: 0...1, using: &self))
  }
}
