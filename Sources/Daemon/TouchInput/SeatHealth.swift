import EventLoop
import Logging
import Signals
import TouchModel

/// The health of the seat's touchscreens. Rule N10.
///
/// It looks at them a moment after a finger lands or is lifted; when one comes or goes, and when
/// something is due; at no move.
final class SeatHealth {
  private var watch = HealthWatch()
  /// The touchscreens that the watch knows.
  private var known: [(id: DeviceID, label: String)] = []
  /// Those that have gone since it looked.
  private var gone: [(id: DeviceID, label: String)] = []
  private let devices: TouchDevices
  private let filters: SeatFilters
  private let logger: Logger
  private var timer: DeadlineTimer?
  private let queue: EventQueue
  /// What fingers have done, while it looks at that; with its capacity kept.
  private var contacts: ReusableArray<EventQueue.ContactChange> = []
  /// The changes of the touchscreens that it knows.
  private var revision = -1
  /// Whether touchscreens go because the daemon lets go of them.
  var expectsLosses = false
  /// Says where on what it hits a finger lands; nil where that says nothing. Rule N10.
  var aim: (Point, ScreenIndex) -> TapOffset? = { _, _ in nil }
  /// Is told what has changed.
  var tell: (HealthChange) -> Void = { _ in }

  init(for devices: TouchDevices, queue: EventQueue, filters: SeatFilters, logger: Logger) {
    self.devices = devices
    self.queue = queue
    self.filters = filters
    self.logger = logger
  }

  /// Looks when something is due.
  func attach(to loop: EventLoop) throws(EventLoopError) {
    timer = try DeadlineTimer(on: loop, accuracy: Self.accuracy) { [unowned self] in look() }
    // No touch waits for that: whoever sends has added its handler before.
    loop.atEndOfTurn { [unowned self] in
      if queue.hasContacts { followContacts() }
    }
  }

  /// In microseconds: nothing here is urgent.
  private static let accuracy: UInt64 = 250_000

  /// A touchscreen has come or gone.
  func followChange() {
    followDevices()
    look()
  }

  private func followContacts() {
    queue.takeContacts(into: &contacts)
    for change in contacts {
      if change.isDown {
        let aim = aim(change.location, change.screen)
        watch.landed(change.device, change.slot, aim, at: change.time)
      } else {
        let reports = devices.reports(of: change.device)?.times ?? []
        watch.lifted(change.device, change.slot, at: change.time, reports: reports)
      }
    }
    contacts.removeAll()
    // Once for many fingers.
    timer?.include(EventQueue.now().microseconds + Self.accuracy)
  }

  /// Takes over the thresholds in force.
  func followDevices() {
    if revision == devices.revision { return }
    revision = devices.revision
    let now = EventQueue.now()
    let all = devices.assignments
    let present = all.filter { !$0.assignment.ignore }
    for (id, label) in known where !present.contains(where: { $0.id == id }) {
      // One that is ignored from now on is still there.
      let isLoss = !expectsLosses && !all.contains { $0.id == id }
      watch.went(id, isLoss: isLoss, at: now)
      gone.append((id, label))
    }
    for (id, label, assignment) in present {
      watch.came(id, devices.identity(of: id) ?? label, assignment.health)
    }
    known = present.map { ($0.id, $0.label) }
  }

  /// The kernel has lost events of the touchscreen at a node.
  func dropped(node: String) {
    guard let id = devices.number(of: node) else { return }
    watch.dropped(id, at: EventQueue.now())
    look()
  }

  private func look() {
    let now = EventQueue.now()
    for (id, _) in known {
      guard let counts = filters.counts(of: id) else { continue }
      watch.found(ghosts: counts[.ghost] &+ counts[.short], of: id, at: now)
    }
    let changes = watch.look(at: now) { [devices] in
      devices.reports(of: $0)?.latest ?? Timestamp(microseconds: 0)
    }
    for change in changes {
      let label = (known + gone).first { $0.id == change.device }?.label ?? "?"
      if change.isNews {
        logger.log(
          level: change.isOver ? .notice : .warning, "touchscreen \(label) \(change.sentence)")
      }
      tell(change)
    }
    gone.removeAll()
    if let deadline = watch.nextDeadline { timer?.include(deadline.microseconds) }
  }

  /// What is wrong with a touchscreen.
  func faults(
    of device: DeviceID
  ) -> [(finding: SignalFinding, since: Timestamp, sentence: String)] {
    watch.faults(of: device)
  }
}
