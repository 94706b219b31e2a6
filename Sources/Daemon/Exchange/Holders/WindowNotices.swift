import Routing
import Server
import TouchModel

/// What the holder of one window is told of others that hold something in it. Rule F6.
///
/// It keeps what the holder was last told of each responder, and which of them may have changed
/// since. So what waits to be told is bounded by the responders of the window, and of who attaches
/// and detaches in between nothing is told.
struct WindowNotices {
  private struct Hold {
    var client: ClientID
    var holder: HolderNotice.Holder
  }

  /// So many responders are looked at in one turn, also where there is nothing to tell of them:
  /// others may hold thousands. Rule F1.
  private static let mostLooks = 64

  /// The window's own attachment, and whose it is.
  private(set) var owner: (attachment: AttachmentID, client: ClientID)?
  /// Who holds what in the window now, by path.
  private var holds: [String: Hold] = [:]
  /// The paths of these, in order: whoever holds the window from now on is told in that order.
  private var paths: [String] = []
  /// What its owner was told, by path.
  private var told: [String: HolderNotice.Holder] = [:]
  /// The responders that may be another's than was told, oldest first: those that were there when
  /// the window was held, and behind them those that changed since, each once.
  private var changed: [String] = []
  private var isChanged: Set<String> = []

  /// Whether nobody holds the window or anything in it.
  var isEmpty: Bool { owner == nil && holds.isEmpty }

  /// Whether something may have to be told.
  var hasChanges: Bool { !changed.isEmpty }

  /// What its owner believes, by path.
  var believed: [(path: String, holder: HolderNotice.Holder)] {
    told.map { ($0, $1) }.sorted { $0.path < $1.path }
  }

  /// The window is held from now on, by somebody who was told nothing.
  mutating func own(_ attachment: AttachmentID, by client: ClientID) {
    disown()
    owner = (attachment, client)
    changed = paths
  }

  /// Nobody holds the window any longer.
  mutating func disown() {
    owner = nil
    told.removeAll()
    changed.removeAll()
    isChanged.removeAll()
  }

  /// The owner was told so much by the daemon before.
  mutating func resume(_ believed: [(path: String, holder: HolderNotice.Holder)]) {
    told = Dictionary(believed.map { ($0.path, $0.holder) }) { $1 }
    changed = Set(told.keys).union(paths).sorted()
  }

  /// A responder in the window is held from now on.
  mutating func hold(_ path: String, by client: ClientID, _ holder: HolderNotice.Holder) {
    let hold = Hold(client: client, holder: holder)
    if holds.updateValue(hold, forKey: path) == nil { paths.insert(path, at: index(of: path)) }
    review(path)
  }

  /// A responder in the window is held no longer.
  mutating func release(_ path: String) {
    if holds.removeValue(forKey: path) != nil { paths.remove(at: index(of: path)) }
    review(path)
  }

  /// What is to be told in a turn, at most so many, oldest first; it counts as told.
  mutating func take(limit: Int) -> [HolderNotice] {
    guard let owner else { return [] }
    var notices: [HolderNotice] = []
    var count = 0
    while count < min(changed.count, Self.mostLooks), notices.count < limit {
      let path = changed[count]
      count += 1
      isChanged.remove(path)
      let present = otherHolder(of: path)
      guard present != told[path], let holder = present ?? told[path] else { continue }
      told[path] = present
      notices.append(
        HolderNotice(
          window: owner.attachment, path: path, isHeld: present != nil, holder: holder))
    }
    changed.removeFirst(count)
    return notices
  }

  /// Who holds a responder, where that is not the window's owner.
  private func otherHolder(of path: String) -> HolderNotice.Holder? {
    guard let hold = holds[path], hold.client != owner?.client else { return nil }
    return hold.holder
  }

  /// Where a path is among those that are held, or would be.
  private func index(of path: String) -> Int {
    paths.indices.partitionPoint { paths[$0] < path }
  }

  private mutating func review(_ path: String) {
    guard owner != nil, otherHolder(of: path) != told[path], isChanged.insert(path).inserted
    else { return }
    changed.append(path)
  }
}
