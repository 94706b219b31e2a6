import Layout

extension LayoutEditor {
  /// Has an editor changed, which is made where there is none.
  static func edit<Result>(
    _ editor: inout LayoutEditor?, or make: @autoclosure () -> LayoutEditor,
    _ change: (inout LayoutEditor) -> Result
  ) -> Result {
    var now = editor ?? make()
    // The only reference, so that nothing is copied that changes.
    editor = nil
    defer { editor = now }
    return change(&now)
  }
}
