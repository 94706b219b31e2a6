/// What an examination looks for.
package enum Fault: String, CaseIterable, Sendable {
  /// Contacts are lifted and land again at once.
  case bounces
  /// Contacts of a report or two, where no finger taps so fast.
  case ghosts
  /// Contacts land at one place, again and again.
  case samePlace = "same_place"
  /// Contacts land straight above or below another one.
  case aligned
  /// Contacts land at once, far from each other.
  case farApart = "far_apart"
  /// Contacts while nobody touches it.
  case untouched
  /// A finger trembles.
  case jitter
  /// Single points lie where no finger can have got.
  case outliers
  /// A contact never lifts.
  case stuck
  /// Contacts land at the edge, and stay there.
  case edge
  /// Rows or columns report nothing.
  case deadRows = "dead_rows"
  case deadColumns = "dead_columns"
  /// It reports too seldom, or half as often as before.
  case rate
  /// Its axes are swapped.
  case axes
  /// The kernel lost events.
  case dropped
  /// Its clock goes back.
  case clock
}
