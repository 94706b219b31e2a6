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
    for event in raw {
      guard let index = index(of: event.device) else {
        events.append(event)
        continue
      }
      chains[index].take(event, into: &events)
    }
    if isObserved { takeNotes() }
    findDeadline()
  }

  /// Takes how large the contact in a device's own slot is, before what it reports. Rule N12.
  public mutating func note(_ size: ContactSize, in slot: Int32, of device: DeviceID) {
    if let index = index(of: device) { chains[index].note(size, in: slot) }
  }

  /// Does what is due until a time, that included.
  public mutating func advance(
    to time: Timestamp, into events: inout ReusableArray<DeviceEvent>
  ) {
    for index in chains.indices { chains[index].advance(to: time, into: &events) }
    if isObserved { takeNotes() }
    findDeadline()
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

extension DeviceEvent {
  /// Whose event it is.
  fileprivate var device: DeviceID {
    switch self {
    case .down(let device, _, _, _, _), .motion(let device, _, _, _), .up(let device, _, _),
      .cancel(let device, _, _, _), .frame(let device, _), .lost(let device, _, _):
      device
    }
  }
}
