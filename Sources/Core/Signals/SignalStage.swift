public import TouchModel

/// The filters of all touchscreens, between what the devices report and the sequencer. Rule N1.
///
/// A value without clock and device: time comes with the events, and by ``advance(to:into:)``.
/// Once as many contacts have been down as there are now, it allocates nothing.
public struct SignalStage {
  /// The devices that have filters; few, so that a search from the front is the fastest.
  private var chains: [DeviceChain] = []
  /// When it must be told the time; nil where nothing waits.
  public private(set) var nextDeadline: Timestamp?
  /// What the filters did, while ``isObserved``, since ``forgetNotes()``.
  public private(set) var notes: ReusableArray<SignalNote> = []
  /// Whether ``notes`` is filled.
  public var isObserved = false {
    didSet { for index in chains.indices { chains[index].isObserved = isObserved } }
  }

  /// A stage without filters.
  public init() {}

  /// Whether no device has a filter: events may go past it.
  public var isOff: Bool { chains.isEmpty }

  /// Puts a device's filters in force; none, too, once it is gone. No finger is on it (rule T11).
  ///
  /// - Parameters:
  ///   - region: The part of the screen that the device covers.
  ///   - events: Get what the former filters still held.
  public mutating func configure(
    _ device: DeviceID, _ settings: SignalSettings, region: Rect,
    into events: inout ReusableArray<DeviceEvent>
  ) {
    if let index = chains.firstIndex(where: { $0.device == device }) {
      chains[index].finish(into: &events)
      takeNotes()
      chains.remove(at: index)
    }
    if !settings.isOff {
      chains.append(DeviceChain(device, settings, region: region))
      chains[chains.count - 1].isObserved = isObserved
    }
    findDeadline()
  }

  /// Takes what devices report, and appends what is left of it.
  public mutating func take(
    _ raw: ReusableArray<DeviceEvent>, into events: inout ReusableArray<DeviceEvent>
  ) {
    take(raw, raw.indices, into: &events)
  }

  /// Takes some of what devices report: whole reports.
  public mutating func take(
    _ raw: ReusableArray<DeviceEvent>, _ indices: Range<Int>,
    into events: inout ReusableArray<DeviceEvent>
  ) {
    for event in raw[indices] {
      while let due = nextDeadline, due < event.time { fire(at: due, into: &events) }
      guard let index = index(of: event.device) else {
        events.append(event)
        continue
      }
      chains[index].take(event, into: &events)
      findDeadline()
    }
    if isObserved { takeNotes() }
  }

  /// Does what is due first. Devices take turns, so that time goes forward for all of them alike.
  private mutating func fire(
    at due: Timestamp, into events: inout ReusableArray<DeviceEvent>
  ) {
    for index in chains.indices { chains[index].advance(to: due, into: &events) }
    findDeadline()
  }

  /// Takes how large the contact in a device's own slot is, before what it reports. Rule N12.
  public mutating func note(_ size: ContactSize, in slot: Int32, of device: DeviceID) {
    if let index = index(of: device) { chains[index].note(size, in: slot) }
  }

  /// Forgets how large a device's contacts are. Rule N12.
  public mutating func forgetSizes(of device: DeviceID) {
    if let index = index(of: device) { chains[index].forgetSizes() }
  }

  /// Does what is due until a time, that included.
  public mutating func advance(
    to time: Timestamp, into events: inout ReusableArray<DeviceEvent>
  ) {
    while let due = nextDeadline, due <= time { fire(at: due, into: &events) }
    if isObserved { takeNotes() }
  }

  /// What the filters of a device have done; nil where it has none.
  public func counts(of device: DeviceID) -> SignalCounts? {
    index(of: device).map { chains[$0].counts }
  }

  /// The device's own slot of a contact that it has in the filtered events; nil once it is over.
  public func source(of slot: Int32, on device: DeviceID) -> Int32? {
    index(of: device).flatMap { chains[$0].source(of: slot) }
  }

  /// Empties ``notes``, and keeps its capacity.
  public mutating func forgetNotes() { notes.removeAll() }

  private mutating func takeNotes() {
    for index in chains.indices {
      for note in chains[index].notes { notes.append(note) }
      chains[index].notes.removeAll()
    }
  }

  private func index(of device: DeviceID) -> Int? {
    for index in chains.indices where chains[index].device == device { return index }
    return nil
  }

  private mutating func findDeadline() {
    nextDeadline = nil
    for chain in chains {
      if let deadline = chain.deadline { nextDeadline = min(nextDeadline ?? deadline, deadline) }
    }
  }
}
