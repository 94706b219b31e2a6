import Layout
import Routing
import Server
import TouchModel

/// Tells the clients that listen to a screen's feedback what is hit there. Rules D10 and D11.
final class FeedbackNotifier {
  private let server: Server
  /// The clients that listen, by the screens' names.
  private var listeners: [String: Set<ClientID>] = [:]

  init(_ server: Server) { self.server = server }

  /// Whether a client listens to a screen.
  var hasListeners: Bool { !listeners.isEmpty }

  /// Has a client listen to the screen of a name.
  func add(_ client: ClientID, to screen: String) {
    listeners[screen, default: []].insert(client)
  }

  /// Ends what fulfils the condition.
  func removeAll(where isOver: (_ screen: String, _ client: ClientID) -> Bool) {
    for (screen, clients) in listeners {
      let left = clients.filter { !isOver(screen, $0) }
      listeners[screen] = left.isEmpty ? nil : left
    }
  }

  /// The names of the screens that a client listens to.
  func screens(of client: ClientID) -> [String] {
    listeners.filter { $0.value.contains(client) }.map(\.key).sorted()
  }

  /// Tells of feedback, on a screen of that layout, those who listen and read.
  func tell(_ feedback: Feedback, in layout: Layout) {
    for client in listeners[layout.name(of: feedback.screen)] ?? []
    where !server.isUnresponsive(client) {
      server.send(feedback, to: client)
    }
  }
}
