import Configuration
import Layout
import Logging
import Routing
import Server
import TouchModel
import Wire

/// Who turns screens dark and on, and who is told of it. Rules D2, D4 and D5.
final class ScreenKeeper {
  /// For so long after a `dark` the same client's next one is refused. Rule D2.
  private static let pauseMilliseconds: UInt64 = 1_000

  private let core: Core
  /// The blankers, by the names of their screens.
  private var blankers: [String: ClientID] = [:]
  /// Who hears of all screens.
  private(set) var watchers: Set<ClientID> = []
  /// When a client has last made a screen dark.
  private var darkened: [ClientID: Timestamp] = [:]
  /// Whose request is being carried out: it hears that by the answer.
  private var asking: ClientID?

  init(_ core: Core) { self.core = core }

  // MARK: - What clients ask for

  /// Carries out `set_screen`.
  func set(_ request: ScreenRequest, _ token: RequestToken) {
    do throws(ChangeRefusal) {
      try set(request, by: token.client)
      core.server.answer(token, generation: core.generation)
    } catch {
      core.server.answer(token, error.code, "set_screen: \(error.text)")
    }
  }

  private func set(_ request: ScreenRequest, by client: ClientID) throws(ChangeRefusal) {
    let name = request.screen
    guard let screen = core.screen(name) else {
      throw ChangeRefusal(code: .invalid, text: core.lackOfScreen(name))
    }
    let now = core.now
    try requireRight(to: request, client)
    if !request.isOn { try requirePause(client, at: now) }
    if request.claims, blankers[name] != client {
      blankers[name] = client
      core.update { $0.setScreen(screen, isAttended: true, at: now) }
    }
    asking = client
    defer { asking = nil }
    let isNews = core.update { $0.setScreen(screen, isOn: request.isOn, at: now) }
    if isNews, !request.isOn { darkened[client] = now }
  }

  private func requireRight(
    to request: ScreenRequest, _ client: ClientID
  ) throws(ChangeRefusal) {
    let name = request.screen
    guard core.mayDarken(name, client) else {
      throw ChangeRefusal(code: .notAllowed, text: core.lackOfRight(toDarken: name, client))
    }
    if let blanker = blankers[name], blanker != client {
      if core.server.isControl(client), !request.claims { return }
      throw ChangeRefusal(
        code: .held,
        text: "the blanker of screen \"\(name)\" is \(core.server.name(of: blanker))")
    }
    if request.claims || core.server.isControl(client) || blankers[name] == client { return }
    throw ChangeRefusal(
      code: .notAllowed,
      text: "this program is not the blanker of screen \"\(name)\"; the flag BLANKER makes it that")
  }

  private func requirePause(_ client: ClientID, at now: Timestamp) throws(ChangeRefusal) {
    guard let latest = darkened[client] else { return }
    if now < latest.adding(milliseconds: Self.pauseMilliseconds) {
      throw ChangeRefusal(
        code: .limit, text: "this program has made a screen dark within the last second")
    }
  }

  /// Carries out `watch_screens`: the states of all come behind the answer.
  func watch(_ isWanted: Bool, _ token: RequestToken) {
    core.server.answer(token, generation: core.generation)
    guard isWanted else {
      watchers.remove(token.client)
      return
    }
    watchers.insert(token.client)
    for (index, screen) in core.layout.screens.enumerated() {
      let number = ScreenIndex(Int32(index))
      core.server.send(
        ScreenStateNotice(
          screen: number, name: screen.name, state: core.pipeline.router.screens.state(of: number),
          cause: nil),
        to: token.client)
    }
  }

  // MARK: - What happens

  /// Tells who is to know of a screen's other state. Rules D2 and D4.
  func tell(_ change: ScreenPower.Change) {
    let name = core.layout.screens[Int(change.screen.rawValue)].name
    let notice = ScreenStateNotice(
      screen: change.screen, name: name, state: change.state, cause: change.cause)
    let blanker = blankers[name]
    if change.cause == .timedOut, let blanker {
      core.server.log(
        .warning, about: blanker,
        "screen \"\(name)\" is on: its blanker, \(core.server.name(of: blanker)), has not said so "
          + "in time (wake_timeout_ms)")
    }
    if let blanker, blanker != asking, !watchers.contains(blanker) {
      core.server.send(notice, to: blanker)
    }
    for client in watchers where client != asking { core.server.send(notice, to: client) }
  }

  /// A client is gone. Rule D5.
  func wentAway(_ client: ClientID) {
    watchers.remove(client)
    darkened[client] = nil
    for (name, blanker) in blankers where blanker == client { end(name) }
  }

  /// Ends the blankers of screens that are gone, and those that are no longer allowed. Rules D5 and
  /// D6.
  func review() {
    for (name, blanker) in blankers where core.screen(name) == nil || !core.mayDarken(name, blanker)
    {
      end(name)
    }
  }

  private func end(_ name: String) {
    blankers[name] = nil
    guard let screen = core.screen(name) else { return }
    let now = core.now
    core.update { $0.setScreen(screen, isAttended: false, at: now) }
  }

  // MARK: - Status and handover

  /// The screens as they are.
  var status: [ScreenStatus] {
    core.layout.screens.enumerated().map { index, screen in
      let number = ScreenIndex(Int32(index))
      return ScreenStatus(
        screen: number, name: screen.name, state: core.pipeline.router.screens.state(of: number),
        blanker: blankers[screen.name])
    }
  }

  /// The screens that are not on, for the next daemon. Rule D6.
  var kept: [Handover.ScreenState] {
    status.filter { $0.state != .on }.map { Handover.ScreenState(name: $0.name, state: $0.state) }
  }

  /// Takes note in what the next daemon is left of a client of which screens it is the blanker, and
  /// whether it watches.
  func note(of client: ClientID, in state: inout Handover.Client) {
    state.blanks = blankers.filter { $0.value == client }.map(\.key).sorted()
    state.watchesScreens = watchers.contains(client)
  }

  /// Goes on where the daemon before has stopped. Who may no longer be a blanker ends by
  /// ``review()``.
  func resume(_ screens: [Handover.ScreenState], _ clients: [ClientID: Handover.Client]) {
    let now = core.now
    for kept in screens {
      if let screen = core.screen(kept.name) {
        core.update { $0.restoreScreen(screen, kept.state, at: now) }
      }
    }
    for (client, state) in clients.sorted(by: { $0.value.cookie < $1.value.cookie }) {
      if state.watchesScreens { watchers.insert(client) }
      for name in state.blanks {
        guard let screen = core.screen(name), blankers[name] == nil else { continue }
        blankers[name] = client
        core.update { $0.setScreen(screen, isAttended: true, at: now) }
      }
    }
    for index in core.layout.screens.indices {
      let screen = ScreenIndex(Int32(index))
      if blankers[core.layout.screens[index].name] == nil {
        // A screen that was waking for a blanker that is gone.
        core.update { $0.setScreen(screen, isAttended: false, at: now) }
      }
    }
  }
}

extension Core {
  /// The screen of a name; nil where there is none.
  func screen(_ name: String) -> ScreenIndex? {
    layout.screens.firstIndex { $0.name == name }.map { ScreenIndex(Int32($0)) }
  }

  /// Whether a client may turn a screen dark, and lock it. Rules D2 and D9.
  func mayDarken(_ screen: String, _ client: ClientID) -> Bool {
    guard let program = program(client) else { return false }
    return program.isControl
      || configuration.mayDarken(screen, user: program.user, groups: program.groups)
  }

  /// That a client has no right to a screen, and what would give it.
  func lackOfRight(toDarken screen: String, _ client: ClientID) -> String {
    "screen \"\(screen)\" is for root and for those whom an [[access]] rule with "
      + "path = \"screen:\(screen)\" names; this is \(server.name(of: client))"
  }

  /// That there is no screen of a name, and which there are.
  func lackOfScreen(_ name: String) -> String {
    let names = layout.screens.map { "\"\($0.name)\"" }.joined(separator: ", ")
    return "there is no screen \"\(name)\", only \(names)"
  }
}
