import TouchModel

/// Who wins among recognisers that want the same touches. Rules G5 to G7.
///
/// It knows no kind: a recogniser says that it would recognise, and hears whether it has. The
/// indices of recognisers are their order by rule G5: of two that recognise in one frame that of
/// the lower index comes first.
struct Arbiter {
  /// What rules G6 and G7 ask of a recogniser.
  struct Standing {
    /// Those that must fail before it recognises, by index. Rule G7.
    var after: [Int]
    /// Those that recognise beside it, by index; each of the two has the other. Rule G6.
    var simultaneous: [Int]
    /// How many taps it needs, of the kinds that need taps.
    var neededTaps: Int?
    /// Whether it is a tap, which does not fail what needs more taps than it. Rule G6.
    var isTap: Bool
  }

  private let standings: [Standing]

  init(_ standings: [Standing]) { self.standings = standings }

  /// Lets those recognise, change and end that would, one after the other, and fail for it what
  /// they fail.
  ///
  /// - Parameters:
  ///   - recognizers: All.
  ///   - active: The indices of those that have touches, ascending.
  ///   - events: Takes up what there is to tell, in order.
  func decide(
    _ recognizers: inout ContiguousArray<Recognizer>, _ active: ReusableArray<Int>,
    at time: Timestamp, into events: inout ReusableArray<GestureEvent>
  ) {
    for index in active where recognizers[index].isPossible {
      guard let reason = recognizers[index].failure else { continue }
      fail(index, reason, &recognizers, at: time, into: &events)
    }
    while let index = next(recognizers, active) {
      if recognizers[index].isPossible {
        recognize(index, &recognizers, active, at: time, into: &events)
      } else {
        tell(index, &recognizers, at: time, into: &events)
      }
    }
  }

  /// Whether a recogniser would recognise, and must wait for another one to fail. Rule G7.
  func isWaiting(
    _ index: Int, _ recognizers: ContiguousArray<Recognizer>
  ) -> Bool {
    recognizers[index].wouldRecognize && isHeldBack(index, recognizers)
  }

  /// The first of those that have something to tell.
  private func next(
    _ recognizers: ContiguousArray<Recognizer>, _ active: ReusableArray<Int>
  ) -> Int? {
    active.first { index in
      recognizers[index].hasSomethingToTell
        && !(recognizers[index].isPossible && isHeldBack(index, recognizers))
    }
  }

  private func isHeldBack(_ index: Int, _ recognizers: ContiguousArray<Recognizer>) -> Bool {
    standings[index].after.contains { other in
      recognizers[other].isPossible && share(index, other, recognizers)
    }
  }

  private func recognize(
    _ index: Int, _ recognizers: inout ContiguousArray<Recognizer>, _ active: ReusableArray<Int>,
    at time: Timestamp, into events: inout ReusableArray<GestureEvent>
  ) {
    for other in active
    where recognizers[other].hasRecognized && share(index, other, recognizers)
      && fails(index, becauseOf: other)
    {
      let winner = recognizers[other].id
      return fail(index, .recognized(winner), &recognizers, at: time, into: &events)
    }
    let change = recognizers[index].recognize()
    append(recognizers[index], change, at: time, to: &events)
    let winner = recognizers[index].id
    for other in active
    where recognizers[other].isPossible && share(index, other, recognizers)
      && fails(other, becauseOf: index)
    {
      fail(other, .recognized(winner), &recognizers, at: time, into: &events)
    }
  }

  private func tell(
    _ index: Int, _ recognizers: inout ContiguousArray<Recognizer>, at time: Timestamp,
    into events: inout ReusableArray<GestureEvent>
  ) {
    let change = recognizers[index].goOn()
    append(recognizers[index], change, at: time, to: &events)
  }

  private func fail(
    _ index: Int, _ reason: FailureReason, _ recognizers: inout ContiguousArray<Recognizer>,
    at time: Timestamp, into events: inout ReusableArray<GestureEvent>
  ) {
    append(recognizers[index], .failed(reason), at: time, to: &events)
    recognizers[index].settle()
  }

  private func append(
    _ recognizer: Recognizer, _ change: GestureEvent.Change, at time: Timestamp,
    to events: inout ReusableArray<GestureEvent>
  ) {
    events.append(
      GestureEvent(
        recognizer: recognizer.id, change: change, time: time,
        values: recognizer.values(at: time)))
  }

  private func share(
    _ index: Int, _ other: Int, _ recognizers: ContiguousArray<Recognizer>
  ) -> Bool {
    index != other && recognizers[index].device == recognizers[other].device
      && recognizers[index].fingers.all.intersects(recognizers[other].fingers.all)
  }

  /// Whether the recognising of one fails another one that shares a touch with it. Rules G6 and G7.
  private func fails(_ loser: Int, becauseOf winner: Int) -> Bool {
    if standings[loser].after.contains(winner) { return true }
    if standings[loser].simultaneous.contains(winner) { return false }
    guard standings[winner].isTap, let taps = standings[winner].neededTaps,
      let needed = standings[loser].neededTaps
    else { return true }
    return needed <= taps
  }
}

extension Recognizer {
  fileprivate var hasSomethingToTell: Bool { wouldRecognize || wouldEnd || wouldChange }

  /// Whether it has recognised, or begun, or ended since it had its first touch.
  var hasRecognized: Bool {
    switch state {
    case .possible, .failed: false
    case .recognized, .began, .over: true
    }
  }
}
