import Configuration
import Layout
import Routing
import Server
import TouchModel
import Wire

/// Locks screens for clients that may do so. Rule D9.
final class LockKeeper {
  private let pipeline: RunningPipeline
  private let server: Server
  private let rights: ClientRights
  /// Who has locked a screen last, by its name; whether it is locked still, the pipeline says.
  private var owners: [String: ClientID] = [:]
  /// Those of them that are administrators: their locks stay when they go.
  private var administrators: Set<ClientID> = []
  private var pause = ScreenPause()

  init(_ pipeline: RunningPipeline, _ server: Server, _ rights: ClientRights) {
    self.pipeline = pipeline
    self.server = server
    self.rights = rights
  }

  // MARK: - What clients ask for

  /// Carries out `lock`.
  func lock(_ request: LockRequest, _ token: RequestToken) {
    do throws(ChangeRefusal) {
      let screen = try screen(request.screen, token.client)
      try check(request)
      let now = pipeline.now
      if !server.isControl(token.client), pause.holds(request.screen, at: now) {
        throw ChangeRefusal(
          code: .limit, text: "screen \"\(request.screen)\" was locked within the last second")
      }
      pause.begin(request.screen, at: now)
      owners[request.screen] = token.client
      if server.isControl(token.client) { administrators.insert(token.client) }
      pipeline.update { $0.lock(screen, request.lock, at: now) }
      server.answer(token, generation: pipeline.generation)
    } catch {
      server.answer(token, error.code, "lock: \(error.text)")
    }
  }

  /// Carries out `unlock`.
  func unlock(_ name: String, _ token: RequestToken) {
    do throws(ChangeRefusal) {
      let screen = try screen(name, token.client)
      guard pipeline.update({ $0.unlock(screen, .requested) }) else {
        throw ChangeRefusal(code: .invalid, text: "screen \"\(name)\" is not locked")
      }
      server.answer(token, generation: pipeline.generation)
    } catch {
      server.answer(token, error.code, "unlock: \(error.text)")
    }
  }

  /// The screen of a name, which a client may lock and unlock.
  private func screen(_ name: String, _ client: ClientID) throws(ChangeRefusal) -> ScreenIndex {
    guard let screen = pipeline.layout.screen(name) else {
      throw ChangeRefusal(code: .invalid, text: pipeline.layout.lackOfScreen(name))
    }
    guard rights.mayDarken(name, client) else {
      throw ChangeRefusal(code: .notAllowed, text: rights.lackOfRight(toDarken: name, client))
    }
    let isLocked = pipeline.router.locks.lock(of: screen) != nil
    if isLocked, !server.isControl(client), owners[name] != client {
      let who = owners[name].map { server.name(of: $0) } ?? "an administrator"
      throw ChangeRefusal(code: .held, text: "\(who) has locked screen \"\(name)\"")
    }
    return screen
  }

  private func check(_ request: LockRequest) throws(ChangeRefusal) {
    let limit = rights.configuration.limits.lockSeconds
    guard request.lock.milliseconds <= UInt64(limit) * 1_000 else {
      throw ChangeRefusal(
        code: .limit,
        text:
          "\(request.lock.milliseconds) ms: a lock lasts at most \(limit) s (limits.lock_seconds)")
    }
    for path in request.lock.exceptions where pipeline.layout.view(at: path) == nil {
      let nearest = pipeline.layout.nearestPath(to: path).map { "; did you mean \"\($0)\"?" } ?? ""
      throw ChangeRefusal(code: .noResponder, text: "there is no view \"\(path)\"\(nearest)")
    }
  }

  // MARK: - What happens

  /// Tells a client of the locks that there are.
  func tell(_ client: ClientID) {
    for status in status {
      server.send(
        LockNotice(
          screen: status.screen, name: status.name,
          remainingMilliseconds: status.remainingMilliseconds, cause: nil), to: client)
    }
  }

  /// A client is gone: its locks end, but for those of an administrator.
  func wentAway(_ client: ClientID) {
    let isAdministrator = administrators.remove(client) != nil
    for (name, owner) in owners where owner == client {
      owners[name] = nil
      if !isAdministrator { end(name) }
    }
  }

  /// Ends the locks of clients that the next daemon does not get, but for those of administrators.
  func end(notOf kept: [ClientID]) {
    for client in Set(owners.values).subtracting(kept) { wentAway(client) }
  }

  /// Ends the locks of those who may no longer have them. An administrator's stays, also if the
  /// administrator has hung up and that is yet to be heard.
  func review() {
    for (name, owner) in owners {
      let isAllowed = administrators.contains(owner) || rights.mayDarken(name, owner)
      if pipeline.layout.screen(name) == nil || !isAllowed { end(name) }
    }
  }

  private func end(_ name: String) {
    owners[name] = nil
    guard let screen = pipeline.layout.screen(name) else { return }
    _ = pipeline.update { $0.unlock(screen, .clientLeft) }
  }

  // MARK: - Status and handover

  /// The locks that there are.
  var status: [LockStatus] {
    pipeline.layout.screens.enumerated().compactMap { index, screen in
      let number = ScreenIndex(Int32(index))
      guard let lock = pipeline.router.locks.lock(of: number) else { return nil }
      return LockStatus(
        screen: number, name: screen.name,
        remainingMilliseconds: lock.end.milliseconds(after: pipeline.now),
        owner: owners[screen.name])
    }
  }

  /// The locks, for the next daemon.
  var kept: [Handover.Lock] {
    status.compactMap { status in
      guard let lock = pipeline.router.locks.lock(of: status.screen) else { return nil }
      var request = lock.request
      request.milliseconds = UInt64(status.remainingMilliseconds)
      return Handover.Lock(screen: status.name, request: request)
    }
  }

  /// Which screens a client has locked, for the next daemon.
  func locked(by client: ClientID) -> [String] {
    status.filter { $0.owner == client }.map(\.name).sorted()
  }

  /// Goes on where the daemon before has stopped. A lock of a client that has gone meanwhile ends
  /// with it, unless that is an administrator.
  ///
  /// - Parameter left: The clients that the daemon before has left, those that are gone among them.
  func resume(
    _ locks: [Handover.Lock], _ clients: [ClientID: Handover.Client], of left: [Handover.Client]
  ) {
    let now = pipeline.now
    for lock in locks {
      let isOurs = clients.values.contains { $0.locks.contains(lock.screen) }
      let isLeft = left.contains { $0.socket == .client && $0.locks.contains(lock.screen) }
      guard isOurs || !isLeft, let screen = pipeline.layout.screen(lock.screen) else { continue }
      for (client, state) in clients where state.locks.contains(lock.screen) {
        owners[lock.screen] = client
        if state.socket == .control { administrators.insert(client) }
      }
      pipeline.update { $0.lock(screen, lock.request, at: now) }
    }
  }
}
