import Routing
import Server

/// What the holders of windows are told of others that hold views and controllers in them. Rule F6.
///
/// Attachments go in as they come and end; what is to be told comes out once its reader has
/// been sent all else. Where nothing is attached or detached it has nothing to do.
struct HolderNotices {
  /// How many a client is told in one turn: with the longest paths and names they are less than any
  /// queue's limit, and only an empty queue gets them.
  static let perTurn = 16

  /// By the windows' names.
  private var windows: [String: WindowNotices] = [:]
  /// What each client holds of windows and in them.
  private var paths: [ClientID: [AttachmentID: String]] = [:]
  /// The windows of which the holder may have something to be told, each once; the one that waits
  /// longest first.
  private var waiting: [String] = []

  /// Whether nobody has anything to be told.
  var isEmpty: Bool { waiting.isEmpty }

  /// Takes note of an attachment.
  mutating func attached(
    _ id: AttachmentID, to path: String, of client: ClientID, _ holder: HolderNotice.Holder
  ) {
    guard let window = Self.window(of: path) else { return }
    paths[client, default: [:]][id] = path
    if window == path {
      windows[window, default: WindowNotices()].own(id, by: client)
    } else {
      windows[window, default: WindowNotices()].hold(path, by: client, holder)
    }
    settle(window)
  }

  /// Takes note of an attachment's end, however it came.
  mutating func ended(_ id: AttachmentID, of client: ClientID) {
    guard let path = paths[client]?.removeValue(forKey: id) else { return }
    if paths[client]?.isEmpty == true { paths[client] = nil }
    end(path)
  }

  /// Takes note that a client is gone, with all that it held.
  mutating func wentAway(_ client: ClientID) {
    let held = paths.removeValue(forKey: client) ?? [:]
    for (_, path) in held.sorted(by: { $0.key.rawValue < $1.key.rawValue }) { end(path) }
  }

  /// What a window's holder believes; nothing where the attachment is to something else.
  func believed(by id: AttachmentID, of client: ClientID) -> [HolderNotice] {
    guard let path = paths[client]?[id], let window = windows[path], window.owner?.attachment == id
    else { return [] }
    return window.believed.map {
      HolderNotice(window: id, path: $0.path, isHeld: true, holder: $0.holder)
    }
  }

  /// Takes note of what a window's holder was told by the daemon before. What is so no more is told
  /// again.
  mutating func resume(_ believed: [HolderNotice], by id: AttachmentID, of client: ClientID) {
    guard let path = paths[client]?[id], windows[path]?.owner?.attachment == id else { return }
    windows[path]?.resume(believed.map { ($0.path, $0.holder) })
    settle(path)
  }

  /// Whether there is something for anybody who is ready.
  func isDue(_ isReady: (ClientID) -> Bool) -> Bool {
    waiting.contains { windows[$0]?.owner.map { isReady($0.client) } ?? false }
  }

  /// Has those who are ready told what they have to know.
  mutating func take(
    where isReady: (ClientID) -> Bool, _ tell: (HolderNotice, ClientID) -> Void
  ) {
    guard isDue(isReady) else { return }
    var others: [String] = []
    var unfinished: [String] = []
    for name in waiting {
      guard let owner = windows[name]?.owner else { continue }
      guard isReady(owner.client) else {
        others.append(name)
        continue
      }
      for notice in windows[name]?.take(limit: Self.perTurn) ?? [] { tell(notice, owner.client) }
      if windows[name]?.hasChanges == true { unfinished.append(name) }
    }
    waiting = others + unfinished
  }

  private mutating func end(_ path: String) {
    guard let window = Self.window(of: path) else { return }
    if window == path {
      windows[window]?.disown()
    } else {
      windows[window]?.release(path)
    }
    settle(window)
  }

  /// Keeps in mind whether a window's holder has something to be told, and forgets a window that
  /// nobody holds anything of.
  private mutating func settle(_ name: String) {
    guard let window = windows[name] else { return }
    if window.isEmpty { windows[name] = nil }
    if !window.hasChanges {
      waiting.removeAll { $0 == name }
    } else if !waiting.contains(name) {
      waiting.append(name)
    }
  }

  /// The window that a responder is or lies in, by rule L5; nil for an application.
  private static func window(of path: String) -> String? {
    let name = path.prefix { $0 != "/" && $0 != "@" }
    return name.contains(":") ? nil : String(name)
  }
}
