import TouchModel

/// The contacts of a stream of events, each from its landing to its end.
struct ContactTrace {
  /// One contact.
  struct Contact {
    let landed: Timestamp
    /// When it ended; nil where it never did.
    var ended: Timestamp?
    /// Where it was, report by report.
    var points: [(time: Timestamp, point: Point)]

    var start: Point { points[0].point }

    /// How long it was seen, in microseconds.
    func duration(until end: Timestamp) -> UInt64 { (ended ?? end).microseconds(since: landed) }
  }

  /// In the order in which they landed.
  private(set) var contacts: [Contact] = []
  /// The times from one report to the next in which a finger had moved, in microseconds, in their
  /// order: a tap has none.
  private(set) var intervals: [UInt64] = []
  /// The most contacts at once.
  private(set) var mostFingers = 0
  /// The first and the last report.
  private(set) var start = Timestamp(microseconds: 0)
  private(set) var end = Timestamp(microseconds: 0)

  init(_ events: some Sequence<DeviceEvent>) {
    var live: [Int32: Int] = [:]
    var former: Timestamp?
    var hasMoved = false
    for event in events {
      switch event {
      case .down(_, let slot, _, let point, let time):
        live[slot] = contacts.count
        contacts.append(Contact(landed: time, points: [(time, point)]))
        mostFingers = max(mostFingers, live.count)
      case .motion(_, let slot, let point, let time):
        hasMoved = true
        if let index = live[slot] { contacts[index].points.append((time, point)) }
      case .up(_, let slot, let time), .cancel(_, let slot, _, let time):
        if let index = live.removeValue(forKey: slot) { contacts[index].ended = time }
      case .frame(_, let time):
        if start.microseconds == 0 { start = time }
        end = max(end, time)
        if hasMoved, let former, time > former {
          intervals.append(time.microseconds(since: former))
        }
        hasMoved = false
        former = live.isEmpty ? nil : time
      case .lost: live = [:]
      }
    }
  }

  /// Where each contact went.
  var ways: [[Point]] { contacts.map { $0.points.map(\.point) } }

  /// How long a contact was seen, in microseconds.
  func duration(of contact: Contact) -> UInt64 { contact.duration(until: end) }
}

extension Array where Element: Comparable {
  /// The element below which a share of all lies; nil where there is none.
  func quantile(_ share: Double) -> Element? {
    isEmpty ? nil : sorted()[Swift.min(count - 1, Int(Double(count) * share))]
  }
}
