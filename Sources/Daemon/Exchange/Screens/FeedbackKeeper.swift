import Configuration
import Layout
import Routing
import Server
import TouchModel
import Wire

/// Has clients listen to feedback that may do so. Rule D11.
final class FeedbackKeeper {
  private let pipeline: RunningPipeline
  private let server: Server
  private let rights: ClientRights
  private let notifier: FeedbackNotifier

  init(
    _ pipeline: RunningPipeline, _ server: Server, _ rights: ClientRights,
    _ notifier: FeedbackNotifier
  ) {
    self.pipeline = pipeline
    self.server = server
    self.rights = rights
    self.notifier = notifier
  }

  /// Carries out `watch_feedback`.
  func watch(_ screen: String, _ isWanted: Bool, _ token: RequestToken) {
    if isWanted, let refusal = refusal(of: screen, token.client) {
      return server.answer(token, refusal.code, "watch_feedback: \(refusal.text)")
    }
    if isWanted {
      notifier.add(token.client, to: screen)
    } else {
      notifier.removeAll { $0 == screen && $1 == token.client }
    }
    follow()
    server.answer(token, generation: pipeline.generation)
  }

  private func refusal(of screen: String, _ client: ClientID) -> ChangeRefusal? {
    guard pipeline.layout.screen(screen) != nil else {
      return ChangeRefusal(code: .invalid, text: pipeline.layout.lackOfScreen(screen))
    }
    if rights.mayHearFeedback(of: screen, client) { return nil }
    return ChangeRefusal(
      code: .notAllowed,
      text: "what is hit on screen \"\(screen)\" is for root and for users that an [[access]] rule "
        + "with path = \"feedback:\(screen)\" names; this is \(server.name(of: client))")
  }

  /// A client is gone.
  func wentAway(_ client: ClientID) {
    notifier.removeAll { $1 == client }
    follow()
  }

  /// Looks anew at who may listen to what: rights and screens come and go by reloads.
  func review() {
    notifier.review { screen, client in
      pipeline.layout.screen(screen) != nil && rights.mayHearFeedback(of: screen, client)
    }
    follow()
  }

  /// Has the pipeline give feedback where a client listens, and only there.
  private func follow() {
    let isWanted = notifier.hasListeners
    if pipeline.state.wantsFeedback != isWanted {
      pipeline.update { $0.wantsFeedback = isWanted }
    }
  }

  // MARK: - Handover

  /// The screens that a client has asked to listen to, for the next daemon.
  func screens(of client: ClientID) -> [String] { notifier.screens(of: client) }

  /// Goes on where the daemon before has stopped. Who may listen is decided by ``review()``.
  func resume(_ clients: [ClientID: Handover.Client]) {
    for (client, state) in clients {
      for screen in state.feedbackScreens { notifier.add(client, to: screen) }
    }
    review()
  }
}
