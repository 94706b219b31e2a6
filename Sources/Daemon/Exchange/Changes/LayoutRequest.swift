import Layout
import Routing
import Server
import TouchModel

/// What changes the layout or its recognizers, or has to come behind such changes. Rule F1.
enum LayoutRequest {
  /// Clients set properties: what each asks for is done whole or not at all. Rule L6.
  case set([(token: RequestToken, changes: [ViewChange])])
  /// A client adds, changes or removes views or recognizers. Rules L7 and G1.
  indirect case change(RequestToken, Request)
  /// Another configuration takes the place of the one in force.
  indirect case reload(PreparedConfiguration)
  /// A configuration is in force with all that follows from it.
  indirect case reloaded(PreparedConfiguration)
  /// Rights have ended, and with them what was set by them. Rule L6.
  case end(Setters.Rights)
  /// Rights may have ended: all that is set is looked at.
  case review
  /// Clients wait for responders that may be free. Rule R2.
  case serveQueue(AttachmentKeeper.Served)
  /// A client has detached, and is answered.
  case detached(RequestToken)

  /// The requests of clients that it is.
  var tokens: [RequestToken] {
    switch self {
    case .set(let batches): batches.map(\.token)
    case .change(let token, _): [token]
    case .reload, .reloaded, .end, .review, .serveQueue, .detached: []
    }
  }

  /// Whether it is a step of a transaction.
  var isStep: Bool {
    switch self {
    case .set, .change: true
    case .reload, .reloaded, .end, .review, .serveQueue, .detached: false
    }
  }

  /// Whether it is about rights that have ended.
  var isEnd: Bool { if case .end = self { true } else { false } }

  /// Whether it takes back what was set, as far as it finds something.
  var takesBack: Bool {
    switch self {
    case .end, .review: true
    case .set, .change, .reload, .reloaded, .serveQueue, .detached: false
    }
  }
}
