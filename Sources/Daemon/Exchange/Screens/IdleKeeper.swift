import Layout
import Routing
import Server
import TouchModel
import Wire

/// Who is told that nobody touches something, and who keeps others from being told. Rules D7 and
/// D8.
struct IdleKeeper {
  /// How many watches the clients of a user may have together.
  static let limit = 1_024

  private let pipeline: RunningPipeline
  private let server: Server

  init(_ pipeline: RunningPipeline, _ server: Server) {
    self.pipeline = pipeline
    self.server = server
  }

  /// Carries out `watch_idle`.
  func watch(_ request: IdleWatches.Request, _ token: RequestToken) {
    if let refusal = refusal(of: request, token.client) {
      return server.answer(token, refusal.code, "watch_idle: \(refusal.text)")
    }
    let now = pipeline.now
    let number = pipeline.update { $0.watchIdle(request, for: token.client, at: now) }
    server.answer(token, doneWith: Int(number), generation: pipeline.generation)
  }

  private func refusal(
    of request: IdleWatches.Request, _ client: ClientID
  ) -> ChangeRefusal? {
    if count(ofUserOf: client) >= Self.limit {
      return ChangeRefusal(
        code: .limit,
        text: "the programs of this user have \(Self.limit) watches, as many as they may have")
    }
    switch request.scope {
    case .seat: return nil
    case .screen(let name):
      return pipeline.layout.screen(name) == nil
        ? ChangeRefusal(code: .invalid, text: pipeline.layout.lackOfScreen(name)) : nil
    case .window(let name):
      guard let responder = pipeline.layout.responder(at: name),
        pipeline.layout.root(ofWindow: responder) != nil
      else {
        return ChangeRefusal(code: .noResponder, text: "there is no window \"\(name)\"")
      }
      if server.isControl(client) { return nil }
      if pipeline.attachments[holderOf: responder]?.client == client { return nil }
      return ChangeRefusal(
        code: .notAllowed,
        text: "this program does not hold window \"\(name)\": it has to attach to it first")
    }
  }

  /// Each finger looks at every watch: how many there are is bounded for a user, not for each of a
  /// user's programs.
  private func count(ofUserOf client: ClientID) -> Int {
    let clients = Set(server.clientsOfSameUser(as: client)).union([client])
    return pipeline.state.idle.count(where: clients.contains)
  }

  /// Carries out `unwatch_idle`.
  func unwatch(_ watch: UInt32, _ token: RequestToken) {
    guard pipeline.update({ $0.unwatchIdle(watch, of: token.client) }) else {
      return server.answer(
        token, .invalid, "unwatch_idle: this program has no watch \(watch)")
    }
    server.answer(token, generation: pipeline.generation)
  }

  /// Carries out `inhibit_idle`.
  func inhibit(_ id: AttachmentID, _ isWanted: Bool, _ token: RequestToken) {
    guard let attachment = pipeline.attachments[id], attachment.client == token.client
    else { return server.refuse(.notAttached(id), token) }
    guard let window = window(of: attachment) else {
      let path = pipeline.layout.path(of: attachment.responder)
      return server.answer(
        token, .invalid,
        "inhibit_idle: \"\(path)\" is no window: who holds a window may inhibit idle for it")
    }
    let now = pipeline.now
    pipeline.update { $0.setInhibitors([id: isWanted ? window : nil], at: now) }
    server.answer(token, generation: pipeline.generation)
  }

  private func window(of attachment: Attachment) -> IdleWatches.InhibitedWindow? {
    guard case .view(let view) = pipeline.layout.kind(of: attachment.responder) else { return nil }
    let window = pipeline.layout.window(of: view)
    guard window.root == view else { return nil }
    return .init(window.name, on: pipeline.layout.screens[Int(window.screen.rawValue)].name)
  }

  /// Ends what was asked for windows that a client no longer holds, and for what is gone. A window
  /// may be on another screen by now.
  func review() {
    let router = pipeline.attachments
    let now = pipeline.now
    var changed: [AttachmentID: IdleWatches.InhibitedWindow?] = [:]
    for id in pipeline.state.idle.inhibiting {
      let window = router[id].flatMap(window(of:))
      if window != pipeline.state.idle.window(inhibitedBy: id) { changed[id] = .some(window) }
    }
    if !changed.isEmpty { pipeline.update { $0.setInhibitors(changed, at: now) } }
    if pipeline.state.idle.isEmpty { return }
    let layout = pipeline.layout
    let screens = Set(layout.screens.map(\.name))
    pipeline.update { pipeline in
      let attachments = pipeline.router.attachments
      pipeline.endIdle { client, scope in
        switch scope {
        case .seat: false
        case .screen(let name): !screens.contains(name)
        case .window(let name):
          layout.responder(at: name).map {
            attachments[holderOf: $0]?.client != client && !server.isControl(client)
          } ?? true
        }
      }
    }
  }

  /// The attachments that inhibit idle, for `status`.
  var inhibitors: [AttachmentStatus] {
    pipeline.state.idle.inhibiting.compactMap { pipeline.attachments[$0] }.map {
      AttachmentStatus($0, path: pipeline.layout.path(of: $0.responder), liveTouches: 0)
    }
  }

  // MARK: - Handover

  /// Takes note in what the next daemon is left of a client of what it watches.
  func note(of client: ClientID, in state: inout Handover.Client) {
    state.watches = pipeline.state.idle.watches(of: client).map {
      Handover.IdleWatch(number: $0.id, request: $0.request, isIdle: $0.isIdle)
    }
    let inhibiting = Set(pipeline.state.idle.inhibiting)
    state.inhibiting = state.attachments.map(\.id).filter(inhibiting.contains)
  }

  /// Goes on where the daemon before has stopped.
  func resume(_ clients: [ClientID: Handover.Client]) {
    let now = pipeline.now
    var inhibited: [AttachmentID: IdleWatches.InhibitedWindow?] = [:]
    for (client, state) in clients.sorted(by: { $0.value.cookie < $1.value.cookie }) {
      for watch in state.watches {
        pipeline.update {
          $0.resumeIdle(watch.number, watch.request, isIdle: watch.isIdle, for: client, at: now)
        }
      }
      for id in state.inhibiting {
        guard let attachment = pipeline.attachments[id], attachment.client == client,
          let window = window(of: attachment)
        else { continue }
        inhibited[id] = .some(window)
      }
    }
    pipeline.update { $0.setInhibitors(inhibited, at: now) }
    review()
  }
}
