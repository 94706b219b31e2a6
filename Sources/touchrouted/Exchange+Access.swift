import Configuration
import Layout
import Logging
import Routing
import Server

/// Who may attach where. Rule F6.
extension Exchange {
  /// Who may do what, as things are.
  var policy: AccessPolicy {
    AccessPolicy(configuration, layout: pipeline.router.layout) { [unowned self] in
      pipeline.router.holder(of: $0)
    }
  }

  /// What the policy has to know of a client; nil where it is gone.
  func program(_ client: ClientID) -> ConnectedProgram? {
    guard let peer = server.credentials(of: client) else { return nil }
    return ConnectedProgram(
      client: client, isControl: server.isControl(client), user: peer.uid,
      groups: [peer.gid] + peer.groups, name: { [unowned self] in server.name(of: client) })
  }

  /// Why a client may not have what it asks for; nil where it may, as far as that is a matter of
  /// who it is.
  func refusalToAttach(_ request: AttachRequest, by client: ClientID) -> String? {
    guard pipeline.router.layout.responder(at: request.path) != nil, let program = program(client)
    else {
      return nil
    }
    return policy.refusal(toAttachTo: request.path, by: program)
      ?? refusalOfTakeOver(request, by: client)
  }

  /// Why a client may not take a responder over; nil where it may, or does not ask for it. Its own
  /// user's programs may, root's, and those of the control socket. Rule R2.
  private func refusalOfTakeOver(_ request: AttachRequest, by client: ClientID) -> String? {
    guard request.takesOver, let responder = pipeline.router.layout.responder(at: request.path),
      let holder = pipeline.router.holder(of: responder)?.client, holder != client,
      !server.isControl(client)
    else { return nil }
    let user = server.credentials(of: client)?.uid
    guard user != 0, user != server.credentials(of: holder)?.uid else { return nil }
    return "\"\(request.path)\" is held by \(server.name(of: holder)): only programs of the same "
      + "user, root's and those on the control socket may take it over"
  }

  /// Ends the attachments that are not allowed any more: by the rules in force, or since their
  /// client holds the window no longer that a secure view lies in.
  func revokeAttachments(where isConcerned: (Attachment) -> Bool = { _ in true }) {
    // The end of one may be that of others: of what its client holds in that window.
    var isOver = false
    while !isOver {
      isOver = true
      for attachment in pipeline.router.allAttachments where isConcerned(attachment) {
        let path = pipeline.router.layout.path(of: attachment.responder)
        guard let program = program(attachment.client),
          let refusal = policy.refusal(toAttachTo: path, by: program)
        else { continue }
        server.log(.notice, about: attachment.client, "detached: \(refusal)")
        pipeline.revoke(attachment, at: now)
        isOver = false
      }
    }
  }

  /// Does what follows from the end of attachments, once it is told: what was set through them is
  /// taken back, and what a client held only because of them ends too.
  func attachmentsEnded(_ ended: [Attachment], of client: ClientID) {
    var ids = ended.map(\.id)
    if let window = ended.lazy.compactMap({ self.pipeline.router.layout.secretWindow($0.responder) }
    ).first {
      let before = pipeline.router.allAttachments.filter { $0.client == client }
      revokeAttachments { attachment in
        attachment.client == client
          && pipeline.router.layout.isResponder(attachment.responder, in: window)
      }
      deliver()
      ids += before.map(\.id).filter { pipeline.router.attachment($0) == nil }
    }
    takeBack(ids, of: client)
  }
}

extension Layout {
  /// The window that a responder is, where there is something secure in it.
  fileprivate func secretWindow(_ responder: ResponderID) -> ViewIndex? {
    guard case .view(let view) = kind(of: responder), self[view].parent == nil else { return nil }
    let isSecret = (view.rawValue..<self[view].end.rawValue).contains {
      self[ViewIndex($0)].isSecure
    }
    return isSecret ? view : nil
  }

  /// Whether it is a view or a controller of that window.
  fileprivate func isResponder(_ responder: ResponderID, in root: ViewIndex) -> Bool {
    view(of: responder).map { window(of: $0).root == root } ?? false
  }
}
