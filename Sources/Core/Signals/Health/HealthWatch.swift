public import TouchModel

/// Watches over all touchscreens: what is wrong with each, and since when. Rule N10.
///
/// A value without clock and device: time comes with what happens, and by ``look(at:latest:)``. It
/// is told when fingers land and are lifted, and of no move.
public struct HealthWatch {
  /// How long an unplugging counts.
  private static let lossSeconds: UInt64 = 3600
  /// As many touchscreens that are gone are remembered.
  private static let memory = 64

  private var devices: [DeviceHealth] = []
  /// Of touchscreens that are gone, and may come back.
  private var losses: [(identity: String, window: EventWindow, fault: DeviceFault?)] = []
  /// What was over as touchscreens went, for the next look.
  private var left: [HealthChange] = []
  /// When it has to look again; nil where nothing is due.
  public private(set) var nextDeadline: Timestamp?

  /// A watch over no touchscreen.
  public init() {}

  // MARK: What happens

  /// A touchscreen comes, or other thresholds are in force for it.
  ///
  /// - Parameter identity: What it is known by when it comes back under another number.
  public mutating func came(
    _ device: DeviceID, _ identity: String, _ settings: HealthSettings
  ) {
    if let index = index(of: device) { return devices[index].settings = settings }
    let known = losses.firstIndex { $0.identity == identity }
    let before = known.map { losses.remove(at: $0) }
    let window = before?.window ?? EventWindow(seconds: Self.lossSeconds)
    devices.append(
      DeviceHealth(device, identity, settings, losses: (window, before?.fault)))
  }

  /// A touchscreen goes.
  ///
  /// - Parameter isLoss: Whether nobody asked for that.
  public mutating func went(_ device: DeviceID, isLoss: Bool, at time: Timestamp) {
    guard let index = index(of: device) else { return }
    var gone = devices.remove(at: index)
    if isLoss { gone.losses.add(at: time, limit: max(1, gone.settings.lossesPerHour)) }
    left += gone.leaving(at: time)
    losses.append(
      (gone.identity, gone.losses, gone.faults.first { $0.finding == .unsteady }))
    if losses.count > Self.memory { losses.removeFirst() }
  }

  /// A finger lands.
  ///
  /// - Parameter aim: Where on what it hit; nil where that says nothing.
  public mutating func landed(
    _ device: DeviceID, _ slot: Int32, _ aim: TapOffset? = nil, at time: Timestamp
  ) {
    if let index = index(of: device) { devices[index].landed(slot, aim, at: time) }
  }

  /// A finger is lifted.
  ///
  /// - Parameter reports: The times of the touchscreen's latest reports.
  public mutating func lifted(
    _ device: DeviceID, _ slot: Int32, at time: Timestamp, reports: [Timestamp]
  ) {
    if let index = index(of: device) { devices[index].lifted(slot, at: time, reports: reports) }
  }

  /// The kernel has lost events of a touchscreen.
  public mutating func dropped(_ device: DeviceID, at time: Timestamp) {
    if let index = index(of: device) { devices[index].dropped(at: time) }
  }

  /// A touchscreen's filters have found so many ghosts until now.
  public mutating func found(ghosts: UInt64, of device: DeviceID, at time: Timestamp) {
    if let index = index(of: device) { devices[index].found(ghosts: ghosts, at: time) }
  }

  // MARK: How they are

  /// Looks how all are. Returns what has changed.
  ///
  /// - Parameter latest: When a touchscreen reported last.
  public mutating func look(
    at time: Timestamp, latest: (DeviceID) -> Timestamp
  ) -> [HealthChange] {
    var changes = left
    left = []
    for index in devices.indices {
      devices[index].look(at: time, latest: latest(devices[index].device), into: &changes)
    }
    nextDeadline = devices.compactMap(\.deadline).min()
    return changes
  }

  /// What is wrong with a touchscreen, since when, and in words.
  public func faults(
    of device: DeviceID
  ) -> [(finding: SignalFinding, since: Timestamp, sentence: String)] {
    index(of: device).map { devices[$0].faults } ?? []
  }

  private func index(of device: DeviceID) -> Int? {
    devices.firstIndex { $0.device == device }
  }
}
