/// What the configuration says of a touchscreen that is open: what is in force, and what waits
/// until its fingers are lifted. Rule T11.
package struct HeldAssignment {
  /// What is in force.
  package private(set) var assignment: DeviceAssignment
  /// The screen mapping in force, beside `assignment` for the way of a touch.
  package private(set) var mapping: DeviceMapping
  /// What takes effect once no finger is down.
  package private(set) var pending: DeviceAssignment?
  /// The fingers that are down.
  package var liveTouches = 0

  /// An assignment that is in force.
  package init(_ assignment: DeviceAssignment) {
    self.assignment = assignment
    mapping = assignment.mapping
  }

  /// Whether what waits no longer ignores the device: then it is closed, and must be opened afresh.
  package var isToBeOpened: Bool { assignment.ignore && pending?.ignore == false }

  /// Takes what the configuration says by now, for ``applyPending()``.
  package mutating func propose(_ next: DeviceAssignment) {
    pending = next == assignment ? nil : next
  }

  /// Puts in force what waits, where no finger is down. Returns what was in force before; nil where
  /// nothing changes, or the device must be opened afresh.
  package mutating func applyPending() -> DeviceAssignment? {
    guard liveTouches == 0, !isToBeOpened, let next = pending else { return nil }
    defer { (assignment, mapping, pending) = (next, next.mapping, nil) }
    return assignment
  }
}
