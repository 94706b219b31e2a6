import Gestures
import TouchModel

/// What observers are told of recognizers: each that takes a touch, what it comes to and why, and
/// when it is possible again. Rules G3 and F7.
struct RecognizerObserver {
  /// Those that have a touch, or wait for one, as observers know it.
  private var taking: [RecognizerID] = []

  /// Takes in that somebody observes from now on, who hears of those that take part until then only
  /// what they come to.
  mutating func begin(with active: [RecognizerID]) { taking = active }

  /// Tells which have taken their first touch since the last call, and which have none any more,
  /// where somebody observes.
  mutating func review(
    _ engine: borrowing Gestures, _ table: GestureTable, _ live: borrowing LiveTouches,
    at time: Timestamp, into deliveries: inout Deliveries
  ) {
    guard live.observer.isObserved else { return }
    let active = engine.activeRecognizers
    for id in taking where !active.contains(id) {
      tell(nil, of: id, touch: nil, table, live, at: time, into: &deliveries)
    }
    for id in active where !taking.contains(id) {
      let touch = engine.firstTouch(of: id)
      tell(nil, of: id, touch: touch, table, live, at: time, into: &deliveries)
    }
    taking = active
  }

  /// Tells what a recognizer has come to.
  func tell(
    _ event: GestureEvent, of engine: borrowing Gestures, _ table: GestureTable,
    _ live: borrowing LiveTouches, into deliveries: inout Deliveries
  ) {
    let touch = engine.firstTouch(of: event.recognizer)
    tell(
      event.change, of: event.recognizer, touch: touch, table, live, at: event.time,
      into: &deliveries)
  }

  /// Tells that a recognizer takes no part in a touch, as nobody would hear of it, where somebody
  /// observes. Rule G2.
  func tellPassedBy(
    _ id: RecognizerID, _ touch: Touch, isSecure: Bool, _ live: borrowing LiveTouches,
    into deliveries: inout Deliveries
  ) {
    guard live.observer.isObserved else { return }
    deliveries.observedGestures.append(
      Deliveries.ObservedGesture(
        recognizer: id, change: nil, time: touch.time, touch: touch.id, client: nil,
        isSecure: isSecure, isPassedBy: true))
  }

  /// One that is gone is told of no more.
  private func tell(
    _ change: GestureEvent.Change?, of id: RecognizerID, touch: TouchID?, _ table: GestureTable,
    _ live: borrowing LiveTouches, at time: Timestamp, into deliveries: inout Deliveries
  ) {
    guard let member = table[id] else { return }
    deliveries.observedGestures.append(
      Deliveries.ObservedGesture(
        recognizer: id, change: change, time: time, touch: touch,
        client: member.recipient.flatMap { live.attachments[$0]?.client },
        isSecure: member.isSecure))
  }
}
