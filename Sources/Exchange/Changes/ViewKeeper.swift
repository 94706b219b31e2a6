import Configuration
import Layout
import Routing
import Server
import Wire

/// Adds views for programs, changes them and takes them away, as far as they have the right. Rule
/// L7. The views themselves are with what is set of the layout: ``LayoutChanges``.
struct ViewKeeper {
  let core: Core
  let layoutChanges: LayoutChanges

  /// Carries out `change_views`.
  func change(_ request: ViewsRequest, _ token: RequestToken) {
    do throws(ViewBatch.Refusal) {
      try carryOut(request, by: token.client)
      core.server.answer(token, generation: core.generation)
    } catch {
      let title = error.step.map { Self.title($0, request) } ?? ""
      core.server.answer(token, error.code, "change_views: " + title + error.text)
    }
  }

  private func carryOut(
    _ request: ViewsRequest, by client: ClientID
  ) throws(ViewBatch.Refusal) {
    guard let attachment = core.pipeline.router.attachments[request.attachment],
      attachment.client == client, let program = core.program(client)
    else {
      throw ViewBatch.Refusal(
        code: .notAttached,
        text: "there is no attachment \(request.attachment.rawValue) of this client")
    }
    let layout = core.layout
    guard let held = layout.view(of: attachment.responder) else {
      throw ViewBatch.Refusal(
        code: .notAllowed,
        text: "this attachment holds an application, and views lie in a view or a window")
    }
    let batch = try ViewBatch(
      request, through: attachment, in: held,
      ViewBatch.Terms(
        layout: layout, policy: core.policy, program: program,
        adders: removes(request) ? Self.adders(of: layoutChanges.addedViews) : [:],
        depth: core.configuration.limits.depthPerClient))
    if let text = excess(ofAdding: batch, to: layout) {
      throw ViewBatch.Refusal(code: .limit, text: text)
    }
    let cause = layoutChanges.apply(batch.edits, through: attachment) { added in
      batch.addedCount > 0 ? excess(of: client, added) : nil
    }
    if let cause { throw batch.refusal(cause) }
  }

  private func removes(_ request: ViewsRequest) -> Bool {
    request.steps.contains { if case .remove = $0 { true } else { false } }
  }

  private static func adders(of views: [AddedView]) -> [String: AttachmentID] {
    var adders: [String: AttachmentID] = [:]
    for view in views { adders[view.view.path] = view.attachment }
    return adders
  }

  // MARK: - Limits

  /// Why so many views can't be, whoever adds them; nil where they may, as far as is known before
  /// they are looked at. Rule F5.
  private func excess(ofAdding batch: ViewBatch, to layout: Layout) -> String? {
    let limits = core.configuration.limits
    if batch.addedCount > limits.viewsPerClient {
      return Self.text(limits.viewsPerClient, "views added by one client", "views_per_client")
    }
    guard !batch.removes, layout.viewCount + batch.addedCount > limits.layout.views else {
      return nil
    }
    return Self.text(limits.layout.views, "views", "views")
  }

  /// Why a client and its user may not have the views that they would. Rule F5.
  private func excess(of client: ClientID, _ added: [AddedView]) -> String? {
    let limits = core.configuration.limits
    var counts: [AttachmentID: Int] = [:]
    for view in added {
      if let attachment = view.attachment { counts[attachment, default: 0] += 1 }
    }
    func count(_ isMeant: (ClientID) -> Bool) -> Int {
      counts.reduce(0) { sum, entry in
        let holder = core.pipeline.router.attachments[entry.key]?.client
        return sum + (holder.map(isMeant) ?? false ? entry.value : 0)
      }
    }
    if count({ $0 == client }) > limits.viewsPerClient {
      return Self.text(limits.viewsPerClient, "views added by one client", "views_per_client")
    }
    let clients = Set(core.server.clientsOfSameUser(as: client))
    guard count(clients.contains) > limits.viewsPerUser else { return nil }
    return Self.text(limits.viewsPerUser, "views added by one user's programs", "views_per_user")
  }

  private static func text(_ limit: Int, _ what: String, _ key: String) -> String {
    "\(limit) \(what) are the limit (limits.\(key))"
  }

  // MARK: - Words

  private static func title(_ number: Int, _ request: ViewsRequest) -> String {
    let (verb, path) =
      switch request.steps[number] {
      case .add(let path, _, _): ("add", path)
      case .remove(let path): ("remove", path)
      case .change(let path, _): ("change", path)
      }
    return "step \(number + 1), \(verb) of \"\(path)\": "
  }
}

extension AddedView {
  /// Through which attachment it was added.
  var attachment: AttachmentID? {
    if case .passing(let number) = setter { AttachmentID(number) } else { nil }
  }
}
