/// A layout compiled ahead of the time when it is put in force, beside the loop. Rule F1.
///
/// Who puts it in force takes what was compiled, and has it alone from then on.
public final class CompiledLayout {
  private var hitTester: HitTester?

  /// Compiles a layout.
  public init(_ layout: Layout) { hitTester = HitTester(layout, isToChange: true) }

  /// What was compiled; nil once it was taken.
  func take() -> HitTester? {
    defer { hitTester = nil }
    return hitTester
  }
}
