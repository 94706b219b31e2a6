/// Events that came and that nobody has taken yet, first in, first out.
struct EventQueue {
  private var events: [TouchEvent] = []
  private var first = 0

  /// Adds one at the end.
  mutating func append(_ event: TouchEvent) { events.append(event) }

  /// Takes the one that came first.
  mutating func popFirst() -> TouchEvent? {
    guard first < events.count else { return nil }
    let event = events[first]
    first += 1
    // Where it never runs empty, what was taken must not be kept for ever.
    if first == events.count {
      events.removeAll(keepingCapacity: true)
      first = 0
    } else if first >= 64, first * 2 >= events.count {
      events.removeFirst(first)
      first = 0
    }
    return event
  }

  /// How many events it has memory for.
  var capacity: Int { events.capacity }
}
