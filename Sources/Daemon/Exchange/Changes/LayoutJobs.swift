import Configuration
import Layout
import Routing
import Server
import TouchModel
import Wire

/// Gathers what a change of the layout takes: who asks, what that client may, and what is in force.
/// Rules L6, L7, F5 and F6.
struct LayoutJobs {
  let pipeline: RunningPipeline
  let server: Server
  let rights: ClientRights
  let transactions: LayoutTransactions
  let gestures: GestureKeeper
  let budgets: UserBudgets

  /// To set what clients ask for.
  func set(_ batches: [(token: RequestToken, changes: [ViewChange])]) -> LayoutJob {
    .set(
      SetJob(
        batches: batches.map { token, changes in
          SetJob.Batch(
            changes: changes, program: rights.program(token.client),
            clientsOfUser: server.clientsOfSameUser(as: token.client),
            refusal: refusal(ofRecognizersIn: changes, of: token.client),
            budget: budgets.budget(of: token.client))
        }, policy: rights.policy(in: pipeline), setters: transactions.setters,
        rights: setterRights(and: batches.map(\.token.client)), configuration: rights.configuration)
    )
  }

  /// Why changes can't be made since a recognizer can't be changed so.
  private func refusal(
    ofRecognizersIn changes: [ViewChange], of client: ClientID
  ) -> ChangeRefusal? {
    let count = changes.count { $0.recognizerOwner != nil }
    if count > 0,
      let text = budgets.refusal(
        ofKeeping: count * UserBudget.Cost.ofGestureSetting, for: client)
    {
      return ChangeRefusal(code: .limit, text: "set: " + text)
    }
    for (index, change) in changes.enumerated() {
      guard let refusal = gestures.refusal(of: change) else { continue }
      return ChangeRefusal(
        code: refusal.code, text: SetJob.title(index, changes) + refusal.text)
    }
    return nil
  }

  /// To change a client's views as it asks.
  func views(
    _ request: ViewsRequest, by client: ClientID
  ) throws(ViewBatch.Refusal) -> LayoutJob {
    guard let attachment = pipeline.attachments[request.attachment],
      attachment.client == client, let program = rights.program(client)
    else {
      throw ViewBatch.Refusal(
        code: .notAttached,
        text: "there is no attachment \(request.attachment.rawValue) of this client")
    }
    guard let held = pipeline.layout.view(of: attachment.responder) else {
      throw ViewBatch.Refusal(
        code: .notAllowed,
        text: "this attachment holds an application, and views lie in a view or a window")
    }
    let number = transactions.note(attachment.id, of: client)
    return .views(
      ViewsJob(
        request: request, attachment: attachment, held: held, program: program,
        policy: rights.policy(in: pipeline), layout: pipeline.layout,
        configuration: rights.configuration,
        attachments: pipeline.attachments,
        clientsOfUser: server.clientsOfSameUser(as: client), number: number,
        budget: budgets.budget(of: client), setters: transactions.setters,
        rights: setterRights(and: [client])))
  }

  /// To take back what was set by rights that have ended; nil where that is nothing.
  func end(_ ends: Setters.Rights) -> LayoutJob? {
    // Who held the window of a secure view may have no more of it.
    if ends.isEmpty, pipeline.layout.hasNoSecureView { return nil }
    return .end(
      EndJob(ended: .ends(ends), rights: setterRights(), configuration: rights.configuration))
  }

  /// To take back what was set by rights that are no more.
  func review() -> LayoutJob {
    let attachments = pipeline.attachments
    transactions.forgetSetters { attachments[$0] == nil }
    let present = setterRights()
    return .end(
      EndJob(ended: .besides(present), rights: present, configuration: rights.configuration))
  }

  /// To go over to another configuration.
  func move(to new: PreparedConfiguration) -> LayoutJob {
    let policy = AccessPolicy(
      new.configuration, layout: pipeline.layout, pipeline.attachments)
    return .move(MoveJob(new: new, rights: setterRights(by: policy)))
  }

  /// What those may who have set something, and some others, by a policy.
  private func setterRights(
    and others: [ClientID] = [], by policy: AccessPolicy? = nil
  ) -> SetterRights {
    let setters = transactions.setters
    var programs: [ClientID: ConnectedProgram] = [:]
    for client in setters.clients.union(others) { programs[client] = rights.program(client) }
    return SetterRights(
      policy: policy ?? rights.policy(in: pipeline), setters: setters,
      attachments: pipeline.attachments, programs: programs)
  }
}
