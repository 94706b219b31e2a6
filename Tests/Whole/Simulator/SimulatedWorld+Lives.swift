import CTouchroute
import Glibc
import Layout
import Routing
import TouchModel

import Server
import Exchange

/// Programs that come back, programs that push others out, and daemons that go on for others: what
/// becomes of the views that were added. Rules L7, R2 and R9.
extension SimulatedWorld {
  /// A program loses its connection and connects again, and has again what it had, as the library
  /// does: first what it held of others' views, then its own views, then what it held of those.
  func comeBack(_ place: Int) {
    guard let program = programs[place] else { return }
    settle()
    endChange()
    let held = oracle.holders.values.filter { $0.client == program.client }
      .sorted { $0.id.rawValue < $1.id.rawValue }
    let views = held.map { settings.views(through: $0.id) }
    let own = Set(views.joined().map(\.path))
    program.hangUp()
    settle()
    endChange()
    guard let next = self.program(at: place, .client) else { return }
    func attach(where isMeant: (String) -> Bool) {
      for hold in held where isMeant(String(hold.path.prefix { $0 != "@" })) {
        next.attach(AttachRequest(path: hold.path, handles: hold.handles, passes: hold.passes))
      }
      settle()
      endChange()
    }
    attach { !own.contains($0) }
    for (hold, views) in zip(held, views) where !views.isEmpty {
      guard let holder = oracle.holders[hold.path], holder.client == next.client else { continue }
      let base = String(hold.path.prefix { $0 != "@" })
      let steps = views.map {
        ViewsRequest.Step.add(
          String($0.path.dropFirst(base.count + 1)), $0.properties, order: nil)
      }
      next.change(ViewsRequest(steps, through: holder.id))
    }
    settle()
    attach { own.contains($0) }
  }

  /// A program takes over what another has added views through.
  func seize(_ number: Int, _ place: Int) {
    let paths = oracle.holders.values.filter { !settings.views(through: $0.id).isEmpty }
      .map(\.path).sorted()
    guard !paths.isEmpty, let program = program(at: place, .client) else { return }
    program.attach(
      AttachRequest(
        path: paths[number % paths.count], handles: .all, passes: [], takesOver: true))
  }

  /// The daemon stops and leaves its clients, as under systemd, and another goes on.
  func restart() {
    do { try goOnAnew() } catch { found("restarting: \(error)") }
  }

  private func goOnAnew() throws {
    settle()
    endChange()
    oracle.cancel(.stopping, at: time) { _, _ in true }
    collect()
    let generation = exchange.pipeline.router.generation
    var known: [UInt64: (client: ClientID, peer: PeerCredentials)] = [:]
    for session in exchange.sessions.all {
      known[Server.cookie(of: session.descriptor)] = (session.client, session.peer)
    }
    let before = try replaceDaemon()
    var kept = KeptDescriptors()
    before.store = { descriptors, name in
      let copies = descriptors.map { dup($0) }
      if name == KeptDescriptors.stateName {
        kept.states += copies
      } else {
        kept.sessions += copies
      }
    }
    before.stop(capacity: 1_000)
    exchange.server.peer = { known[Server.cookie(of: $0)]?.peer }
    if !kept.isEmpty { exchange.takeOver(kept) }
    var names: [ClientID: ClientID] = [:]
    for session in exchange.sessions.all {
      guard let old = known[Server.cookie(of: session.descriptor)] else { continue }
      names[old.client] = session.client
    }
    let now = exchange.pipeline.router.generation
    if !kept.isEmpty, now < generation { found("the daemon after it has an older layout") }
    noteChange(since: min(generation, now))
    forget(notIn: names)
    programs.rename(names)
    settings.rename(names)
    left = []
    injectors = OracleInjectors()
    oracleSequencer.restart()
    oracle.restart(names, at: time)
    if kept.isEmpty {
      // Nothing was left to the next daemon, which counts from 1.
      oracleSequencer.countAnew()
      oracle.countAnew()
    }
    collect()
    reviewRights()
    reviewScreens()
    serveLine()
    reviewIdle()
    exchange.endTurn()
  }

  /// Those who had hung up, or were being disconnected, are not left to the next daemon, which
  /// calls others by their names.
  private func forget(notIn names: [ClientID: ClientID]) {
    for program in programs.all where names[program.client] == nil {
      if !program.isGone { oracle.leave(program.client, at: time) }
      program.isGone = true
      program.hangUp()
    }
    collect()
    programs.removeClosed()
  }
}
