import Routing
import TouchModel

/// Rules D1 to D6 and D9 as plainly as they can be written: what each screen is, who is its
/// blanker, what keeps touches out, and who is told.
struct OracleScreens {
  /// A screen.
  struct Panel {
    var screen: Screen
    var state = ScreenState.on
    var blanker: ClientID?
    /// Touches that begin before it are kept out.
    var guardEnd: Timestamp?
    /// When it is on, whatever its blanker says.
    var wakeEnd: Timestamp?
    var waker: OracleWaker?
    var lock: OracleLock?

    init(_ screen: Screen) { self.screen = screen }

    /// What wakes it now. Rules D4 and D5.
    var action: Screen.Waking.Action { blanker == nil ? .touch : screen.waking.action }

    /// It is dark from now on, or something else wakes it: what fingers did until now is forgotten.
    mutating func watch() { waker = state == .dark ? .waking(action) : nil }
  }

  private(set) var panels: [Panel]
  /// What is due earlier is due now.
  private var latest = Timestamp(microseconds: 0)
  /// Who hears of all screens.
  private var watchers: Set<ClientID> = []
  /// When each screen was last made dark, and when locked, by its name.
  private var darkened: [String: Timestamp] = [:]
  private var locked: [String: Timestamp] = [:]
  /// What clients are told, in order.
  private(set) var said: [(client: ClientID, notice: Notice)] = []

  init(_ screens: [Screen]) { panels = screens.map(Panel.init) }

  mutating func removeSaid() { said.removeAll() }

  /// Which screen that is; nil where there is none.
  func index(of name: String) -> Int? { panels.firstIndex { $0.screen.name == name } }

  // MARK: What clients ask for

  /// Why a client may not have its way that may by who it is.
  func refusal(
    of request: (name: String, isOn: Bool, claims: Bool), by client: ClientID,
    isAdministrator: Bool, at time: Timestamp
  ) -> ScreenRefusal? {
    guard let index = index(of: request.name) else { return .noScreen }
    let blanker = panels[index].blanker
    if let blanker, blanker != client, request.claims || !isAdministrator { return .held }
    if blanker != client, !request.claims, !isAdministrator { return .notBlanker }
    let isTooOften = !request.isOn && Self.isPaused(darkened[request.name], at: time)
    return isTooOften && !isAdministrator ? .tooOften : nil
  }

  private static func isPaused(_ latest: Timestamp?, at time: Timestamp) -> Bool {
    latest.map { time < $0.adding(milliseconds: 1_000) } ?? false
  }

  /// Whether a screen was locked within the last second.
  func isLockedTooOften(_ index: Int, at time: Timestamp) -> Bool {
    Self.isPaused(locked[panels[index].screen.name], at: time)
  }

  /// A client says that a screen is on, or dark; whether it becomes dark by that.
  mutating func set(
    _ index: Int, isOn: Bool, claims: Bool, by client: ClientID, at time: Timestamp
  ) -> Bool {
    if claims, panels[index].blanker != client {
      panels[index].blanker = client
      panels[index].watch()
    }
    let state: ScreenState = isOn ? .on : .dark
    guard panels[index].state != state else { return false }
    change(index, to: state, .requested, at: time, but: client)
    if !isOn { darkened[panels[index].screen.name] = time }
    return !isOn
  }

  /// A client begins to watch, or no longer.
  mutating func watch(_ client: ClientID, _ isWanted: Bool, at time: Timestamp) {
    guard isWanted else {
      watchers.remove(client)
      return
    }
    watchers.insert(client)
    for (index, panel) in panels.enumerated() {
      said.append((client, .screen(index, panel.screen.name, panel.state, nil)))
      guard let lock = panel.lock else { continue }
      said.append((client, .lock(index, panel.screen.name, lock.remaining(at: time), nil)))
    }
  }

  /// Who has locked a screen that somebody else may not replace the lock of.
  func isLocked(_ index: Int, for client: ClientID, isAdministrator: Bool) -> Bool {
    guard let lock = panels[index].lock, !isAdministrator else { return false }
    return lock.owner != client
  }

  mutating func lock(
    _ index: Int, _ request: TouchLocks.Request, by client: ClientID, isAdministrator: Bool,
    at time: Timestamp
  ) {
    let end = time.adding(milliseconds: request.milliseconds)
    locked[panels[index].screen.name] = time
    panels[index].lock = OracleLock(
      request, end: end, owner: client, isAdministrators: isAdministrator)
    tellLock(index, .requested, at: time)
  }

  /// Ends a lock; false where there is none.
  mutating func unlock(_ index: Int, _ cause: LockCause) -> Bool {
    guard panels[index].lock != nil else { return false }
    panels[index].lock = nil
    tell(watchers, .lock(index, panels[index].screen.name, 0, cause))
    return true
  }

  private mutating func tellLock(_ index: Int, _ cause: LockCause?, at time: Timestamp) {
    guard let lock = panels[index].lock else { return }
    tell(watchers, .lock(index, panels[index].screen.name, lock.remaining(at: time), cause))
  }

  // MARK: Clients and configurations

  /// A client is gone. Rules D5 and D9.
  mutating func leave(_ client: ClientID, at time: Timestamp) {
    watchers.remove(client)
    for index in panels.indices {
      if panels[index].blanker == client { dismiss(index, at: time) }
      guard let lock = panels[index].lock, lock.owner == client else { continue }
      if lock.isAdministrators {
        panels[index].lock?.owner = nil
      } else {
        _ = unlock(index, .clientLeft)
      }
    }
  }

  /// Other rules are in force. Rules D2, D5 and D9.
  mutating func review(at time: Timestamp, mayDarken: (ClientID, String) -> Bool) {
    for index in panels.indices {
      let name = panels[index].screen.name
      if let blanker = panels[index].blanker, !mayDarken(blanker, name) {
        dismiss(index, at: time)
      }
      if let owner = panels[index].lock?.owner, !mayDarken(owner, name) {
        _ = unlock(index, .clientLeft)
      }
    }
  }

  private mutating func dismiss(_ index: Int, at time: Timestamp) {
    panels[index].blanker = nil
    panels[index].watch()
    if panels[index].state == .waking { change(index, to: .on, .unattended, at: time) }
  }

  /// Rule D6.
  mutating func replace(_ screens: [Screen]) {
    let before = panels
    panels = screens.enumerated().map { number, screen in
      guard let index = before.firstIndex(where: { $0.screen.name == screen.name }) else {
        return Panel(screen)
      }
      var panel = before[index]
      let action = panel.action
      panel.screen = screen
      // Fingers that rest go by the screen's number.
      if panel.action != action || index != number { panel.watch() }
      if index != number { panel.lock = panel.lock?.renewed(owner: panel.lock?.owner) }
      return panel
    }
  }

  /// Another daemon goes on, which calls the clients by other names and knows of no finger.
  mutating func restart(_ names: [ClientID: ClientID], at time: Timestamp) {
    watchers = Set(watchers.compactMap { names[$0] })
    (darkened, locked) = ([:], [:])
    for index in panels.indices {
      let panel = panels[index]
      panels[index].blanker = panel.blanker.flatMap { names[$0] }
      panels[index].guardEnd = nil
      panels[index].watch()
      if panel.state == .waking { panels[index].wakeEnd = wakeEnd(of: index, from: time) }
      panels[index].lock = panel.lock?.renewed(owner: panel.lock?.owner.flatMap { names[$0] })
      tellLock(index, .requested, at: time)
    }
  }

  // MARK: Touches and time

  /// Takes in what fingers do that were kept out.
  mutating func take(_ frame: TouchFrame) {
    let index = Int(frame.screen.rawValue)
    if panels[index].state == .dark, let waker = panels[index].waker {
      waker.take(frame)
      if waker.takeRecognition() { wake(index, at: frame.time) }
    }
    let size = panels[index].screen.size
    panels[index].lock?.take(frame, on: size)
    endLockIfExited(index, at: frame.time)
  }

  /// Whether a touch that begins is discarded as its screen is dark; it may wake the screen. Rules
  /// D3 and D4.
  mutating func isDark(
    _ index: Int, for touch: TouchID, at place: Point, of device: DeviceID, time: Timestamp,
    now: Timestamp
  ) -> Bool {
    let panel = panels[index]
    if panel.state == .on { return panel.guardEnd.map { now < $0 } ?? false }
    guard panel.state == .dark else { return true }
    switch panel.action {
    case .touch: wake(index, at: now)
    case .none: break
    case .doubleTap, .longPress:
      panel.waker?.begin(touch, at: place, of: device, time: time)
      if panel.waker?.takeRecognition() ?? false { wake(index, at: now) }
    }
    return true
  }

  /// Whether a touch that begins is discarded as its screen is locked; it may end that. Rule D9.
  mutating func isLocked(
    _ index: Int, for touch: TouchID, on view: String?, at place: Point, of device: DeviceID,
    time: Timestamp, now: Timestamp
  ) -> Bool {
    guard let lock = panels[index].lock, !lock.leavesOut(view) else { return false }
    let size = panels[index].screen.size
    panels[index].lock?.begin(touch, at: place, of: device, on: size, time: time, now: now)
    endLockIfExited(index, at: now)
    return true
  }

  /// When time alone changes something.
  var deadline: Timestamp? {
    panels.flatMap { panel in
      [
        panel.state == .dark ? panel.waker?.deadline : nil, panel.wakeEnd,
        panel.lock?.deadline,
      ]
    }.compactMap(\.self).min()
  }

  /// Takes in that it is that time.
  ///
  /// - Parameter now: What is found due too late is done then; nil for that time.
  mutating func advance(to time: Timestamp, now: Timestamp? = nil) {
    for index in panels.indices {
      while panels[index].state == .dark, let waker = panels[index].waker,
        let due = waker.deadline, due <= time
      {
        waker.advance(to: due)
        if waker.takeRecognition() { wake(index, at: due > latest ? due : now ?? time) }
      }
      if let end = panels[index].wakeEnd, end <= time {
        change(index, to: .on, .timedOut, at: end)
      }
      endLock(index, at: time)
    }
    latest = max(latest, time)
  }

  private mutating func endLockIfExited(_ index: Int, at time: Timestamp) {
    if panels[index].lock?.isExited(at: time) ?? false { _ = unlock(index, .exit) }
  }

  private mutating func endLock(_ index: Int, at time: Timestamp) {
    if let cause = panels[index].lock?.cause(at: time) { _ = unlock(index, cause) }
  }

  private mutating func wake(_ index: Int, at time: Timestamp) {
    if panels[index].blanker == nil {
      change(index, to: .on, .unattended, at: time)
    } else {
      change(index, to: .waking, .woken, at: time)
    }
  }

  private func wakeEnd(of index: Int, from time: Timestamp) -> Timestamp {
    time.adding(milliseconds: panels[index].screen.waking.timeoutMilliseconds)
  }

  /// - Parameter asking: Who has asked for it, and hears of it by the answer.
  private mutating func change(
    _ index: Int, to state: ScreenState, _ cause: ScreenCause, at time: Timestamp,
    but asking: ClientID? = nil
  ) {
    panels[index].state = state
    panels[index].guardEnd =
      state == .on
      ? time.adding(milliseconds: panels[index].screen.waking.guardMilliseconds) : nil
    panels[index].wakeEnd = state == .waking ? wakeEnd(of: index, from: time) : nil
    panels[index].watch()
    let hearers = watchers.union([panels[index].blanker].compactMap(\.self))
    tell(
      hearers.filter { $0 != asking },
      .screen(index, panels[index].screen.name, state, cause))
  }

  private mutating func tell(_ clients: Set<ClientID>, _ notice: Notice) {
    for client in clients { said.append((client, notice)) }
  }
}

/// Why a client may not turn a screen dark or on, beside who it is. Rule D2.
enum ScreenRefusal { case noScreen, held, notBlanker, tooOften }

extension OracleLock {
  /// How long it lasts yet, in milliseconds.
  func remaining(at time: Timestamp) -> UInt32 {
    UInt32((end.microseconds - min(end, time).microseconds + 999) / 1_000)
  }
}
