import CTouchroute

/// The messages to the daemon; the raw values are the wire's `enum touchroute_request`.
enum Opcode: UInt16, CaseIterable, Sendable, CustomStringConvertible {
  case hello = 1
  case attach = 2
  case detach = 3
  case accept = 4
  case decline = 5
  case set = 6
  case describe = 7
  case ping = 8
  case addGesture = 9
  case removeGesture = 10
  case changeViews = 11
  case setScreen = 12
  case watchScreens = 13
  case watchIdle = 14
  case unwatchIdle = 15
  case inhibitIdle = 21
  case lock = 22
  case unlock = 23
  case watchFeedback = 24
  case status = 16
  case observe = 17
  case reload = 18
  case inject = 19
  case cancel = 20
  case ungrab = 25

  /// Its name in the protocol: `add_gesture`.
  var description: String {
    switch self {
    case .hello: "hello"
    case .attach: "attach"
    case .detach: "detach"
    case .accept: "accept"
    case .decline: "decline"
    case .set: "set"
    case .describe: "describe"
    case .ping: "ping"
    case .addGesture: "add_gesture"
    case .removeGesture: "remove_gesture"
    case .changeViews: "change_views"
    case .setScreen: "set_screen"
    case .watchScreens: "watch_screens"
    case .watchIdle: "watch_idle"
    case .unwatchIdle: "unwatch_idle"
    case .inhibitIdle: "inhibit_idle"
    case .lock: "lock"
    case .unlock: "unlock"
    case .watchFeedback: "watch_feedback"
    case .status: "status"
    case .observe: "observe"
    case .reload: "reload"
    case .inject: "inject"
    case .cancel: "cancel"
    case .ungrab: "ungrab"
    }
  }

  /// Whether only the control socket carries it out. Rule F7.
  var isControlOnly: Bool {
    switch self {
    case .status, .observe, .reload, .inject, .cancel, .ungrab: true
    case .hello, .attach, .detach, .accept, .decline, .set, .describe, .ping, .addGesture,
      .removeGesture, .changeViews, .setScreen, .watchScreens, .watchIdle, .unwatchIdle,
      .inhibitIdle, .lock, .unlock, .watchFeedback:
      false
    }
  }

  /// Whether it changes the layout or its recognizers, and so waits for its time. Rule F1.
  var isChange: Bool {
    switch self {
    case .set, .addGesture, .removeGesture, .changeViews: true
    case .hello, .attach, .detach, .accept, .decline, .describe, .ping, .status, .observe,
      .reload, .inject, .cancel, .ungrab, .setScreen, .watchScreens, .watchIdle, .unwatchIdle,
      .inhibitIdle, .lock, .unlock, .watchFeedback:
      false
    }
  }

  /// The bytes that a message of it has at most.
  var largestSize: Int {
    self == .changeViews ? Int(TOUCHROUTE_MAX_CHANGE_VIEWS) : Int(TOUCHROUTE_MAX_REQUEST)
  }

  /// The bytes of its struct, without what trails it.
  var fixedSize: Int {
    switch self {
    case .hello: MemoryLayout<touchroute_hello>.size
    case .attach: MemoryLayout<touchroute_attach>.size
    case .detach: MemoryLayout<touchroute_detach>.size
    case .accept, .decline: MemoryLayout<touchroute_accept>.size
    case .set: MemoryLayout<touchroute_set>.size
    case .describe: MemoryLayout<touchroute_describe>.size
    case .ping, .status, .reload: MemoryLayout<touchroute_plain_request>.size
    case .addGesture: MemoryLayout<touchroute_add_gesture>.size
    case .removeGesture: MemoryLayout<touchroute_remove_gesture>.size
    case .changeViews: MemoryLayout<touchroute_change_views>.size
    case .setScreen: MemoryLayout<touchroute_set_screen>.size
    case .watchScreens: MemoryLayout<touchroute_watch_screens>.size
    case .watchIdle: MemoryLayout<touchroute_watch_idle>.size
    case .unwatchIdle: MemoryLayout<touchroute_unwatch_idle>.size
    case .inhibitIdle: MemoryLayout<touchroute_inhibit_idle>.size
    case .lock: MemoryLayout<touchroute_lock>.size
    case .unlock: MemoryLayout<touchroute_unlock>.size
    case .watchFeedback: MemoryLayout<touchroute_watch_feedback>.size
    case .observe: MemoryLayout<touchroute_observe>.size
    case .inject: MemoryLayout<touchroute_inject>.size
    case .cancel: MemoryLayout<touchroute_cancel>.size
    case .ungrab: MemoryLayout<touchroute_ungrab>.size
    }
  }
}
