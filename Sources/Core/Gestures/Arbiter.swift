import TouchModel

/// Who wins among recognizers that want the same touches. Rules G5 to G7.
///
/// It knows no kind: a recognizer says that it would recognize, and hears whether it has. Of two
/// that recognize in one frame that comes first which those that are active have first. Rule G5.
struct Arbiter {
  /// What rules G6 and G7 ask of a recognizer. Sets, as thousands may name one, and each of them
  /// goes by itself. Rule F1.
  private struct Standing {
    /// Those that must fail before it recognizes, by index. Rule G7.
    var after: Set<Int> = []
    /// Those that wait for it so.
    var before: Set<Int> = []
    /// Those that recognize beside it, by index; each of the two has the other. Rule G6.
    var simultaneous: Set<Int> = []
    /// How many taps it needs, of the kinds that need taps.
    var neededTaps: Int?
    /// Whether it is a tap, which does not fail what needs more taps than it. Rule G6.
    var isTap = false

    init(_ kind: GestureKind) { become(kind) }

    mutating func become(_ kind: GestureKind) {
      neededTaps = kind.neededTaps
      isTap = kind.isTap
    }
  }

  private var standings: ContiguousArray<Standing> = []

  // MARK: Who there is

  /// Takes in a recognizer that names no others yet.
  mutating func insert(_ kind: GestureKind, at index: Int) {
    standings.put(Standing(kind), at: index)
  }

  /// Takes in that a recognizer is of another kind by now. It names the same others, and they it.
  mutating func change(_ kind: GestureKind, at index: Int) { standings[index].become(kind) }

  /// Has one wait for the other to fail. Rule G7.
  mutating func link(_ index: Int, after other: Int) {
    standings[index].after.insert(other)
    standings[other].before.insert(index)
  }

  /// Has two recognize beside each other. Rule G6.
  mutating func link(_ index: Int, beside other: Int) {
    standings[index].simultaneous.insert(other)
    standings[other].simultaneous.insert(index)
  }

  /// Forgets a recognizer, also where others name it.
  mutating func remove(at index: Int) {
    let standing = standings[index]
    for other in standing.after { standings[other].before.remove(index) }
    for other in standing.before { standings[other].after.remove(index) }
    for other in standing.simultaneous { standings[other].simultaneous.remove(index) }
  }

  // MARK: Who wins

  /// Lets those recognize, change and end that would, one after the other, and fail for it what
  /// they fail.
  ///
  /// - Parameters:
  ///   - recognizers: All.
  ///   - active: The indices of those that have touches, by rank.
  ///   - events: Takes up what there is to tell, in order.
  func decide(
    _ recognizers: ReusableList<Recognizer>, _ active: ReusableArray<Int>,
    at time: Timestamp, into events: inout ReusableArray<GestureEvent>
  ) {
    for position in active.indices where recognizers[active[position]].isPossible {
      guard let reason = recognizers[active[position]].failure else { continue }
      fail(active[position], reason, recognizers, at: time, into: &events)
    }
    var position = 0
    while position < active.count {
      let index = active[position]
      position += 1
      guard recognizers[index].hasSomethingToTell else { continue }
      guard recognizers[index].isPossible else {
        events.append(recognizers[index].goOn(at: time, index: index))
        continue
      }
      if isHeldBack(index, recognizers) { continue }
      recognize(index, recognizers, active, at: time, into: &events)
      // Those that have waited for it, or for whom it fails, may come before it.
      position = 0
    }
  }

  /// Whether a recognizer would recognize, and must wait for another one to fail. Rule G7.
  func isWaiting(
    _ index: Int, _ recognizers: ReusableList<Recognizer>
  ) -> Bool {
    recognizers[index].wouldRecognize && isHeldBack(index, recognizers)
  }

  private func isHeldBack(_ index: Int, _ recognizers: ReusableList<Recognizer>) -> Bool {
    standings[index].after.contains { other in
      recognizers[other].isPossible && share(index, other, recognizers)
    }
  }

  private func recognize(
    _ index: Int, _ recognizers: ReusableList<Recognizer>, _ active: ReusableArray<Int>,
    at time: Timestamp, into events: inout ReusableArray<GestureEvent>
  ) {
    for other in active
    where recognizers[other].hasRecognized && share(index, other, recognizers)
      && fails(index, becauseOf: other)
    {
      let winner = recognizers[other].id
      return fail(index, .recognized(winner), recognizers, at: time, into: &events)
    }
    events.append(recognizers[index].recognize(at: time, index: index))
    let winner = recognizers[index].id
    for other in active
    where recognizers[other].isPossible && share(index, other, recognizers)
      && fails(other, becauseOf: index)
    {
      fail(other, .recognized(winner), recognizers, at: time, into: &events)
    }
  }

  private func fail(
    _ index: Int, _ reason: FailureReason, _ recognizers: ReusableList<Recognizer>,
    at time: Timestamp, into events: inout ReusableArray<GestureEvent>
  ) {
    events.append(recognizers[index].settle(reason, at: time, index: index))
  }

  private func share(
    _ index: Int, _ other: Int, _ recognizers: ReusableList<Recognizer>
  ) -> Bool {
    index != other && recognizers[index].device == recognizers[other].device
      && recognizers[index].fingers.all.intersects(recognizers[other].fingers.all)
  }

  /// Whether the recognizing of one fails another one that shares a touch with it. Rules G6 and G7.
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

  /// Whether it has recognized, or begun, or ended since it had its first touch.
  var hasRecognized: Bool {
    switch state {
    case .possible, .failed: false
    case .recognized, .began, .over: true
    }
  }
}

extension GestureKind {
  var isTap: Bool { if case .tap = self { true } else { false } }
}
