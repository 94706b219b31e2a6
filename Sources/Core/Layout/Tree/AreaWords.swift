import TouchModel

/// Says in words that a window, or a view that a rule is about, would take touches outside of its
/// area. Rule L6.
enum AreaWords {
  static func outside(_ path: String, _ box: Rect, _ window: String, _ area: Rect) -> String {
    "\"\(path)\" would be at \(box.words) on the screen, outside of " + words(area, of: window)
  }

  static func takingAll(_ path: String, _ window: String, _ area: Rect) -> String {
    "\"\(path)\" would take touches anywhere on the screen, outside of " + words(area, of: window)
  }

  static func outside(
    _ path: String, _ box: Rect, in superview: String, _ area: Rect
  ) -> String {
    "\"\(path)\" would be at \(box.words) in \"\(superview)\", outside of "
      + words(area, in: superview)
  }

  static func takingAll(_ path: String, in superview: String, _ area: Rect) -> String {
    "\"\(path)\" would take touches of \"\(superview)\" outside of "
      + words(area, in: superview)
  }

  static func notClipping(_ path: String, in superview: String, _ area: Rect) -> String {
    "what lies in \"\(path)\" would take touches of \"\(superview)\" outside of "
      + words(area, in: superview)
  }

  private static func words(_ area: Rect, in superview: String) -> String {
    "\(area.words), where the configuration has it; an [[access]] rule for \"\(superview)\" that "
      + "names this program's user allows it"
  }

  private static func words(_ area: Rect, of window: String) -> String {
    "\(area.words), the area that the configuration gives to \"\(window)\"; `resizable = true` in "
      + "its [[window]] allows it, or an [[access]] rule that names this program's user"
  }
}

extension Rect {
  /// Such as `[0, 0, 400, 480]`.
  fileprivate var words: String {
    let numbers = [x, y, width, height].map { number in
      number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\(number)"
    }
    return "[\(numbers.joined(separator: ", "))]"
  }
}
