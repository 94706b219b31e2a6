import Configuration
import Routing
import Server

/// The configuration in force, and what clients may do by it. Rules F6, F8 and D2.
final class ClientRights {
  /// The configuration in force.
  private(set) var configuration: Configuration
  private let server: Server

  init(_ configuration: Configuration, of server: Server) {
    self.configuration = configuration
    self.server = server
  }

  /// Takes another configuration: limits and rules change, and users' names are looked up again.
  func put(_ new: Configuration) {
    configuration = new
    server.limits = ServerLimits(new)
    server.lookAgainForUsers()
  }

  /// What the policy has to know of a client; nil where it is gone.
  func program(_ client: ClientID) -> ConnectedProgram? {
    guard let peer = server.credentials(of: client) else { return nil }
    return ConnectedProgram(
      client: client, isControl: server.isControl(client), user: peer.uid,
      groups: [peer.gid] + peer.groups, name: server.name(of: client))
  }

  /// Who may do what, by the configuration, the layout and the attachments as they are.
  func policy(in pipeline: RunningPipeline) -> AccessPolicy {
    AccessPolicy(configuration, layout: pipeline.layout, pipeline.attachments)
  }

  /// What the configuration says of clients and the path of a view. The pipeline asks this while it
  /// routes touches. Rule F8.
  func claims(to path: String) -> (ClientID) -> SecureReaders.Claim {
    let rule = configuration.accessRule(for: path)
    return { [self] in claim(of: $0, by: rule) }
  }

  private func claim(of client: ClientID, by rule: AccessRule?) -> SecureReaders.Claim {
    guard let peer = server.credentials(of: client) else { return .excluded }
    if server.isControl(client) { return .named }
    if let rule {
      return rule.allows(user: peer.uid, groups: [peer.gid] + peer.groups) ? .named : .excluded
    }
    return peer.uid == 0 ? .named : .unruled
  }

  /// Whether a client may turn a screen dark, and lock it. Rules D2 and D9.
  func mayDarken(_ screen: String, _ client: ClientID) -> Bool {
    guard let program = program(client) else { return false }
    return program.isControl
      || configuration.mayDarken(screen, user: program.user, groups: program.groups)
  }

  /// Whether a client may hear what is hit on a screen. Rule D11.
  func mayHearFeedback(of screen: String, _ client: ClientID) -> Bool {
    guard let program = program(client) else { return false }
    return program.isControl
      || configuration.mayHearFeedback(of: screen, user: program.user, groups: program.groups)
  }

  /// That a client has no right to a screen, and what would give it.
  func lackOfRight(toDarken screen: String, _ client: ClientID) -> String {
    "screen \"\(screen)\" is for root and for users that an [[access]] rule with "
      + "path = \"screen:\(screen)\" names; this is \(server.name(of: client))"
  }
}

extension Server {
  /// Answers that a request was not carried out, and why.
  func refuse(_ error: RoutingError, _ token: RequestToken) {
    answer(token, error.code, error.description { name(of: $0) })
  }
}
