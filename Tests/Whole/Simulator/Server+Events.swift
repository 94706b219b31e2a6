import Routing
import Server

extension Server.Event {
  /// Whether what comes of it has nothing to do with a change that a thread makes meanwhile.
  var leavesLayout: Bool {
    switch self {
    case .request(_, .accept), .request(_, .decline), .request(_, .inject), .request(_, .cancel),
      .request(_, .setScreen), .request(_, .watchScreens), .request(_, .lock),
      .request(_, .unlock), .stoppedReading, .readsAgain, .wantsChange:
      true
    default: false
    }
  }
}
