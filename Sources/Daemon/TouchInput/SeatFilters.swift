import EventLoop
import Logging
import Signals
import TouchModel

/// The filters of the seat's touchscreens, between libinput's queue and the seat's caller. Rule N1.
///
/// It follows what is in force for each device, and wakes the loop when a filter is due.
final class SeatFilters {
  private var stage = SignalStage()
  /// Whether no device has a filter. Beside the stage, so that a frame without filters looks at
  /// nothing else.
  private(set) var isOff = true
  /// Whether a filter must be told the time.
  private(set) var isWaiting = false
  /// What libinput reported; emptied and filled again with its capacity kept.
  private var raw: ReusableArray<DeviceEvent> = []
  private let devices: TouchDevices
  private let opener: DeviceOpener
  /// How large contacts are, of the devices whose filters ask for it. Rule N12.
  private var sizes: [ContactSizes] = []
  /// Where the latest reports of these begin, while they are taken; with its capacity kept.
  private var latest: [(first: Int, sizes: ContactSizes)] = []
  private let logger: Logger
  /// The devices whose filters are in the stage.
  private var configured: [(id: DeviceID, label: String, assignment: DeviceAssignment)] = []
  /// The revision of the devices that the stage follows.
  private var revision = 0
  private var timer: DeadlineTimer?
  /// Whether somebody wants to know what filters do.
  var isObserved: () -> Bool = { false }
  /// Is told what filters have done, before the events that they made of it are handed on.
  var tell: (ReusableArray<SignalNote>) -> Void = { _ in }

  init(for devices: TouchDevices, opener: DeviceOpener, logger: Logger) {
    self.devices = devices
    self.opener = opener
    self.logger = logger
  }

  /// Calls `ready` when a filter is due.
  func attach(to loop: EventLoop, _ ready: @escaping () -> Void) throws(EventLoopError) {
    timer = try DeadlineTimer(on: loop, accuracy: Self.accuracy, onDeadline: ready)
  }

  /// In microseconds: a panel's own interval is some ten times as long.
  private static let accuracy: UInt64 = 1_000

  /// Empties libinput's queue through the filters. Returns what else has changed.
  @inline(__always)
  func drain(
    _ queue: EventQueue, into events: inout ReusableArray<DeviceEvent>
  ) -> EventQueue.Changes {
    isOff ? queue.drain(into: &events) : drainThrough(queue, into: &events)
  }

  private func drainThrough(
    _ queue: EventQueue, into events: inout ReusableArray<DeviceEvent>
  ) -> EventQueue.Changes {
    if stage.isObserved != isObserved() { stage.isObserved.toggle() }
    raw.removeAll()
    let changes = queue.drain(into: &raw)
    if sizes.isEmpty { stage.take(raw, into: &events) } else { takeSized(&events) }
    return changes
  }

  /// Takes what was reported, with the sizes of contacts as they are now: those of the latest
  /// report of each device. Of what it reported before they are not known, if the daemon is late.
  private func takeSized(_ events: inout ReusableArray<DeviceEvent>) {
    latest.removeAll(keepingCapacity: true)
    var end = raw.count
    for index in raw.indices.reversed() where index == 0 || raw[index - 1].endsReport {
      // A report, from its mark back to the one before.
      let device = raw[end - 1].device
      end = index
      guard let sizes = sizes.first(where: { $0.device == device }),
        !latest.contains(where: { $0.sizes === sizes })
      else { continue }
      stage.forgetSizes(of: device)
      latest.append((index, sizes))
    }
    var start = 0
    for (first, sizes) in latest.reversed() {
      stage.take(raw, start..<first, into: &events)
      sizes.tell(&stage)
      start = first
    }
    stage.take(raw, start..<raw.count, into: &events)
  }

  /// How often the filters of a device have done something; nil where it has none.
  func counts(of device: DeviceID) -> SignalCounts? { stage.counts(of: device) }

  /// Takes over what is in force for the devices, if that has changed. Rule T11.
  func follow(into events: inout ReusableArray<DeviceEvent>) {
    if revision != devices.revision { takeOver(into: &events) }
  }

  private func takeOver(into events: inout ReusableArray<DeviceEvent>) {
    revision = devices.revision
    let assignments = devices.assignments
    for (id, label, former) in configured {
      let now = assignments.first { $0.id == id }?.assignment
      if now == former { continue }
      logCounts(of: id, label)
      stage.configure(id, SignalSettings(), region: .zero, into: &events)
    }
    for (id, _, assignment) in assignments where !assignment.ignore {
      if configured.contains(where: { $0.id == id && $0.assignment == assignment }) { continue }
      stage.configure(
        id, assignment.signal, region: assignment.mapping.region, into: &events)
    }
    configured = assignments
    sizes = assignments.compactMap { openSizes($0.id, $0.label, $0.assignment) }
    isOff = stage.isOff
    isWaiting = stage.nextDeadline != nil
  }

  /// The sizes of a device's contacts, if its filters ask for them and it has them.
  private func openSizes(
    _ id: DeviceID, _ label: String, _ assignment: DeviceAssignment
  ) -> ContactSizes? {
    guard assignment.signal.palm?.needsSizes == true, !assignment.ignore,
      let descriptor = devices.node(of: id).flatMap(opener.descriptor(of:))
    else { return nil }
    if let known = sizes.first(where: { $0.device == id && $0.descriptor == descriptor }) {
      return known
    }
    do throws(ContactSizes.Lack) {
      return try ContactSizes(of: id, descriptor: descriptor)
    } catch {
      logger.warning(
        "touchscreen \(label) \(error.sentence): palm_size and palm_aspect have no effect")
      return nil
    }
  }

  /// A descriptor is about to be closed.
  func forget(_ descriptor: Int32) { sizes.removeAll { $0.descriptor == descriptor } }

  /// Says what the filters of a device have done, before they go.
  private func logCounts(of id: DeviceID, _ label: String) {
    guard let counts = stage.counts(of: id)?.description, !counts.isEmpty else { return }
    logger.info("filters of touchscreen \(label): \(counts)")
  }

  /// Does what is due until a time, and has the loop woken for what remains.
  func advance(to time: Timestamp?, into events: inout ReusableArray<DeviceEvent>) {
    if let time { stage.advance(to: time, into: &events) }
    if !stage.notes.isEmpty {
      tell(stage.notes)
      stage.forgetNotes()
    }
    let deadline = stage.nextDeadline
    isWaiting = deadline != nil
    if let deadline { timer?.include(deadline.microseconds) }
  }
}
