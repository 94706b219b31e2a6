import Routing
import TouchModel

/// Rules D7 and D8 as plainly as they can be written: each watch by itself.
struct OracleIdle {
  struct Watch {
    let id: UInt32
    var client: ClientID
    let request: IdleWatches.Request
    /// Since when nobody has touched it, as far as that counts.
    var since: Timestamp
    var isIdle = false
    /// Whether somebody inhibited it when that was looked at last.
    var isInhibited = false
  }

  private(set) var watches: [Watch] = []
  /// The attachments that inhibit, and the window and the screen of each.
  private(set) var inhibitors: [AttachmentID: (window: String, screen: String)] = [:]
  private(set) var said: [(client: ClientID, notice: Notice)] = []

  mutating func removeSaid() { said.removeAll() }

  // MARK: What clients ask for

  mutating func add(
    _ id: UInt32, _ request: IdleWatches.Request, of client: ClientID, at time: Timestamp
  ) {
    watches.append(Watch(id: id, client: client, request: request, since: time))
    watches[watches.count - 1].isInhibited = isInhibited(request)
  }

  /// Ends a watch; false where the client has no such one.
  mutating func remove(_ id: UInt32, of client: ClientID) -> Bool {
    let count = watches.count
    watches.removeAll { $0.id == id && $0.client == client }
    return watches.count < count
  }

  mutating func leave(_ client: ClientID) { watches.removeAll { $0.client == client } }

  /// Ends what may not go on.
  mutating func removeAll(where isOver: (Watch) -> Bool) { watches.removeAll(where: isOver) }

  /// Other attachments inhibit from now on, or for other windows and screens. Rule D8.
  mutating func inhibit(
    _ inhibitors: [AttachmentID: (window: String, screen: String)], at time: Timestamp
  ) {
    self.inhibitors = inhibitors
    for index in watches.indices {
      let isInhibited = isInhibited(watches[index].request)
      if watches[index].isInhibited == isInhibited { continue }
      watches[index].isInhibited = isInhibited
      touch(index, at: time)
    }
  }

  private func isInhibited(_ request: IdleWatches.Request) -> Bool {
    if request.ignoresInhibitors { return false }
    return inhibitors.values.contains { inhibitor in
      switch request.scope {
      case .seat: true
      case .screen(let name): name == inhibitor.screen
      case .window(let name): name == inhibitor.window
      }
    }
  }

  /// Another daemon goes on, which calls the clients by other names: time begins anew.
  mutating func restart(_ names: [ClientID: ClientID], at time: Timestamp) {
    watches.removeAll { names[$0.client] == nil }
    for index in watches.indices {
      watches[index].client = names[watches[index].client] ?? watches[index].client
      watches[index].since = time
    }
  }

  // MARK: Touches and time

  /// A finger came down or was lifted.
  mutating func note(at time: Timestamp, _ contact: Contact) {
    for index in watches.indices where contact.isOf(watches[index].request) {
      touch(index, at: time)
    }
  }

  private mutating func touch(_ index: Int, at time: Timestamp) {
    watches[index].since = max(watches[index].since, time)
    guard watches[index].isIdle else { return }
    watches[index].isIdle = false
    said.append((watches[index].client, .idle(watches[index].id, false)))
  }

  /// Takes in that it is that time.
  ///
  /// - Parameter contacts: Those that rest.
  mutating func advance(to time: Timestamp, _ contacts: [Contact]) {
    for index in watches.indices {
      let watch = watches[index]
      guard !watch.isIdle, !watch.isInhibited,
        watch.since.adding(milliseconds: watch.request.milliseconds) <= time,
        !contacts.contains(where: { $0.isOf(watch.request) })
      else { continue }
      watches[index].isIdle = true
      said.append((watch.client, .idle(watch.id, true)))
    }
  }

  /// A finger on the glass, as far as idleness goes.
  struct Contact {
    var screen: String
    /// The window of the view that it hit, while that view is there.
    var window: String?
    var isInjected: Bool

    func isOf(_ request: IdleWatches.Request) -> Bool {
      if isInjected, request.ignoresInjected { return false }
      return switch request.scope {
      case .seat: true
      case .screen(let name): name == screen
      case .window(let name): name == window
      }
    }
  }
}
