import Routing
import Server
import Wire

/// Who asks, and what it may have. Rule F6.
extension Core {
  /// Who may do what, by the configuration, the layout and the attachments as they are.
  var policy: AccessPolicy {
    AccessPolicy(configuration, layout: layout, pipeline.router.attachments)
  }

  /// What the policy has to know of a client; nil where it is gone.
  func program(_ client: ClientID) -> ConnectedProgram? {
    guard let peer = server.credentials(of: client) else { return nil }
    return ConnectedProgram(
      client: client, isControl: server.isControl(client), user: peer.uid,
      groups: [peer.gid] + peer.groups, name: server.name(of: client))
  }

  /// Answers that a request was not carried out, and why.
  func refuse(_ error: RoutingError, _ token: RequestToken) {
    server.answer(token, error.code, error.description { server.name(of: $0) })
  }
}
