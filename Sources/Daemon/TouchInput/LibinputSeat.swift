import CLibinput
package import EventLoop
package import Logging
package import Signals
package import TouchModel

/// The touchscreens of a seat, or named ones, read through libinput.
///
/// Devices come and go; each has a number of its own while it stays. The seat appends what they do
/// to the caller's buffer as ``DeviceEvent``s, in the screens' coordinates, in libinput's order,
/// and allocates nothing for it once the buffer has its size. An object of one thread, like the
/// loop.
package final class LibinputSeat {
  /// Which devices are read.
  package enum Source: Equatable, Sendable {
    /// Every touchscreen that udev assigns to the seat, such as `seat0`, as they come and go.
    case seat(String)
    /// The devices at those nodes or links, and no other; one that is unplugged is taken up again
    /// when it comes back to its path.
    case nodes([String])
  }

  /// libinput's context; ours until the end.
  private let context: OpaquePointer
  private let opener: DeviceOpener
  private let touchDevices: TouchDevices
  private let queue: EventQueue
  private let filters: SeatFilters
  private let health: SeatHealth
  private let logger: Logger
  /// Tells of the comings and goings of named nodes, which libinput does not; nil with a seat.
  private let monitor: NodeMonitor?

  /// Opens the devices. A seat without a touchscreen is no error: they are waited for.
  ///
  /// Throws where libinput or udev fail, where the seat's name is refused, and where one of the
  /// named nodes is missing, may not be opened, or is no touchscreen.
  package convenience init(
    source: Source, rules: [DeviceRule], screens: [Screen], logger: Logger
  ) throws(TouchInputError) {
    try self.init(
      source: source, matcher: DeviceMatcher(rules: rules, screens: screens), logger: logger)
  }

  init(source: Source, matcher: DeviceMatcher, logger: Logger) throws(TouchInputError) {
    guard let udev = udev_new() else { throw TouchInputError("libudev can't be set up") }
    defer { udev_unref(udev) }
    let opener = DeviceOpener(udev: udev, matcher: matcher) { level, sentence in
      logger.log(level: level, "\(sentence)")
    }
    let user = Unmanaged.passUnretained(opener).toOpaque()
    let made =
      switch source {
      case .seat: libinput_udev_create_context(opener.interface, user, udev)
      case .nodes: libinput_path_create_context(opener.interface, user)
      }
    guard let made else { throw TouchInputError("libinput can't be set up") }
    LibinputLog.attach(to: made)
    self.context = made
    self.opener = opener
    self.logger = logger
    touchDevices = TouchDevices(matcher, opener: opener, logger: logger)
    queue = EventQueue(of: made, for: touchDevices)
    filters = SeatFilters(for: touchDevices, opener: opener, logger: logger)
    health = SeatHealth(for: touchDevices, queue: queue, filters: filters, logger: logger)
    opener.onClose = { [unowned filters] in filters.forget($0) }
    opener.onDrop = { [unowned health] in health.dropped(node: $0) }
    switch source {
    case .seat(let name):
      monitor = nil
      opener.opensPens = true
      guard libinput_udev_assign_seat(made, name) == 0 else {
        throw TouchInputError("seat \"\(name)\" can't be used: udev does not answer for it")
      }
    case .nodes(let nodes):
      monitor = NodeMonitor(udev: udev, nodes: nodes)
      for node in nodes { try add(node) }
      if touchDevices.assignments.contains(where: \.assignment.holdsOff) {
        logger.warning("palm_pen has no effect on touchscreens that are named by --device")
      }
    }
    var events: ReusableArray<DeviceEvent> = []
    drain(into: &events)
    // libinput reads devices in libinput_dispatch alone: what has come is that they are there.
    precondition(events.isEmpty, "touches before the first dispatch")
    touchDevices.asksForPens = true
    guard touchDevices.isEmpty, case .seat(let name) = source else { return }
    logger.notice("no touchscreen on seat \"\(name)\" yet: waiting for one")
  }

  deinit {
    touchDevices.removeAll()
    // The context gives its descriptors back to the opener, which is released after it.
    libinput_unref(context)
  }

  // MARK: Reading

  /// Readable when `dispatch(into:)` has something to do, but for the coming and going of named
  /// nodes: `attach(to:_:)` watches for both. The corresponding C function is libinput_get_fd.
  package var descriptor: Int32 { libinput_get_fd(context) }

  /// Calls `ready`, before all other sources of the loop, whenever `dispatch(into:)` has something
  /// to do. The seat must live as long as the loop turns.
  package func attach(
    to loop: EventLoop, _ ready: @escaping () -> Void
  ) throws(EventLoopError) {
    try filters.attach(to: loop, ready)
    try health.attach(to: loop)
    try loop.addDescriptor(descriptor, interest: .read, priority: .input) { _ in ready() }
    guard let monitor, monitor.descriptor >= 0 else { return }
    try loop.addDescriptor(monitor.descriptor, interest: .read, priority: .input) {
      [unowned self] _ in
      followNodes()
      ready()
    }
  }

  /// Reads all that the devices have reported, and appends what their filters leave of it to
  /// `events` (rule N1). Never blocks. The corresponding C functions are libinput_dispatch and
  /// libinput_get_event.
  package func dispatch(into events: inout ReusableArray<DeviceEvent>) {
    if filters.isOff { return read(into: &events) }
    // Before the devices are read: what they reported until now is then taken first.
    let now = filters.isWaiting ? EventQueue.now() : nil
    read(into: &events)
    filters.advance(to: now, into: &events)
  }

  @inline(__always)
  private func read(into events: inout ReusableArray<DeviceEvent>) {
    if opener.awaitsGrab { opener.grabWaiting() }
    let result = libinput_dispatch(context)
    if result < 0 { logger.error("libinput can't read its devices: errno \(-result)") }
    drain(into: &events)
  }

  private func drain(into events: inout ReusableArray<DeviceEvent>) {
    // Only now: what stood in the queue has libinput's former calibration in it.
    let changes = filters.drain(queue, into: &events)
    if changes.isEmpty { return }
    // One that has come may have a pen that is to be opened with it.
    if changes.contains(.lift) || changes.contains(.devices) { applyPending(into: &events) }
    filters.follow(into: &events)
    if changes.contains(.devices) { health.followChange() }
  }

  /// Tells somebody what filters do, before ``dispatch(into:)`` returns what they make of it. Rule
  /// N1.
  ///
  /// - Parameter isWanted: Whether that somebody wants to know.
  package func observeFilters(
    if isWanted: @escaping () -> Bool, _ tell: @escaping (ReusableArray<SignalNote>) -> Void
  ) {
    filters.isObserved = isWanted
    filters.tell = tell
  }

  /// Asks where on what it hits a finger lands, as it lands; nil where that says nothing. Rule N10.
  package func askAim(_ aim: @escaping (Point, ScreenIndex) -> TapOffset?) { health.aim = aim }

  /// Tells somebody when a touchscreen falls ill, and when it is well again. Rule N10.
  package func observeHealth(_ tell: @escaping (HealthChange) -> Void) { health.tell = tell }

  // MARK: Rules

  /// Puts other rules and screens in force: for a device with a finger down, when all are lifted
  /// (rule T11). A device that is no longer ignored comes back under a new number, and so do all
  /// others, once no finger is down anywhere: libinput has no other way to open it afresh.
  package func updateRules(
    _ rules: [DeviceRule], screens: [Screen], into events: inout ReusableArray<DeviceEvent>
  ) {
    touchDevices.update(DeviceMatcher(rules: rules, screens: screens))
    applyPending(into: &events)
  }

  /// Puts in force what waited for fingers to be lifted, where they are.
  private func applyPending(into events: inout ReusableArray<DeviceEvent>) {
    let isToBeOpened = touchDevices.applyPending()
    filters.follow(into: &events)
    health.followDevices()
    guard isToBeOpened else { return }
    // Enabling a single one again would leave libinput with the points that the device's fingers
    // had when it was closed.
    health.expectsLosses = true
    libinput_suspend(context)
    if libinput_resume(context) != 0 { logger.error("the touchscreens can't be opened again") }
    drain(into: &events)
    health.expectsLosses = false
  }

  /// How many touchscreens there are.
  package var deviceCount: TouchDeviceCount { touchDevices.count }

  /// The touchscreens, those that are ignored included, in the order of their coming.
  package var devices: [TouchDeviceStatus] {
    touchDevices.statuses.map { device in
      var device = device
      device.counts = filters.counts(of: device.id)
      device.faults = health.faults(of: device.id)
      return device
    }
  }

  /// Lets other programs read a touchscreen, until ``grabAgain(_:)``: its node, and whether it was
  /// grabbed; nil where there is none of that number. Touches go on.
  package func ungrab(_ id: DeviceID) -> (node: String, wasGrabbed: Bool)? {
    touchDevices.ungrab(id)
  }

  /// Grabs the touchscreen at a node again, where the rules say so.
  package func grabAgain(_ node: String) { touchDevices.grabAgain(node) }

  // MARK: Named nodes

  /// Takes up one of the named nodes.
  private func add(_ node: String) throws(TouchInputError) {
    // Asked first: libinput waits two seconds for udev to know what it will never know.
    guard opener.isEventNode(node) else {
      throw TouchInputError("\(node) is no event node of an input device, or there is no such node")
    }
    guard libinput_path_add_device(context, node) == nil else { return }
    let reason = opener.failure ?? "libinput does not take \(node) for a touchscreen"
    throw TouchInputError("\(reason) (touchroute list-devices says more)")
  }

  /// Follows the comings and goings of named nodes, which libinput's path backend does not.
  private func followNodes() {
    monitor?.receive { change in
      switch change {
      case .gone(let node):
        if let device = touchDevices.handle(of: node) { libinput_path_remove_device(device) }
      case .came(let node):
        guard touchDevices.handle(of: node) == nil else { return }
        do { try add(node) } catch { logger.error("\(error)") }
      }
    }
  }
}
