import Layout
import Routing

/// A layout that takes the place of the one in force, and what is different.
struct LayoutReplacement {
  let layout: Layout
  /// What was made ahead for it by a background thread; nil where it is quickly put in force.
  let prepared: PreparedLayout?
  /// How many views are there that each has added.
  let addedCounts: [LayoutSetter: Int]
  /// Whether it has the same responders by the same numbers, as where properties were set.
  let keepsTree: Bool
  /// Whether other views are secure, so that clients may no longer have what they hold, or may have
  /// what they wait for. Rule F6.
  let hasOtherSecureViews: Bool

  init(
    _ layout: Layout, _ prepared: PreparedLayout?, replacing inForce: Layout,
    addedCounts: [LayoutSetter: Int]
  ) {
    self.layout = layout
    self.prepared = prepared
    self.addedCounts = addedCounts
    keepsTree = layout.hasSameTree(as: inForce)
    hasOtherSecureViews =
      prepared?.hasOtherSecureViews ?? layout.hasOtherSecureViews(than: inForce)
  }
}
