import TouchModel

/// One contact on its way through the filters, from its landing until nothing is left to say of it.
struct SignalContact {
  /// How far it has come.
  enum Stage {
    /// A filter holds it back: it has not begun.
    case held
    /// It has begun.
    case shown
    /// It never begins, or was ended by a filter. It is followed until it is lifted.
    case dropped
  }

  /// How the device ended it.
  enum Ending {
    case lifted
    case cancelled(CancelReason)
  }

  /// The device's own number for it.
  var slot: Int32
  /// The number under which it leaves the filters: no other contact ever has it.
  var output: Int32
  let screen: ScreenIndex
  /// Where it landed, which is where it begins.
  var start: Point
  var startTime: Timestamp
  /// Where the finger is, as far as it can be believed.
  var point: Point
  /// Where the device says that it is, since the last report.
  var reported: Point?
  /// Where it was said to be last.
  var sent: Point
  /// Where it is to be said to be.
  var target: Point
  var stage = Stage.held
  /// Whether no report has ended since it landed.
  var isNew = true
  /// Whether it began at the edge, and has not moved away. Rule N7.
  var isAtEdge = false
  /// How it has ended since the last report.
  var ending: Ending?
  /// When it was lifted, while it may be bridged. Rule N2.
  var liftTime: Timestamp?
  var speed: SpeedLimit?
  var smoother: Smoother?
  var still: StillWatch
  /// What the next reports say of it.
  var news = News()

  /// What is to be said of a contact.
  struct News {
    /// Another finger has taken over its slot: this number is lifted.
    var replaced: Int32?
    var begins = false
    var cancels: CancelReason?
    var ends = false
    /// Nothing follows: it can be forgotten.
    var isOver = false
  }

  /// A contact that lands.
  init(slot: Int32, output: Int32, screen: ScreenIndex, point: Point, time: Timestamp) {
    self.slot = slot
    self.output = output
    self.screen = screen
    start = point
    startTime = time
    self.point = point
    sent = point
    target = point
    still = StillWatch(at: point, time)
  }

  /// Whether the finger is on the glass.
  var isDown: Bool { ending == nil && liftTime == nil }

  /// When it was lifted, in the report at hand or before; nil if it was not.
  func lift(asOf time: Timestamp) -> Timestamp? {
    if case .lifted = ending { return time }
    return liftTime
  }

  /// Appends what is to be said in one report. Returns whether something is left for another one:
  /// a contact begins where it landed, and only then moves.
  mutating func say(
    of device: DeviceID, at time: Timestamp, into events: inout ReusableArray<DeviceEvent>
  ) -> Bool {
    if let former = news.replaced {
      events.append(.up(device, slot: former, time: time))
      news.replaced = nil
    }
    if news.begins {
      events.append(.down(device, slot: output, screen: screen, location: start, time: time))
      news.begins = false
      sent = start
      return target != sent || news.ends || news.cancels != nil
    }
    if stage == .shown, target != sent {
      events.append(.motion(device, slot: output, location: target, time: time))
      sent = target
    }
    if let reason = news.cancels {
      events.append(.cancel(device, slot: output, reason: reason, time: time))
      news.cancels = nil
    }
    if news.ends {
      events.append(.up(device, slot: output, time: time))
      news.ends = false
      news.isOver = true
    }
    return false
  }
}
