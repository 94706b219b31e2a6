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
    if first == events.count {
      events.removeAll(keepingCapacity: true)
      first = 0
    }
    return event
  }
}
