import Configuration
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

  /// What the configuration says of a client and the path of a view. It is asked while touches are
  /// routed, so it does not ask the pipeline. Rule F8.
  func claim(of client: ClientID, to path: String) -> SecureReaders.Claim {
    guard let peer = server.credentials(of: client) else { return .excluded }
    if server.isControl(client) { return .named }
    if let rule = configuration.accessRule(for: path) {
      return rule.allows(user: peer.uid, groups: [peer.gid] + peer.groups) ? .named : .excluded
    }
    return peer.uid == 0 ? .named : .unruled
  }

  /// Answers that a request was not carried out, and why.
  func refuse(_ error: RoutingError, _ token: RequestToken) {
    server.answer(token, error.code, error.description { server.name(of: $0) })
  }
}
