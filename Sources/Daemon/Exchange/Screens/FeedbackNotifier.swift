import Layout
import Routing
import Server
import TouchModel

/// Tells the clients that listen to a screen's feedback what is hit there. Rules D10 and D11.
final class FeedbackNotifier {
  private let server: Server
  /// The clients that have asked to listen, by the screens' names.
  private var asked: [String: Set<ClientID>] = [:]
  /// Those of them that may.
  private var listeners: [String: Set<ClientID>] = [:]

  init(_ server: Server) { self.server = server }

  /// Whether a client listens to a screen.
  var hasListeners: Bool { !listeners.isEmpty }

  /// Has a client, which may, listen to the screen of a name.
  func add(_ client: ClientID, to screen: String) {
    asked[screen, default: []].insert(client)
    listeners[screen, default: []].insert(client)
  }

  /// Ends what fulfils the condition.
  func removeAll(where isOver: (_ screen: String, _ client: ClientID) -> Bool) {
    asked = Self.filtered(asked) { !isOver($0, $1) }
    listeners = Self.filtered(listeners) { !isOver($0, $1) }
  }

  /// Has those listen, of all that have asked, that fulfil the condition.
  func review(_ mayListen: (_ screen: String, _ client: ClientID) -> Bool) {
    listeners = Self.filtered(asked, mayListen)
  }

  private static func filtered(
    _ clients: [String: Set<ClientID>], _ isIncluded: (String, ClientID) -> Bool
  ) -> [String: Set<ClientID>] {
    var left: [String: Set<ClientID>] = [:]
    for (screen, clients) in clients {
      let some = clients.filter { isIncluded(screen, $0) }
      if !some.isEmpty { left[screen] = some }
    }
    return left
  }

  /// The names of the screens that a client has asked to listen to.
  func screens(of client: ClientID) -> [String] {
    asked.filter { $0.value.contains(client) }.map(\.key).sorted()
  }

  /// Tells of feedback, on a screen of that layout, those who listen and read.
  func tell(_ feedback: Feedback, in layout: Layout) {
    for client in listeners[layout.name(of: feedback.screen)] ?? []
    where !server.isUnresponsive(client) {
      server.send(feedback, to: client)
    }
  }
}
