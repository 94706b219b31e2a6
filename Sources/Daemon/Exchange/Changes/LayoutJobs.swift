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
    let policy = rights.policy(in: pipeline)
    var programs: [ClientID: ConnectedProgram] = [:]
    for (token, _) in batches where programs[token.client] == nil {
      programs[token.client] = rights.program(token.client)
    }
    return .set(
      SetJob(
        batches: batches.map { token, changes in
          SetJob.Batch(
            changes: changes, program: programs[token.client],
            clientsOfUser: server.clientsOfSameUser(as: token.client),
            refusal: refusal(ofRecognizersIn: changes, of: token.client),
            budget: budgets.budget(of: token.client))
        }, policy: policy, setters: transactions.setters,
        rights: setterRights(by: policy, and: programs)))
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
    let policy = rights.policy(in: pipeline)
    return .views(
      ViewsJob(
        request: request, attachment: attachment, held: held, program: program, policy: policy,
        clientsOfUser: server.clientsOfSameUser(as: client), number: number,
        budget: budgets.budget(of: client), setters: transactions.setters,
        rights: setterRights(by: policy, and: [client: program])))
  }

  /// To take back what was set by rights that have ended; nil where that is nothing.
  func end(_ ends: Setters.Rights) -> LayoutJob? {
    // Who held the window of a secure view may have no more of it.
    if ends.isEmpty, pipeline.layout.hasNoSecureView { return nil }
    return .end(
      EndJob(
        ended: .ends(ends), rights: setterRights(by: rights.policy(in: pipeline)),
        configuration: rights.configuration))
  }

  /// To take back what was set by rights that are no more.
  func review() -> LayoutJob {
    let attachments = pipeline.attachments
    transactions.forgetSetters { attachments[$0] == nil }
    let present = setterRights(by: rights.policy(in: pipeline))
    return .end(
      EndJob(ended: .besides(present), rights: present, configuration: rights.configuration))
  }

  /// To go over to another configuration.
  func move(to new: PreparedConfiguration) -> LayoutJob {
    let policy = AccessPolicy(
      new.configuration, layout: pipeline.layout, pipeline.attachments)
    return .move(MoveJob(new: new, rights: setterRights(by: policy)))
  }

  /// What those may who have set something, and those who are about to, by a policy.
  private func setterRights(
    by policy: AccessPolicy, and known: [ClientID: ConnectedProgram] = [:]
  ) -> SetterRights {
    let setters = transactions.setters
    return SetterRights(
      policy: policy, setters: setters,
      programs: setters.programs(beside: known, rights.program))
  }
}
