import TouchModel

/// What is wrong with a touchscreen, since when, and in words.
typealias DeviceFault = (finding: SignalFinding, since: Timestamp, sentence: String)

/// Watches over one touchscreen. Rule N10.
struct DeviceHealth {
  let device: DeviceID
  /// What it is known by when it comes back under another number.
  let identity: String
  var settings: HealthSettings
  private var contacts: [(slot: Int32, landed: Timestamp, aim: TapOffset?)] = []
  private var drift = DriftWatch()
  private var rate = RateWatch()
  private var ghosts = EventWindow(seconds: 60)
  private var knownGhosts: UInt64 = 0
  private var drops = EventWindow(seconds: 60)
  /// When it was unplugged, this number and those before.
  var losses: EventWindow
  /// What is wrong with it, since when, and in words.
  private(set) var faults: [DeviceFault]
  /// The reports that it has made, as of the latest look.
  private var lastReport = Timestamp(microseconds: 0)
  /// Whether its faults were said under an earlier number alone.
  private var isBack: Bool

  /// - Parameter losses: Those before, and what was said of them.
  init(
    _ device: DeviceID, _ identity: String, _ settings: HealthSettings,
    losses: (window: EventWindow, fault: DeviceFault?)
  ) {
    self.device = device
    self.identity = identity
    self.settings = settings
    self.losses = losses.window
    faults = losses.fault.map { [$0] } ?? []
    isBack = !faults.isEmpty
  }

  /// What is over as it goes. The log says nothing of `unsteady`, which goes on if it comes back.
  func leaving(at time: Timestamp) -> [HealthChange] {
    faults.map { fault in
      HealthChange(
        device: device, finding: fault.finding, since: fault.since, time: time, isOver: true,
        sentence: "is gone, and its fault with it", isNews: fault.finding != .unsteady)
    }
  }

  // MARK: What happens

  /// - Parameter aim: Where on what it hit; nil where that says nothing.
  mutating func landed(_ slot: Int32, _ aim: TapOffset?, at time: Timestamp) {
    contacts.removeAll { $0.slot == slot }
    contacts.append((slot, time, aim))
  }

  /// - Parameter reports: The times of its latest reports.
  mutating func lifted(_ slot: Int32, at time: Timestamp, reports: [Timestamp]) {
    guard let index = contacts.firstIndex(where: { $0.slot == slot }) else { return }
    let (_, landed, aim) = contacts.remove(at: index)
    if let aim { drift.take(aim, lasting: time.microseconds(since: landed)) }
    rate.take(reports.drop { $0 < landed })
  }

  mutating func lostFingers() { contacts.removeAll() }

  mutating func dropped(at time: Timestamp) {
    drops.add(at: time, limit: settings.dropsPerMinute)
  }

  /// - Parameter total: The ghosts that its filters have found until now.
  mutating func found(ghosts total: UInt64, at time: Timestamp) {
    // Other filters count anew.
    if total > knownGhosts {
      ghosts.add(total - knownGhosts, at: time, limit: settings.ghostsPerMinute)
    }
    knownGhosts = total
  }

  // MARK: How it is

  /// Looks how it is, and appends what has changed.
  ///
  /// - Parameter latest: When it reported last.
  mutating func look(at time: Timestamp, latest: Timestamp, into changes: inout [HealthChange]) {
    lastReport = latest
    if isBack { changes += faults.map { change(of: $0, at: time, isNews: false) } }
    isBack = false
    let settings = settings
    let silence = silence(at: time)
    set(.silent, silence?.since, silence?.sentence, at: time, &changes)
    let oldest = silence == nil ? held(at: time) : nil
    set(.held, oldest?.since, oldest?.sentence, at: time, &changes)
    let fall = rate.fall(to: settings.ratePercent)
    set(
      .slowed, fall.map { _ in time },
      fall.map { "reports \($0.to) times a second, down from \($0.from)" },
      at: time, &changes)
    let off = drift.drift(ofAtLeast: settings.driftPoints)
    set(.drifted, off.map { _ in time }, off.map { Self.sentence(ofDrift: $0) }, at: time, &changes)
    let counts = (ghosts.count(at: time), drops.count(at: time), losses.count(at: time))
    count(
      .haunted, counts.0, settings.ghostsPerMinute, ghosts.first,
      "has had \(settings.ghostsPerMinute) ghosts or contacts that were too short within a minute",
      at: time, &changes)
    count(
      .overrun, counts.1, settings.dropsPerMinute, drops.first,
      "has lost events \(settings.dropsPerMinute) times within a minute: the kernel's buffer was "
        + "full", at: time, &changes)
    count(
      .unsteady, counts.2, settings.lossesPerHour, losses.first,
      "was unplugged, or has failed, \(settings.lossesPerHour) times within an hour", at: time,
      &changes)
  }

  /// When it has to be looked at again; nil where nothing is due.
  var deadline: Timestamp? {
    var due: [Timestamp] = []
    if let landed = contacts.map(\.landed).min() {
      if settings.silentMilliseconds > 0, !has(.silent) {
        due.append(
          max(landed, lastReport).adding(milliseconds: settings.silentMilliseconds))
      }
      if settings.heldMilliseconds > 0, !has(.held), !has(.silent) {
        due.append(landed.adding(milliseconds: settings.heldMilliseconds))
      }
    }
    for (finding, window) in [
      (SignalFinding.haunted, ghosts), (.overrun, drops), (.unsteady, losses),
    ] where has(finding) {
      if let change = window.nextChange { due.append(change) }
    }
    return due.min()
  }

  private func has(_ finding: SignalFinding) -> Bool {
    faults.contains { $0.finding == finding }
  }

  private func silence(at time: Timestamp) -> (since: Timestamp, sentence: String)? {
    guard settings.silentMilliseconds > 0, let landed = contacts.map(\.landed).min() else {
      return nil
    }
    let since = max(landed, lastReport)
    guard time >= since.adding(milliseconds: settings.silentMilliseconds) else { return nil }
    return (
      since,
      "has reported nothing for \(settings.silentMilliseconds / 1000) s, though a finger was down: "
        + "its cable, its power or its controller may have failed"
    )
  }

  private func held(at time: Timestamp) -> (since: Timestamp, sentence: String)? {
    guard settings.heldMilliseconds > 0, let landed = contacts.map(\.landed).min(),
      time >= landed.adding(milliseconds: settings.heldMilliseconds)
    else { return nil }
    return (
      landed,
      "has a contact that has been down for \(settings.heldMilliseconds / 1000) s: something lies "
        + "on it, or it does not notice that a finger was lifted"
    )
  }

  private static func sentence(ofDrift off: Point) -> String {
    func side(_ number: Double, _ less: String, _ more: String) -> String {
      let whole = number.magnitude.rounded()
      return (Int(exactly: whole).map { "\($0)" } ?? "\(whole)")
        + " points \(number < 0 ? less : more)"
    }
    return "has taps that lie \(side(off.x, "to the left", "to the right")) and "
      + "\(side(off.y, "above", "below")) the middle of what they hit: calibrate it"
  }

  private mutating func count(
    _ finding: SignalFinding, _ number: UInt64, _ limit: UInt64, _ first: Timestamp?,
    _ sentence: @autoclosure () -> String, at time: Timestamp, _ changes: inout [HealthChange]
  ) {
    let isMuch = limit > 0 && number >= limit
    set(finding, isMuch ? first : nil, isMuch ? sentence() : nil, at: time, &changes)
  }

  /// Notes whether something is wrong.
  private mutating func set(
    _ finding: SignalFinding, _ since: Timestamp?, _ sentence: String?, at time: Timestamp,
    _ changes: inout [HealthChange]
  ) {
    let index = faults.firstIndex { $0.finding == finding }
    if let since, let sentence, index == nil {
      let fault = (finding, since, sentence)
      faults.append(fault)
      changes.append(change(of: fault, at: time, isNews: true))
    } else if since == nil, let index {
      let fault = faults.remove(at: index)
      changes.append(
        HealthChange(
          device: device, finding: finding, since: fault.since, time: time, isOver: true,
          sentence: finding.recovery))
    }
  }

  private func change(of fault: DeviceFault, at time: Timestamp, isNews: Bool) -> HealthChange {
    HealthChange(
      device: device, finding: fault.finding, since: fault.since, time: time, isOver: false,
      sentence: fault.sentence, isNews: isNews)
  }
}

extension SignalFinding {
  /// That a fault is over, in words that follow the touchscreen's name.
  fileprivate var recovery: String {
    switch self {
    case .silent: "reports again, or its finger is gone"
    case .held: "no longer has a contact that stays down"
    case .slowed: "reports as often as before"
    case .haunted: "has had few ghosts for a minute"
    case .overrun: "has lost few events for a minute"
    case .unsteady: "was unplugged or failed less often within the last hour"
    case .drifted: "has taps around the middle of what they hit again"
    default: word
    }
  }
}
