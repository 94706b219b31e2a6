import TouchModel

/// Who wants to know when nobody touches something, and for how long nobody has. Rules D7 and D8.
///
/// It knows no touch and no clock: its owner says when something is touched, and, where a time is
/// due, whether a finger still rests there.
///
/// Like the other parts of the pipeline it can't be copied. Without optimisation, Swift 6.3
/// releases such a copy by way of the accessor's memory, after that is freed.
public struct IdleWatches: ~Copyable {
  /// What is touched, or is not.
  public enum Scope: Hashable, Sendable {
    /// Any screen.
    case seat
    /// The screen of a name.
    case screen(String)
    /// The window of a name.
    case window(String)
  }

  /// What a client wants to know of.
  public struct Request: Equatable, Sendable {
    /// Of what.
    public var scope: Scope
    /// How long nobody must have touched it: from a second to a day.
    public var milliseconds: UInt64
    /// Whether it is told also while a program keeps others from being told.
    public var ignoresInhibitors: Bool
    /// Whether injected touches are nothing to it.
    public var ignoresInjected: Bool

    /// That nobody has touched something for so long.
    public init(
      scope: Scope, milliseconds: UInt64, ignoresInhibitors: Bool = false,
      ignoresInjected: Bool = false
    ) {
      self.scope = scope
      self.milliseconds = milliseconds
      self.ignoresInhibitors = ignoresInhibitors
      self.ignoresInjected = ignoresInjected
    }
  }

  /// What a client is told: that nobody has touched it for so long, or that somebody does again.
  public struct Change: Equatable, Sendable, BitwiseCopyable {
    /// Who is told.
    public var client: ClientID
    /// The watch's number.
    public var watch: UInt32
    /// Whether nobody has touched it.
    public var isIdle: Bool
  }

  private struct Watch {
    let id: UInt32
    let client: ClientID
    let milliseconds: UInt64
    /// When it was asked for: time before that does not count.
    let start: Timestamp
    var isIdle = false
  }

  /// Those that have the same to wait for, but for the time.
  private struct Group {
    let scope: Scope
    let ignoresInhibitors: Bool
    let ignoresInjected: Bool
    /// By their times, the shortest first.
    var watches: [Watch] = []
    /// When it was touched last.
    var last = Timestamp(microseconds: 0)
    var isInhibited = false
    /// When one of them is due; nil where none is waited for.
    var nextDue: Timestamp?
    /// Whether one was due while a finger rested there.
    var isHeldOff = false

    func due(_ watch: Watch) -> Timestamp {
      max(last, watch.start).adding(milliseconds: watch.milliseconds)
    }

    mutating func schedule() {
      isHeldOff = false
      nextDue = isInhibited ? nil : watches.lazy.filter { !$0.isIdle }.map(due).min()
    }
  }

  /// A window for which a program keeps others from being told.
  public struct InhibitedWindow: Equatable, Sendable {
    /// The window's name.
    let window: String
    /// The name of its screen.
    let screen: String

    /// The window of a name, on the screen of a name.
    public init(_ window: String, on screen: String) {
      self.window = window
      self.screen = screen
    }
  }

  private var groups: [Group] = []
  private var inhibitors: [AttachmentID: InhibitedWindow] = [:]
  /// How many of them are of each window and of each screen, by their scopes: what one costs that
  /// comes or goes does not grow with how many there are.
  private var inhibitorCounts: [Scope: Int] = [:]
  private var lastID: UInt32 = 0
  /// What is to be told, in order.
  private(set) var changes: [Change] = []

  /// Whether nobody wants to know.
  public private(set) var isEmpty = true
  /// When it must be told the time; nil where nothing is waited for.
  private(set) var nextDeadline: Timestamp?

  /// Whether something was asked for of which its owner must find out whether it is still there.
  public var mayOutlive: Bool { !isEmpty || !inhibitors.isEmpty }

  /// Whether somebody wants to know of a window.
  var hasWindows: Bool {
    groups.contains { if case .window = $0.scope { true } else { false } }
  }

  /// Forgets the changes, which were told.
  mutating func removeChanges() { changes.removeAll(keepingCapacity: true) }

  // MARK: - Who wants to know

  /// Takes in what a client wants to know; returns its number.
  mutating func add(_ request: Request, for client: ClientID, at time: Timestamp) -> UInt32 {
    lastID &+= 1
    let index = index(of: request)
    let watch = Watch(id: lastID, client: client, milliseconds: request.milliseconds, start: time)
    let place =
      groups[index].watches.firstIndex { $0.milliseconds > request.milliseconds }
      ?? groups[index].watches.count
    groups[index].watches.insert(watch, at: place)
    groups[index].schedule()
    review()
    return lastID
  }

  /// Goes on with a watch of an earlier daemon, as if it were touched now where it is not idle.
  mutating func resume(
    _ id: UInt32, _ request: Request, isIdle: Bool, for client: ClientID, at time: Timestamp
  ) {
    let latest = lastID
    lastID = id &- 1
    _ = add(request, for: client, at: time)
    // No later one has the number of one that another client still has.
    lastID = max(latest, id)
    let index = index(of: request)
    if let place = groups[index].watches.firstIndex(where: { $0.id == id }) {
      groups[index].watches[place].isIdle = isIdle
    }
    groups[index].schedule()
    review()
  }

  /// Forgets what a client wanted to know; false where it has no such watch.
  mutating func remove(_ id: UInt32, of client: ClientID) -> Bool {
    removeAll { watch, _ in watch.id == id && watch.client == client }
  }

  /// Forgets all that a client wanted to know.
  mutating func removeAll(of client: ClientID) {
    _ = removeAll { watch, _ in watch.client == client }
  }

  /// Forgets the watches of clients, of scopes, that fulfil a condition.
  mutating func removeAll(where isMeant: (ClientID, Scope) -> Bool) {
    _ = removeAll { watch, scope in isMeant(watch.client, scope) }
  }

  /// What a client wants to know, with the watches' numbers, and whether it is idle.
  public func watches(of client: ClientID) -> [(id: UInt32, request: Request, isIdle: Bool)] {
    groups.flatMap { group in
      group.watches.filter { $0.client == client }.map { watch in
        (
          watch.id,
          Request(
            scope: group.scope, milliseconds: watch.milliseconds,
            ignoresInhibitors: group.ignoresInhibitors, ignoresInjected: group.ignoresInjected),
          watch.isIdle
        )
      }
    }.sorted { $0.0 < $1.0 }
  }

  /// The attachments that keep others from being told.
  public var inhibiting: [AttachmentID] {
    inhibitors.keys.sorted { $0.rawValue < $1.rawValue }
  }

  /// The window for which an attachment keeps others from being told.
  public func window(inhibitedBy attachment: AttachmentID) -> InhibitedWindow? {
    inhibitors[attachment]
  }

  /// How many some clients have together.
  public func count(where isMeant: (ClientID) -> Bool) -> Int {
    groups.reduce(0) { $0 + $1.watches.count { isMeant($0.client) } }
  }

  private mutating func removeAll(where isMeant: (Watch, Scope) -> Bool) -> Bool {
    var isFound = false
    for index in groups.indices {
      let (scope, count) = (groups[index].scope, groups[index].watches.count)
      groups[index].watches.removeAll { isMeant($0, scope) }
      if groups[index].watches.count == count { continue }
      isFound = true
      groups[index].schedule()
    }
    groups.removeAll(where: \.watches.isEmpty)
    review()
    return isFound
  }

  private mutating func index(of request: Request) -> Int {
    let index = groups.firstIndex {
      $0.scope == request.scope && $0.ignoresInhibitors == request.ignoresInhibitors
        && $0.ignoresInjected == request.ignoresInjected
    }
    if let index { return index }
    var group = Group(
      scope: request.scope, ignoresInhibitors: request.ignoresInhibitors,
      ignoresInjected: request.ignoresInjected)
    group.isInhibited = isInhibited(group)
    groups.append(group)
    return groups.count - 1
  }

  // MARK: - Who keeps others from being told

  /// Keeps those from being told who wait for a window, its screen or the seat, as long as the
  /// attachment has that window; tells again, as if it were touched now, where it has none any
  /// more.
  mutating func setInhibitors(_ windows: [AttachmentID: InhibitedWindow?], at time: Timestamp) {
    for (attachment, window) in windows {
      if let old = inhibitors[attachment] { count(old, -1) }
      inhibitors[attachment] = window
      if let window { count(window, 1) }
    }
    reviewInhibitors(at: time)
  }

  private mutating func count(_ window: InhibitedWindow, _ change: Int) {
    for scope in [Scope.window(window.window), .screen(window.screen)] {
      let count = inhibitorCounts[scope, default: 0] + change
      inhibitorCounts[scope] = count == 0 ? nil : count
    }
  }

  private func isInhibited(_ group: Group) -> Bool {
    if group.ignoresInhibitors { return false }
    return group.scope == .seat ? !inhibitors.isEmpty : inhibitorCounts[group.scope] != nil
  }

  private mutating func reviewInhibitors(at time: Timestamp) {
    for index in groups.indices {
      let isInhibited = isInhibited(groups[index])
      if groups[index].isInhibited == isInhibited { continue }
      groups[index].isInhibited = isInhibited
      touch(index, at: time)
    }
    review()
  }

  // MARK: - Touches and time

  /// Takes in that a finger came down or was lifted.
  ///
  /// - Parameters:
  ///   - screen: The one that it is on; nil where that is gone.
  ///   - window: The one that it is on; nil where it is on none, or nobody asks.
  mutating func note(
    at time: Timestamp, screen: String?, window: String?, isInjected: Bool
  ) {
    for index in groups.indices {
      let isMeant =
        switch groups[index].scope {
        case .seat: true
        case .screen(let name): name == screen
        case .window(let name): name == window
        }
      if isMeant, !isInjected || !groups[index].ignoresInjected { touch(index, at: time) }
    }
    review()
  }

  private mutating func touch(_ index: Int, at time: Timestamp) {
    groups[index].last = max(groups[index].last, time)
    for place in groups[index].watches.indices where groups[index].watches[place].isIdle {
      groups[index].watches[place].isIdle = false
      tell(groups[index].watches[place])
    }
    groups[index].schedule()
  }

  private mutating func review() {
    isEmpty = groups.isEmpty
    nextDeadline = groups.lazy.compactMap(\.nextDue).min()
  }

  private mutating func tell(_ watch: Watch) {
    changes.append(Change(client: watch.client, watch: watch.id, isIdle: watch.isIdle))
  }

  /// Takes in that it is that time.
  ///
  /// - Parameter isTouched: Whether a finger rests there, which is activity for as long as it does:
  ///   that it is lifted is waited for.
  mutating func advance(
    to time: Timestamp, isTouched: (_ scope: Scope, _ ignoresInjected: Bool) -> Bool
  ) {
    guard let nextDeadline, nextDeadline <= time else { return }
    defer { review() }
    for index in groups.indices {
      guard let due = groups[index].nextDue, due <= time else { continue }
      if isTouched(groups[index].scope, groups[index].ignoresInjected) {
        groups[index].nextDue = nil
        groups[index].isHeldOff = true
        continue
      }
      for place in groups[index].watches.indices
      where !groups[index].watches[place].isIdle
        && groups[index].due(groups[index].watches[place]) <= time
      {
        groups[index].watches[place].isIdle = true
        tell(groups[index].watches[place])
      }
      groups[index].schedule()
    }
  }

  /// Takes in that another layout is in force: a finger may no longer rest on a window.
  mutating func layoutChanged(
    at time: Timestamp, isTouched: (_ scope: Scope, _ ignoresInjected: Bool) -> Bool
  ) {
    guard groups.contains(where: \.isHeldOff) else { return }
    for index in groups.indices where groups[index].isHeldOff { groups[index].schedule() }
    review()
    advance(to: time, isTouched: isTouched)
  }
}
