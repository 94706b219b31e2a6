import Wire
import Configuration
import Layout
import Routing
import Server
import TouchModel

extension Exchange {
  /// What a client may ask for, and who does it.
  func carryOut(_ request: Request, _ token: RequestToken) {
    switch request {
    case .attach(let attach): self.attach(attach, token)
    case .detach(let attachment): detach(attachment, token)
    case .accept(let touch, let attachment):
      pipeline.accept(touch, through: attachment, by: token.client)
    case .decline(let touch, let attachment): decline(touch, attachment, token.client)
    case .describe(let path, let first, let count): describe(path, first, count, token)
    case .ping: break
    case .status: answerStatus(token)
    case .observe(let isWanted): observe(isWanted, token)
    case .reload: answerReload(token)
    case .inject(let contacts, let screen): inject(contacts, screen, token)
    case .cancel(let touch): cancel(touch, token)
    }
  }

  /// Rule R2.
  private func attach(_ request: AttachRequest, _ token: RequestToken) {
    if let refusal = refusalToAttach(request, by: token.client) {
      return server.answer(token, .notAllowed, refusal)
    }
    if let error = excess(by: token.client) { return refuse(error, token) }
    let holder = pipeline.router.layout.responder(at: request.path).flatMap {
      pipeline.router.holder(of: $0)
    }
    do throws(RoutingError) {
      let attachment = try pipeline.attach(request, by: token.client, at: now)
      deliver()
      noteAttached(attachment)
      server.answer(
        token, attached: attachment, in: pipeline.router.layout,
        generation: pipeline.router.generation)
      if let holder { attachmentsEnded([holder], of: holder.client) }
    } catch { refuse(error, token) }
  }

  /// Why a client may attach to nothing more because of what its user's programs hold already.
  private func excess(by client: ClientID) -> RoutingError? {
    let limit = configuration.limits.attachmentsPerUser
    guard pipeline.router.attachmentCount >= limit else { return nil }
    let held = server.clientsOfSameUser(as: client).reduce(0) {
      $0 + pipeline.router.attachmentCount(of: $1)
    }
    guard held >= limit else { return nil }
    return .limit(
      limit, of: "attachments of one user's programs", key: "limits.attachments_per_user")
  }

  private func detach(_ id: AttachmentID, _ token: RequestToken) {
    let attachment = pipeline.router.attachment(id)
    do throws(RoutingError) {
      try pipeline.detach(id, by: token.client, at: now)
      deliver()
      notices.ended(id, of: token.client)
      if let attachment { attachmentsEnded([attachment], of: token.client) }
      server.answer(token, doneWith: 0, generation: pipeline.router.generation)
    } catch { refuse(error, token) }
  }

  /// Rule R5.
  private func decline(_ touch: TouchID, _ attachment: AttachmentID, _ client: ClientID) {
    pipeline.decline(touch, through: attachment, by: client, at: now)
    deliver()
  }

  /// Rule R7.
  func wentAway(_ client: ClientID) {
    pipeline.gone(client)
    deliver()
    notices.wentAway(client)
    removeInjectedDevice(of: client)
    pipeline.isObserved = server.hasObservers
    takeBack(of: client)
  }

  private func describe(_ path: String, _ first: Int, _ count: Int, _ token: RequestToken) {
    let layout = pipeline.router.layout
    let responder = layout.responder(at: path)
    guard responder != nil || path.isEmpty else {
      return refuse(.noResponder(path: path, nearest: layout.nearestPath(to: path)), token)
    }
    server.answer(
      token, viewsOf: responder, first: first, count: count, in: layout,
      generation: pipeline.router.generation
    ) { pipeline.router.holder(of: $0)?.client }
  }

  private func observe(_ isWanted: Bool, _ token: RequestToken) {
    server.setObserver(token.client, isWanted)
    pipeline.isObserved = server.hasObservers
    server.answer(token, generation: pipeline.router.generation)
  }

  private func answerReload(_ token: RequestToken) {
    switch reload() {
    case .applied(let changes):
      server.answer(token, generation: pipeline.router.generation, text: changes)
    case .refused(let problems): server.answer(token, .invalid, problems)
    }
  }

  private func refuse(_ error: RoutingError, _ token: RequestToken) {
    server.answer(token, error.code, error.description { server.name(of: $0) })
  }
}
