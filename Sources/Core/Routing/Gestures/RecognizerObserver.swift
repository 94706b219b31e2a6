import Gestures
import TouchModel

/// What observers are told of recognizers: each that takes a touch, what it comes to and why, and
/// when it is possible again. Rules G3 and F7.
struct RecognizerObserver {
  /// Whether somebody observes.
  private(set) var isObserved = false
  /// Those that have a touch, or wait for one, as observers know it.
  private var taking: [RecognizerID] = []

  /// Takes in whether somebody observes from now on, who hears of those that take part until then
  /// only what they come to.
  mutating func observe(_ isObserved: Bool, with active: @autoclosure () -> [RecognizerID]) {
    if isObserved, !self.isObserved { taking = active() }
    self.isObserved = isObserved
  }

  /// Tells which have taken their first touch since the last call, and which have none any more.
  mutating func review(
    _ engine: borrowing Gestures, _ table: GestureTable, _ context: borrowing RoutingContext,
    at time: Timestamp, into deliveries: Deliveries
  ) {
    let active = engine.activeRecognizers
    for id in taking where !active.contains(id) {
      tell(nil, of: id, touch: nil, table, context, at: time, into: deliveries)
    }
    for id in active where !taking.contains(id) {
      let touch = engine.firstTouch(of: id)
      tell(nil, of: id, touch: touch, table, context, at: time, into: deliveries)
    }
    taking = active
  }

  /// Tells what a recognizer has come to.
  func tell(
    _ event: GestureEvent, of engine: borrowing Gestures, _ table: GestureTable,
    _ context: borrowing RoutingContext, into deliveries: Deliveries
  ) {
    let touch = engine.firstTouch(of: event.recognizer)
    tell(
      event.change, of: event.recognizer, touch: touch, table, context, at: event.time,
      into: deliveries)
  }

  /// Tells that a recognizer takes no part in a touch, as nobody would hear of it, where somebody
  /// observes. Rule G2.
  func tellPassedBy(
    _ id: RecognizerID, _ touch: Touch, isSecure: Bool, into deliveries: Deliveries
  ) {
    guard isObserved else { return }
    deliveries.observedGestures.append(
      Deliveries.ObservedGesture(
        recognizer: id, change: nil, time: touch.time, touch: touch.id, client: nil,
        isSecure: isSecure, isPassedBy: true))
  }

  /// One that is gone is told of no more.
  private func tell(
    _ change: GestureEvent.Change?, of id: RecognizerID, touch: TouchID?, _ table: GestureTable,
    _ context: borrowing RoutingContext, at time: Timestamp, into deliveries: Deliveries
  ) {
    guard let member = table[id] else { return }
    deliveries.observedGestures.append(
      Deliveries.ObservedGesture(
        recognizer: id, change: change, time: time, touch: touch,
        client: member.recipient.flatMap { context.attachments[$0]?.client },
        isSecure: member.isSecure))
  }
}
