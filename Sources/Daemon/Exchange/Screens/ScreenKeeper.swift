import Configuration
import Layout
import Routing
import Server
import TouchModel
import Wire

/// Turns screens dark and on for clients that may do so. Rules D2, D4 and D5.
final class ScreenKeeper {
  private let pipeline: RunningPipeline
  private let server: Server
  private let rights: ClientRights
  private let notifier: ScreenNotifier
  private var pause = ScreenPause()

  init(
    _ pipeline: RunningPipeline, _ server: Server, _ rights: ClientRights,
    _ notifier: ScreenNotifier
  ) {
    self.pipeline = pipeline
    self.server = server
    self.rights = rights
    self.notifier = notifier
  }

  // MARK: - What clients ask for

  /// Carries out `set_screen`.
  func set(_ request: ScreenRequest, _ token: RequestToken) {
    do throws(ChangeRefusal) {
      try set(request, by: token.client)
      server.answer(token, generation: pipeline.generation)
    } catch {
      server.answer(token, error.code, "set_screen: \(error.text)")
    }
  }

  private func set(_ request: ScreenRequest, by client: ClientID) throws(ChangeRefusal) {
    let name = request.screen
    guard let screen = pipeline.layout.screen(name) else {
      throw ChangeRefusal(code: .invalid, text: pipeline.layout.lackOfScreen(name))
    }
    let now = pipeline.now
    try requireRight(to: request, client)
    if !request.isOn, !server.isControl(client), pause.holds(name, at: now) {
      throw ChangeRefusal(
        code: .limit, text: "screen \"\(name)\" was made dark within the last second")
    }
    if request.claims, notifier.blankers[name] != client {
      notifier.setBlanker(client, of: name)
      pipeline.update { $0.setScreen(screen, isAttended: true, at: now) }
    }
    let isNews = notifier.withoutTelling(client) {
      pipeline.update { $0.setScreen(screen, isOn: request.isOn, at: now) }
    }
    if isNews, !request.isOn { pause.begin(name, at: now) }
  }

  private func requireRight(
    to request: ScreenRequest, _ client: ClientID
  ) throws(ChangeRefusal) {
    let name = request.screen
    guard rights.mayDarken(name, client) else {
      throw ChangeRefusal(code: .notAllowed, text: rights.lackOfRight(toDarken: name, client))
    }
    if let blanker = notifier.blankers[name], blanker != client {
      if server.isControl(client), !request.claims { return }
      throw ChangeRefusal(
        code: .held,
        text: "the blanker of screen \"\(name)\" is \(server.name(of: blanker))")
    }
    if request.claims || server.isControl(client) || notifier.blankers[name] == client { return }
    throw ChangeRefusal(
      code: .notAllowed,
      text: "this program is not the blanker of screen \"\(name)\"; the flag BLANKER makes it that")
  }

  /// Carries out `watch_screens`: the states of all come behind the answer.
  func watch(_ isWanted: Bool, _ token: RequestToken) {
    server.answer(token, generation: pipeline.generation)
    notifier.watch(token.client, isWanted)
    guard isWanted else { return }
    for (index, screen) in pipeline.layout.screens.enumerated() {
      let number = ScreenIndex(Int32(index))
      server.send(
        ScreenStateNotice(
          screen: number, name: screen.name, state: pipeline.router.screens.state(of: number),
          cause: nil),
        to: token.client)
    }
  }

  // MARK: - What happens

  /// A client is gone. Rule D5.
  func wentAway(_ client: ClientID) {
    notifier.watch(client, false)
    for (name, blanker) in notifier.blankers where blanker == client { end(name) }
  }

  /// Ends the blankers of screens that are gone, and those that are no longer allowed. Rules D5 and
  /// D6.
  func review() {
    for (name, blanker) in notifier.blankers
    where pipeline.layout.screen(name) == nil || !rights.mayDarken(name, blanker) {
      end(name)
    }
  }

  private func end(_ name: String) {
    notifier.setBlanker(nil, of: name)
    guard let screen = pipeline.layout.screen(name) else { return }
    let now = pipeline.now
    pipeline.update { $0.setScreen(screen, isAttended: false, at: now) }
  }

  // MARK: - Status and handover

  /// The screens as they are.
  var status: [ScreenStatus] {
    pipeline.layout.screens.enumerated().map { index, screen in
      let number = ScreenIndex(Int32(index))
      return ScreenStatus(
        screen: number, name: screen.name, state: pipeline.router.screens.state(of: number),
        blanker: notifier.blankers[screen.name])
    }
  }

  /// The screens that are not on, for the next daemon. Rule D6.
  var kept: [Handover.ScreenState] {
    status.filter { $0.state != .on }.map { Handover.ScreenState(name: $0.name, state: $0.state) }
  }

  /// Takes note in what the next daemon is left of a client of which screens it is the blanker, and
  /// whether it watches.
  func note(of client: ClientID, in state: inout Handover.Client) {
    state.blanks = notifier.blankers.filter { $0.value == client }.map(\.key).sorted()
    state.watchesScreens = notifier.watchers.contains(client)
  }

  /// Goes on where the daemon before has stopped. Who may no longer be a blanker ends by
  /// ``review()``.
  func resume(_ screens: [Handover.ScreenState], _ clients: [ClientID: Handover.Client]) {
    let now = pipeline.now
    for kept in screens {
      if let screen = pipeline.layout.screen(kept.name) {
        pipeline.update { $0.restoreScreen(screen, kept.state, at: now) }
      }
    }
    for (client, state) in clients.sorted(by: { $0.value.cookie < $1.value.cookie }) {
      if state.watchesScreens { notifier.watch(client, true) }
      for name in state.blanks {
        guard let screen = pipeline.layout.screen(name), notifier.blankers[name] == nil else {
          continue
        }
        notifier.setBlanker(client, of: name)
        pipeline.update { $0.setScreen(screen, isAttended: true, at: now) }
      }
    }
    for index in pipeline.layout.screens.indices {
      let screen = ScreenIndex(Int32(index))
      if notifier.blankers[pipeline.layout.screens[index].name] == nil {
        // A screen that was waking for a blanker that is gone.
        pipeline.update { $0.setScreen(screen, isAttended: false, at: now) }
      }
    }
  }
}
