import Layout
import Routing
import Server
import Wire

/// Adds views for programs, changes them and takes them away, as far as they have the right. Rule
/// L7. The views themselves are with what is set of the layout: ``LayoutChanges``.
struct ViewKeeper {
  let core: Core
  let layoutChanges: LayoutChanges

  /// Carries out `change_views`; it is answered when that is done.
  func change(_ request: ViewsRequest, _ token: RequestToken) {
    do throws(ViewBatch.Refusal) {
      let job = try job(request, by: token.client)
      layoutChanges.carryOut(job) { refusal in
        if let refusal { return refuse(refusal, request, token) }
        core.server.answer(token, generation: core.generation)
      }
    } catch { refuse(error, request, token) }
  }

  private func refuse(
    _ refusal: ViewBatch.Refusal, _ request: ViewsRequest, _ token: RequestToken
  ) {
    let title = refusal.step.map { Self.title($0, request) } ?? ""
    core.server.answer(token, refusal.code, "change_views: " + title + refusal.text)
  }

  private func job(
    _ request: ViewsRequest, by client: ClientID
  ) throws(ViewBatch.Refusal) -> ViewsJob {
    guard let attachment = core.pipeline.router.attachments[request.attachment],
      attachment.client == client, let program = core.program(client)
    else {
      throw ViewBatch.Refusal(
        code: .notAttached,
        text: "there is no attachment \(request.attachment.rawValue) of this client")
    }
    guard let held = core.layout.view(of: attachment.responder) else {
      throw ViewBatch.Refusal(
        code: .notAllowed,
        text: "this attachment holds an application, and views lie in a view or a window")
    }
    return ViewsJob(
      request: request, attachment: attachment, held: held, program: program,
      policy: core.policy, layout: core.layout, configuration: core.configuration,
      attachments: core.pipeline.router.attachments,
      clientsOfUser: core.server.clientsOfSameUser(as: client))
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
