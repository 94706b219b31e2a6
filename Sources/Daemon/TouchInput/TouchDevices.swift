import CLibinput
import Logging
import TouchModel

/// The touchscreens that libinput has opened, and the rules that say what each of them is for.
final class TouchDevices {
  /// In the order of their coming; this owns them, libinput's devices point at them.
  private var devices: [TouchDevice] = []
  /// How many there are.
  private(set) var count = TouchDeviceCount()
  /// Counts the changes of what is said of devices that are there, and their coming and going.
  private(set) var revision = 0
  /// The number of the one that came last.
  private var lastDevice: UInt32 = 0
  private var matcher: DeviceMatcher
  /// Whether pens are used otherwise than they were opened. Rule N12.
  private var arePensToBeOpened = false
  /// Whether pens that udev knows already are asked for as their touchscreens come: not at the
  /// start, where libinput looks at everything.
  var asksForPens = false
  /// Whether a device may have rules that wait for ``applyPending()``.
  private var mayHavePending = false
  private let opener: DeviceOpener
  private let logger: Logger

  init(_ matcher: DeviceMatcher, opener: DeviceOpener, logger: Logger) {
    self.matcher = matcher
    self.opener = opener
    self.logger = logger
  }

  // MARK: Asking

  /// Whether there is none.
  var isEmpty: Bool { devices.isEmpty }

  /// All of them, those that are ignored included.
  var statuses: [TouchDeviceStatus] {
    devices.map {
      TouchDeviceStatus(
        id: $0.id, description: $0.description, assignment: $0.assignment,
        isUngrabbed: opener.isUngrabbed($0.description.node),
        isChangePending: $0.isChangePending, liveTouches: $0.liveTouches)
    }
  }

  /// The number of each, what it is called, and what is in force for it.
  var assignments: [(id: DeviceID, label: String, assignment: DeviceAssignment)] {
    devices.map { ($0.id, $0.description.label, $0.assignment) }
  }

  /// When a touchscreen reported; nil where it is gone.
  func reports(of id: DeviceID) -> ReportLog? { devices.first { $0.id == id }?.reports }

  /// What a touchscreen is known by when it comes back under another number; nil where it is gone.
  func identity(of id: DeviceID) -> String? {
    devices.first { $0.id == id }.map {
      "\($0.description.id) \($0.description.phys) \($0.description.name)"
    }
  }

  /// The number of the touchscreen at a node; nil where none is open.
  func number(of node: String) -> DeviceID? { devices.first { $0.description.node == node }?.id }

  /// The node of a touchscreen; nil where it is gone.
  func node(of id: DeviceID) -> String? { devices.first { $0.id == id }?.description.node }

  /// Lets other programs read a touchscreen: its node, and whether it was grabbed; nil where there
  /// is none of that number.
  func ungrab(_ id: DeviceID) -> (node: String, wasGrabbed: Bool)? {
    guard let device = devices.first(where: { $0.id == id }) else { return nil }
    let node = device.description.node
    let wasGrabbed = device.isToBeGrabbed && !opener.isUngrabbed(node)
    opener.ungrab(node, isGrabbed: wasGrabbed)
    return (node, wasGrabbed)
  }

  /// Ends that for a node.
  func grabAgain(_ node: String) {
    let device = devices.first { $0.description.node == node }
    opener.endUngrab(node, grab: device?.isToBeGrabbed ?? false)
  }

  /// libinput's device at a node; nil where none is open.
  func handle(of node: String) -> OpaquePointer? {
    devices.first { $0.description.node == node }?.handle
  }

  /// Something was read of which libinput says nothing: touchscreens with a finger down have
  /// reported the time alone.
  func noteQuietReport(at time: Timestamp) {
    for device in devices where device.saysTime && device.liveTouches > 0 {
      device.reports.addQuiet(at: time)
    }
  }

  // MARK: Coming and going

  /// libinput has opened a device.
  func add(_ handle: OpaquePointer) {
    guard libinput_device_has_capability(handle, LIBINPUT_DEVICE_CAP_TOUCH) != 0,
      let description = DeviceDescription(libinputDevice: handle)
    else {
      if isPen(handle) { return }
      // Tagged as a touchscreen, yet none to libinput: closed again, never grabbed.
      return disable(handle)
    }
    // At the hundreds a second that udev manages, the numbers last for months.
    lastDevice &+= 1
    let device = TouchDevice(
      id: DeviceID(lastDevice), description: description, handle: handle,
      descriptor: opener.descriptor(of: description.node),
      assignment: matcher.assignment(of: description))
    devices.append(device)
    if asksForPens, device.assignment.holdsOff, opener.asksForPen(of: description) {
      arePensToBeOpened = true
    }
    recount()
    logger.info(
      "touchscreen \(description.label), \(description.id), \(sentence(of: device))")
  }

  /// libinput has closed a device; its number, where it was one of these.
  func remove(_ handle: OpaquePointer) -> DeviceID? {
    guard let index = devices.firstIndex(where: { $0.handle == handle }) else { return nil }
    let device = devices.remove(at: index)
    recount()
    logger.info(
      "touchscreen \(device.description.label) is gone: it was unplugged, or has failed")
    return device.id
  }

  private func recount() {
    revision += 1
    let ignored = devices.count { $0.assignment.ignore }
    count = TouchDeviceCount(used: devices.count - ignored, ignored: ignored)
  }

  /// Forgets all of them, before libinput's context ends.
  func removeAll() { devices.removeAll() }

  /// Whether it is a pen that holds fingers off. Rule N12.
  private func isPen(_ handle: OpaquePointer) -> Bool {
    guard libinput_device_has_capability(handle, LIBINPUT_DEVICE_CAP_TABLET_TOOL) != 0,
      let description = DeviceDescription(libinputDevice: handle), opener.isWantedPen(description)
    else { return false }
    logger.info("pen \(description.label) holds the fingers off on its touchscreen")
    return true
  }

  private func disable(_ handle: OpaquePointer) {
    let name = libinput_device_get_name(handle).map { String(cString: $0) } ?? "?"
    logger.notice("\"\(name.printable())\" can't touch, says libinput: it is not used")
    libinput_device_config_send_events_set_mode(
      handle, LIBINPUT_CONFIG_SEND_EVENTS_DISABLED.rawValue)
  }

  // MARK: Rules

  /// Takes other rules and screens, which are in force for a device once no finger is on it:
  /// ``applyPending()``. Rule T11.
  func update(_ matcher: DeviceMatcher) {
    self.matcher = matcher
    opener.matcher = matcher
    mayHavePending = true
    for device in devices {
      device.propose(matcher.assignment(of: device.description))
    }
  }

  /// Puts in force what waited for fingers to be lifted, where they are. Returns whether the
  /// devices are to be opened anew: one of them is ignored no longer, or its pen is used otherwise,
  /// and no finger is down.
  func applyPending() -> Bool { (mayHavePending || arePensToBeOpened) && applyAll() }

  private func applyAll() -> Bool {
    for device in devices where device.isChangePending {
      let heldOff = device.assignment.holdsOff
      guard device.applyPending(opener: opener) else { continue }
      // Pens are opened, or no longer, with everything else.
      if device.assignment.holdsOff != heldOff { arePensToBeOpened = true }
      recount()
      logger.info("touchscreen \(device.description.label) now \(sentence(of: device))")
    }
    let areToBeOpened = arePensToBeOpened || devices.contains(where: \.isToBeOpened)
    mayHavePending = devices.contains(where: \.isChangePending)
    guard areToBeOpened, devices.allSatisfy({ $0.liveTouches == 0 }) else { return false }
    arePensToBeOpened = false
    return true
  }

  private func sentence(of device: TouchDevice) -> String {
    let screen = Int(device.assignment.mapping.screen.rawValue)
    return device.assignment.sentence(
      screen: matcher.screens.indices.contains(screen) ? matcher.screens[screen].name : "?")
  }
}
