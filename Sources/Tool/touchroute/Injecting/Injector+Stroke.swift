import TouchClient
import TouchModel
import TouchScripts

extension Injector {
  /// Plays a stroke, once the time that was waited for is over.
  func play(_ stroke: Stroke) throws {
    try frame(stroke.contacts(at: 0) { .began($0) })
    if stroke.steps == 0 { stay(milliseconds: stroke.duration) }
    for number in 0..<stroke.steps {
      wait(milliseconds: stroke.duration / Double(stroke.steps))
      let share = Double(number + 1) / Double(stroke.steps)
      try frame(stroke.contacts(at: share) { .moved($0) })
    }
    try frame(stroke.contacts(at: 1) { _ in .ended })
  }

  /// Plays taps, a moment between each and what comes next.
  func tap(_ fingers: Int, at point: Point, count: Int, hold: Double) throws {
    for _ in 0..<count {
      try play(.hold(fingers, at: point, for: hold))
      wait(milliseconds: 80)
    }
  }
}
