import Configuration
package import TouchClient
package import TouchModel

/// Fingers that come down together, go their ways or stay, and are lifted together: what commands
/// that play touches, and lines of scripts, are made of.
package struct Stroke {
  /// How many fingers, in slots from 0.
  package let fingers: Int
  /// The time from coming down to being lifted, in milliseconds.
  package let duration: Double
  /// In how many moves, evenly in time; 0 where the fingers stay.
  package let steps: Int
  /// Where a finger is at a share of the way, from 0 to 1, in points of the screen.
  private let point: (_ finger: Int, _ share: Double) -> Point

  /// The time between two moves, in milliseconds: 120 frames a second.
  private static let step = 1000.0 / 120
  /// How long a tap, a press and a swipe take where nothing else is said, in milliseconds.
  package static let tapTime = 50.0
  /// Of a press.
  package static let pressTime = 1000.0
  /// Of a swipe.
  package static let swipeTime = 300.0
  /// Between two fingers that are side by side, in points.
  private static let spacing = 60.0

  /// Fingers that stay where they come down, side by side about a point.
  package static func hold(_ fingers: Int, at point: Point, for duration: Double) -> Stroke {
    Stroke(fingers: fingers, duration: duration, steps: 0) { finger, _ in
      Point(x: point.x + offset(of: finger, among: fingers), y: point.y)
    }
  }

  /// Fingers that go along a line, which lies between them, side by side.
  package static func line(
    _ fingers: Int, from start: Point, to end: Point, in duration: Double
  ) -> Stroke {
    let (dx, dy) = (end.x - start.x, end.y - start.y)
    let length = (dx * dx + dy * dy).squareRoot()
    let side = length > 0 ? Point(x: -dy / length, y: dx / length) : Point(x: 1, y: 0)
    return Stroke(fingers: fingers, duration: duration, steps: moves(in: duration)) {
      finger, share in
      let off = offset(of: finger, among: fingers)
      return Point(
        x: start.x + dx * share + side.x * off, y: start.y + dy * share + side.y * off)
    }
  }

  /// Two fingers on either side of a point, the first to its left when they come down.
  ///
  /// - Parameters:
  ///   - distance: between the two when they come down, in points.
  ///   - scale: what becomes of the distance, as a factor.
  ///   - degrees: how far the two turn about the point, clockwise.
  package static func pair(
    about center: Point, distance: Double, scale: Double, degrees: Double, in duration: Double
  ) -> Stroke {
    // However short it takes, a finger never goes straight through the middle.
    let steps = max(moves(in: duration), Int((abs(degrees) / 15).rounded(.up)))
    return Stroke(fingers: 2, duration: duration, steps: steps) { finger, share in
      let radius = distance / 2 * (1 + (scale - 1) * share)
      let turn = AffineTransform(degreesClockwise: degrees * share)
      let arm = turn.apply(Point(x: finger == 0 ? -radius : radius, y: 0))
      return Point(x: center.x + arm.x, y: center.y + arm.y)
    }
  }

  /// The fingers as contacts of a frame, at a share of the way.
  package func contacts(
    at share: Double, _ change: (Point) -> InjectedContact.Change
  ) -> [InjectedContact] {
    (0..<fingers).map { InjectedContact(slot: Int32($0), change(point($0, share))) }
  }

  /// The first finger of which the way leaves a rectangle, from 1, and where; nil where all of them
  /// stay within.
  package func departure(from bounds: Rect) -> (finger: Int, point: Point)? {
    for number in 0...steps {
      for finger in 0..<fingers {
        let location = point(finger, steps == 0 ? 0 : Double(number) / Double(steps))
        if !bounds.contains(location) { return (finger + 1, location) }
      }
    }
    return nil
  }

  /// What is played of it, in turn: frames, and pauses between them.
  var script: [InjectScript.Step] {
    var script: [InjectScript.Step] = [.frame(contacts(at: 0) { .began($0) })]
    if steps == 0 { script.append(.wait(milliseconds: duration)) }
    for number in 0..<steps {
      script.append(.wait(milliseconds: duration / Double(steps)))
      let share = Double(number + 1) / Double(steps)
      script.append(.frame(contacts(at: share) { .moved($0) }))
    }
    return script + [.frame(contacts(at: 1) { _ in .ended })]
  }

  private static func moves(in duration: Double) -> Int { max(1, Int((duration / step).rounded())) }

  private static func offset(of finger: Int, among fingers: Int) -> Double {
    (Double(finger) - Double(fingers - 1) / 2) * spacing
  }
}
