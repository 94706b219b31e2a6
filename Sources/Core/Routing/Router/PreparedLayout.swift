package import Layout

/// A layout that is to take the place of another, with all that needs a look at every view to put
/// it in force. Made beside the loop, while the other one is in force. Rule F1.
///
/// Once it is in force it holds what was replaced, so that a thread can free that.
package final class PreparedLayout {
  /// The layout.
  package let layout: Layout
  /// Whether other views are secure than before. Rule F6.
  package let hasOtherSecureViews: Bool
  let change: LayoutChange
  private let compiled: CompiledLayout
  private var replaced: HitTester?

  /// Prepares a layout that is to take the place of the one in force, which must stay in force
  /// until then: one change is made at a time.
  package init(_ new: Layout, replacing old: Layout) {
    layout = new
    hasOtherSecureViews = new.hasOtherSecureViews(than: old)
    change = LayoutChange(from: old, to: new)
    compiled = CompiledLayout(new)
  }

  /// Puts the hit-tester in the place of the one before.
  func move(_ hitTester: inout HitTester) {
    replaced = hitTester
    hitTester.move(to: layout, taking: compiled)
  }
}
