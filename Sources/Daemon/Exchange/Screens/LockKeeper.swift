import Configuration
import Layout
import Routing
import Server
import TouchModel
import Wire

/// Who locks screens, and who is told of it. Rule D9.
final class LockKeeper {
  private let core: Core
  /// Who has locked a screen, by its name.
  private var owners: [String: ClientID] = [:]
  /// Those of them that are administrators: their locks stay when they go.
  private var administrators: Set<ClientID> = []

  init(_ core: Core) { self.core = core }

  // MARK: - What clients ask for

  /// Carries out `lock`.
  func lock(_ request: LockRequest, _ token: RequestToken) {
    do throws(ChangeRefusal) {
      let screen = try screen(request.screen, token.client)
      try check(request)
      let now = core.now
      // Its name is told with the change.
      owners[request.screen] = token.client
      if core.server.isControl(token.client) { administrators.insert(token.client) }
      core.update { $0.lock(screen, request.lock, at: now) }
      core.server.answer(token, generation: core.generation)
    } catch {
      core.server.answer(token, error.code, "lock: \(error.text)")
    }
  }

  /// Carries out `unlock`.
  func unlock(_ name: String, _ token: RequestToken) {
    do throws(ChangeRefusal) {
      let screen = try screen(name, token.client)
      guard core.update({ $0.unlock(screen, .requested) }) else {
        throw ChangeRefusal(code: .invalid, text: "screen \"\(name)\" is not locked")
      }
      core.server.answer(token, generation: core.generation)
    } catch {
      core.server.answer(token, error.code, "unlock: \(error.text)")
    }
  }

  /// The screen of a name, which a client may lock and unlock.
  private func screen(_ name: String, _ client: ClientID) throws(ChangeRefusal) -> ScreenIndex {
    guard let screen = core.screen(name) else {
      throw ChangeRefusal(code: .invalid, text: core.lackOfScreen(name))
    }
    guard core.mayDarken(name, client) else {
      throw ChangeRefusal(code: .notAllowed, text: core.lackOfRight(toDarken: name, client))
    }
    let isLocked = core.pipeline.router.locks.lock(of: screen) != nil
    if isLocked, !core.server.isControl(client), owners[name] != client {
      let who = owners[name].map { core.server.name(of: $0) } ?? "an administrator"
      throw ChangeRefusal(code: .held, text: "\(who) has locked screen \"\(name)\"")
    }
    return screen
  }

  private func check(_ request: LockRequest) throws(ChangeRefusal) {
    let limit = core.configuration.limits.lockSeconds
    guard request.lock.milliseconds <= UInt64(limit) * 1_000 else {
      throw ChangeRefusal(
        code: .limit,
        text:
          "\(request.lock.milliseconds) ms: a lock lasts at most \(limit) s (limits.lock_seconds)")
    }
    for path in request.lock.exceptions where core.layout.view(at: path) == nil {
      let nearest = core.layout.nearestPath(to: path).map { "; did you mean \"\($0)\"?" } ?? ""
      throw ChangeRefusal(code: .noResponder, text: "there is no view \"\(path)\"\(nearest)")
    }
  }

  // MARK: - What happens

  /// Tells those of a lock who watch screens. Rule D9.
  func tell(_ change: TouchLocks.Change, to watchers: Set<ClientID>) {
    let name = core.layout.screens[Int(change.screen.rawValue)].name
    let notice = LockNotice(
      screen: change.screen, name: name, remainingMilliseconds: remaining(until: change.end),
      cause: change.cause)
    for client in watchers { core.server.send(notice, to: client) }
    if change.end == nil { owners[name] = nil }
  }

  /// Tells a client of the locks that there are.
  func tell(_ client: ClientID) {
    for status in status {
      core.server.send(
        LockNotice(
          screen: status.screen, name: status.name,
          remainingMilliseconds: status.remainingMilliseconds, cause: nil), to: client)
    }
  }

  private func remaining(until end: Timestamp?) -> UInt32 {
    guard let end else { return 0 }
    let now = core.now.microseconds
    // One that is in force has some time left.
    return max(1, UInt32(clamping: (max(end.microseconds, now) - now + 999) / 1_000))
  }

  /// A client is gone: its locks end, but for those of an administrator.
  func wentAway(_ client: ClientID) {
    let isAdministrator = administrators.remove(client) != nil
    for (name, owner) in owners where owner == client {
      owners[name] = nil
      if !isAdministrator { end(name) }
    }
  }

  /// Ends the locks of those who may no longer have them.
  func review() {
    for (name, owner) in owners where core.screen(name) == nil || !core.mayDarken(name, owner) {
      end(name)
    }
  }

  private func end(_ name: String) {
    owners[name] = nil
    guard let screen = core.screen(name) else { return }
    _ = core.update { $0.unlock(screen, .clientLeft) }
  }

  // MARK: - Status and handover

  /// The locks that there are.
  var status: [LockStatus] {
    core.layout.screens.enumerated().compactMap { index, screen in
      let number = ScreenIndex(Int32(index))
      guard let lock = core.pipeline.router.locks.lock(of: number) else { return nil }
      return LockStatus(
        screen: number, name: screen.name, remainingMilliseconds: remaining(until: lock.end),
        owner: owners[screen.name])
    }
  }

  /// The locks, for the next daemon.
  var kept: [Handover.Lock] {
    status.compactMap { status in
      guard let lock = core.pipeline.router.locks.lock(of: status.screen) else { return nil }
      var request = lock.request
      request.milliseconds = UInt64(status.remainingMilliseconds)
      return Handover.Lock(screen: status.name, request: request)
    }
  }

  /// Which screens a client has locked, for the next daemon.
  func locked(by client: ClientID) -> [String] {
    owners.filter { $0.value == client }.map(\.key).sorted()
  }

  /// Goes on where the daemon before has stopped.
  func resume(_ locks: [Handover.Lock], _ clients: [ClientID: Handover.Client]) {
    let now = core.now
    for lock in locks {
      guard let screen = core.screen(lock.screen) else { continue }
      for (client, state) in clients where state.locks.contains(lock.screen) {
        owners[lock.screen] = client
        if state.socket == .control { administrators.insert(client) }
      }
      core.update { $0.lock(screen, lock.request, at: now) }
    }
  }
}
