import Routing
import Server

extension Server.Event {
  /// Whether it asks for a change of the layout, which a thread may make.
  var isChange: Bool {
    switch self {
    case .changes, .request(_, .changeViews): true
    default: false
    }
  }

  /// Those who have asked for it.
  var clients: [ClientID] {
    switch self {
    case .changes(let batches): batches.map(\.token.client)
    case .request(let token, _): [token.client]
    default: []
    }
  }

  /// Whether a client has asked for it.
  var isAskedFor: Bool {
    switch self {
    case .changes, .request: true
    default: false
    }
  }

  /// Whether what comes of it has nothing to do with a change that a thread makes meanwhile.
  var leavesLayout: Bool {
    switch self {
    case .request(_, .accept), .request(_, .decline), .request(_, .inject), .request(_, .cancel),
      .stoppedReading, .readsAgain:
      true
    default: false
    }
  }
}
