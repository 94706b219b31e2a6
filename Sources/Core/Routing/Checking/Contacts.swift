import TouchModel

/// The touches that are on the glass, by what the router was told of them. Rules T2 and T5.
struct Contacts {
  private struct Contact {
    let touch: TouchID
    /// Whether the frame that ended it has been noted.
    var isLeaving = false
    /// Whether its end is held back: it may end, or be cancelled, later. Rule G10.
    var isHeld = false
  }

  private var contacts: [Contact] = []
  private var lastBegan = TouchID(0)
  /// Where the last one was found: the next change is mostly of the one after it.
  private var cursor = 0

  /// Whether something is to be forgotten: a touch has left the glass, or was never on it.
  private(set) var hasLeaving = false

  /// Whether a touch is on the glass, or left it in what is being checked.
  func contains(_ touch: TouchID) -> Bool { contacts.contains { $0.touch == touch } }

  /// Takes the changes from the first on as long as they move touches that are there; returns the
  /// index of the first that does not.
  @inline(__always)
  mutating func takeMoves(
    _ changes: ReusableList<Deliveries.Change>, _ range: Range<Int>
  ) -> Int {
    var latest = cursor
    let next = Self.takeMoves(changes, range, of: contacts.span, from: &latest)
    cursor = latest
    return next
  }

  @inline(__always)
  private static func takeMoves(
    _ changes: ReusableList<Deliveries.Change>, _ range: Range<Int>, of contacts: Span<Contact>,
    from cursor: inout Int
  ) -> Int {
    var next = range.lowerBound
    while next < range.upperBound, changes[next].phase == .moved {
      var found = cursor
      var left = contacts.count
      repeat {
        guard left > 0 else { return next }
        left -= 1
        found = found + 1 < contacts.count ? found + 1 : 0
      } while contacts[found].touch != changes[next].touch || contacts[found].isLeaving
      cursor = found
      next += 1
    }
    return next
  }

  /// A touch begins; whether its id is new, as it must be.
  mutating func begin(_ touch: TouchID) -> Bool {
    defer { lastBegan = max(lastBegan, touch) }
    contacts.append(Contact(touch: touch))
    return touch > lastBegan
  }

  /// A touch goes on, or ends; whether it is there, as it must be.
  mutating func take(_ phase: TouchPhase, of touch: TouchID) -> Bool {
    guard let index = contacts.firstIndex(where: { $0.touch == touch && !$0.isLeaving }) else {
      return false
    }
    if phase.isFinal {
      contacts[index].isLeaving = true
      hasLeaving = true
    }
    return true
  }

  /// The end of a touch is held back. Rule G10.
  mutating func holdEnd(of touch: TouchID) {
    if let index = contacts.lastIndex(where: { $0.touch == touch }) {
      contacts[index].isHeld = true
    } else {
      // Nobody had heard of it when it left the glass.
      contacts.append(Contact(touch: touch, isLeaving: true, isHeld: true))
      hasLeaving = true
    }
  }

  /// A client was told of a touch that is not here: what it was told is forgotten like what left.
  mutating func noteStray() { hasLeaving = true }

  /// Forgets the touches that left the glass.
  ///
  /// - Parameter isHeld: Whether the end of a touch is still held back.
  mutating func forgetWhatLeft(unless isHeld: (TouchID) -> Bool) {
    contacts.sweep { $0.isLeaving && !($0.isHeld && isHeld($0.touch)) }
    hasLeaving = contacts.contains { $0.isLeaving }
  }
}
