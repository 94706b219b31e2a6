/// Which recognizer comes first of several in one frame. Rule G5.
///
/// One that comes or goes moves others at most among the taps of its own view, however many there
/// are elsewhere.
struct RankTable {
  /// The place of a recognizer: of two the lesser comes first.
  struct Rank: Comparable, BitwiseCopyable {
    /// Whether it lets those with priority go first.
    fileprivate let isBehind: Bool
    /// Outermost first where it has priority, else nearest first.
    fileprivate let distance: Int
    /// In the order given, in which the taps of one view that need more taps take the places of
    /// those that need fewer.
    fileprivate var order: Int

    static func < (left: Rank, right: Rank) -> Bool {
      if left.isBehind != right.isBehind { return right.isBehind }
      if left.distance != right.distance { return left.distance < right.distance }
      return left.order < right.order
    }
  }

  /// What a recognizer was given.
  private struct Member: BitwiseCopyable {
    var rank: Rank
    /// Its own place in the order given.
    let order: Int
    var owner: Int
    let taps: Int?
  }

  private var members: ContiguousArray<Member> = []
  /// The indices of the taps of a view.
  private var taps: [Int: [Int]] = [:]
  private var nextOrder = 0

  subscript(index: Int) -> Rank { members[index].rank }

  /// Gives a recognizer a place behind all others of the order given.
  mutating func insert(_ entry: RecognizerEntry, at index: Int) {
    place(entry, at: index, nextOrder)
    nextOrder += 1
  }

  /// Takes in that a recognizer is another one by now, at its place in the order given.
  mutating func replace(_ entry: RecognizerEntry, at index: Int) {
    let order = members[index].order
    remove(at: index)
    place(entry, at: index, order)
  }

  private mutating func place(_ entry: RecognizerEntry, at index: Int, _ order: Int) {
    let hasPriority = entry.description.hasPriority
    let rank = Rank(
      isBehind: !hasPriority, distance: hasPriority ? entry.depth : -entry.depth, order: order)
    let isTap = entry.description.kind.isTap
    let member = Member(
      rank: rank, order: order, owner: entry.owner,
      taps: isTap ? entry.description.kind.neededTaps : nil)
    members.put(member, at: index)
    guard isTap else { return }
    taps[entry.owner, default: []].append(index)
    orderTaps(of: entry.owner)
  }

  /// Forgets a recognizer.
  mutating func remove(at index: Int) {
    guard members[index].taps != nil else { return }
    let owner = members[index].owner
    taps[owner]?.removeAll { $0 == index }
    if taps[owner]?.isEmpty == true { taps[owner] = nil }
    orderTaps(of: owner)
  }

  /// Takes in that views and screens have other numbers by now.
  mutating func renumber(_ number: (_ owner: Int) -> Int) {
    let before = taps
    taps = [:]
    taps.reserveCapacity(before.count)
    for (owner, indices) in before {
      let owner = number(owner)
      for index in indices { members[index].owner = owner }
      taps[owner] = indices
    }
  }

  private mutating func orderTaps(of owner: Int) {
    guard let indices = taps[owner] else { return }
    let orders = indices.map { members[$0].order }.sorted()
    let byTaps = indices.sorted { left, right in
      let (more, fewer) = (members[left].taps ?? 0, members[right].taps ?? 0)
      return more == fewer ? members[left].order < members[right].order : more > fewer
    }
    for (index, order) in zip(byTaps, orders) { members[index].rank.order = order }
  }
}
