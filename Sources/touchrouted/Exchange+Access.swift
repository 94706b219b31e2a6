import Configuration
import Layout
import Logging
import Routing
import Server

/// Who may attach where. Rule F6.
extension Exchange {
  /// Why a client may not have what it asks for; nil where it may, as far as that is a matter of
  /// who it is.
  func refusalToAttach(_ request: AttachRequest, by client: ClientID) -> String? {
    guard router.layout.responder(at: request.path) != nil else { return nil }
    return refusal(of: request.path, to: client) ?? refusalOfTakeOver(request, by: client)
  }

  /// Why a client may not hold the responder of a path; nil where it may. On the control socket
  /// everybody may: that socket is guarded by itself.
  func refusal(of path: String, to client: ClientID) -> String? {
    guard let rule = configuration.accessRule(for: path), !server.isControl(client),
      let peer = server.credentials(of: client),
      !rule.allows(user: peer.uid, groups: [peer.gid] + peer.groups)
    else { return nil }
    return "\"\(path)\" is for \(rule.grantees), by the rule at \(rule.place); this is "
      + server.name(of: client)
  }

  /// Why a client may not take a responder over; nil where it may, or does not ask for it. Its own
  /// user's programs may, root's, and those of the control socket. Rule R2.
  private func refusalOfTakeOver(_ request: AttachRequest, by client: ClientID) -> String? {
    guard request.takesOver, let responder = router.layout.responder(at: request.path),
      let holder = router.holder(of: responder)?.client, holder != client,
      !server.isControl(client)
    else { return nil }
    let user = server.credentials(of: client)?.uid
    guard user != 0, user != server.credentials(of: holder)?.uid else { return nil }
    return "\"\(request.path)\" is held by \(server.name(of: holder)): only programs of the same "
      + "user, root's and those on the control socket may take it over"
  }

  /// Ends the attachments that the rules in force do not allow, whoever was allowed them before.
  func revokeAttachments() {
    for attachment in router.allAttachments {
      let path = router.layout.path(of: attachment.responder)
      guard let refusal = refusal(of: path, to: attachment.client) else { continue }
      logger.notice("detached: \(refusal)")
      router.revoke(attachment, at: now, into: &deliveries)
    }
  }
}
