import Configuration
import Layout
import Routing
import Server
import Wire

/// A program's batch of steps, with all that says whether it may make them: its views come, go and
/// change, all of it or nothing. Rules L7 and F6.
struct ViewsJob: Sendable {
  let request: ViewsRequest
  let attachment: Attachment
  /// The view of the attachment.
  let held: ViewIndex
  let program: ConnectedProgram
  let policy: AccessPolicy
  /// The programs of the same user.
  let clientsOfUser: [ClientID]
  /// What the program is called where it sets something by a rule's right.
  let number: UInt32
  /// Nil where nothing is near the limit.
  let budget: UserBudget?
  /// By which rights what is there was set.
  let setters: Setters
  /// What those may who have set it, the job's program among them.
  let rights: SetterRights

  private var configuration: Configuration { policy.configuration }

  /// Changes the views.
  func make(on editor: inout LayoutEditor?) -> LayoutOutcome {
    var refusal: ChangeRefusal?
    do throws(ViewBatch.Refusal) { try change(&editor) } catch {
      refusal = request.refusal(error)
    }
    let uncovered = editor?.uncoverSecureViews(for: rights.mayHave) ?? []
    return LayoutOutcome(
      answers: [refusal],
      dropped: DroppedPaths(uncovered: uncovered, in: editor?.layout ?? configuration.layout))
  }

  private func change(_ editor: inout LayoutEditor?) throws(ViewBatch.Refusal) {
    let batch = try ViewBatch(
      request, through: attachment, in: held,
      ViewBatch.Terms(
        layout: policy.layout, policy: policy, program: program, number: number,
        adders: removes ? adders(of: editor?.added ?? []) : [:],
        depth: configuration.limits.depthPerClient))
    if let text = excess(ofAdding: batch) { throw ViewBatch.Refusal(code: .limit, text: text) }
    let setter = LayoutSetter.attachment(attachment.id.rawValue)
    let cause = LayoutEditor.edit(&editor, or: LayoutEditor(configuration)) {
      editor -> ViewBatch.Cause? in
      // Kept where it may have to be taken back: it is large.
      let before = budget != nil || batch.addedCount > 0 || batch.lookupCost > 0 ? editor : nil
      if let refusal = editor.apply(
        batch.edits, by: setter, sparing: rights.mayHave, within: batch.areas)
      {
        return .layout(refusal)
      }
      guard let before,
        let text = excess(of: batch, in: editor) ?? excess(ofKeeping: editor, before)
      else { return nil }
      editor = before
      return .limit(text)
    }
    if let cause { throw batch.refusal(cause) }
  }

  private var removes: Bool {
    request.steps.contains { if case .remove = $0 { true } else { false } }
  }

  private func adders(of views: [AddedView]) -> [String: AttachmentID] {
    var adders: [String: AttachmentID] = [:]
    for view in views { adders[view.view.path] = view.attachment }
    return adders
  }

  // MARK: - Limits

  /// Why so many views can't be, whoever adds them; nil where they may, as far as is known before
  /// they are looked at. Rule F5.
  private func excess(ofAdding batch: ViewBatch) -> String? {
    let limits = configuration.limits
    if batch.addedCount > limits.viewsPerClient {
      return Self.text(limits.viewsPerClient, "views added by one client", "views_per_client")
    }
    guard !batch.removes, policy.layout.viewCount + batch.addedCount > limits.layout.views else {
      return nil
    }
    return Self.text(limits.layout.views, "views", "views")
  }

  /// Why a batch that was made may not be. Rule F5.
  private func excess(of batch: ViewBatch, in editor: LayoutEditor) -> String? {
    if batch.addedCount > 0, let text = excess(of: editor.addedCounts) { return text }
    guard batch.lookupCost > 0, !clientsOfUser.isEmpty else { return nil }
    let limit = configuration.limits.lookupCostPerUser
    return setters.lookupBudget(limit, of: clientsOfUser).excess(in: editor)
  }

  /// Why the client and its user may not have the views that they would. Rule F5.
  private func excess(of counts: [LayoutSetter: Int]) -> String? {
    let limits = configuration.limits
    func count(_ isMeant: (ClientID) -> Bool) -> Int {
      counts.reduce(0) { sum, entry in
        let holder = entry.key.attachment.flatMap { policy.attachments[$0]?.client }
        return sum + (holder.map(isMeant) ?? false ? entry.value : 0)
      }
    }
    if count({ $0 == program.client }) > limits.viewsPerClient {
      return Self.text(limits.viewsPerClient, "views added by one client", "views_per_client")
    }
    let clients = Set(clientsOfUser)
    guard count(clients.contains) > limits.viewsPerUser else { return nil }
    return Self.text(limits.viewsPerUser, "views added by one user's programs", "views_per_user")
  }

  /// Why the user may not have so much kept. Rule F5.
  private func excess(ofKeeping editor: LayoutEditor, _ before: LayoutEditor) -> String? {
    guard let budget else { return nil }
    let bytes = budget.bytes(in: editor)
    return bytes > budget.bytes(in: before) ? budget.refusal(of: bytes) : nil
  }

  private static func text(_ limit: Int, _ what: String, _ key: String) -> String {
    "\(limit) \(what) are the limit (limits.\(key))"
  }
}

extension ViewsRequest {
  /// Why it is refused, in words for its client.
  func refusal(_ refusal: ViewBatch.Refusal) -> ChangeRefusal {
    let title = refusal.step.map(title) ?? ""
    return ChangeRefusal(code: refusal.code, text: "change_views: " + title + refusal.text)
  }

  private func title(_ number: Int) -> String {
    let (verb, path) =
      switch steps[number] {
      case .add(let path, _, _): ("add", path)
      case .remove(let path): ("remove", path)
      case .change(let path, _): ("change", path)
      }
    return "step \(number + 1), \(verb) of \"\(path)\": "
  }
}

extension AddedView {
  /// Through which attachment it was added.
  var attachment: AttachmentID? { setter.attachment }
}

extension LayoutSetter {
  /// The attachment that it is; nil of a right that lasts.
  var attachment: AttachmentID? {
    if case .attachment(let number) = self { AttachmentID(number) } else { nil }
  }
}
