import Routing
import Server

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

  /// The window's own attachment, and whose it is.
  private(set) var owner: (attachment: AttachmentID, client: ClientID)?
  /// Who holds what in the window now, by path.
  private var holds: [String: Hold] = [:]
  /// What its owner was told, by path.
  private var told: [String: HolderNotice.Holder] = [:]
  /// The responders that may be another's than was told, oldest first, each once.
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
    for path in holds.keys.sorted() { review(path) }
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
    for path in Set(told.keys).union(holds.keys).sorted() { review(path) }
  }

  /// A responder in the window is held from now on.
  mutating func hold(_ path: String, by client: ClientID, _ holder: HolderNotice.Holder) {
    holds[path] = Hold(client: client, holder: holder)
    review(path)
  }

  /// A responder in the window is held no longer.
  mutating func release(_ path: String) {
    holds[path] = nil
    review(path)
  }

  /// What is to be told now, at most so many, oldest first; it counts as told.
  mutating func take(limit: Int) -> [HolderNotice] {
    guard let owner else { return [] }
    var notices: [HolderNotice] = []
    var count = 0
    while count < changed.count, notices.count < limit {
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

  private mutating func review(_ path: String) {
    guard owner != nil, otherHolder(of: path) != told[path], isChanged.insert(path).inserted
    else { return }
    changed.append(path)
  }
}
